#!/usr/bin/env bash
# Depth maps in false colours, and maps beside their picture, as matplotlib and OpenCV write them: cli_colormaps.sh SATBLUR
# MKIMAGE. PYTHON names a Python that has matplotlib, OpenCV and NumPy.
. "$(dirname "$0")/../cli_case.sh"


# --- Without those --------------------------------------------------------------------------------
make png 120 80 3 8 noise:3 photo.png
make png 120 80 1 8 ramp depth.png
make png 120 80 3 8 noise:5 noise.png
refused 'noise in colours' 1 'noise.png: is a photo or a false-colour map.*--depth-colormap' \
    photo.png o.png --depth noise.png
run photo.png o.png --depth noise.png --depth-colormap none
ok 'none takes the first channel' status_is 0
ok 'none says so' says 'first channel used'
refused 'a scale that is not the one' 1 'noise.png: only [0-9]*% of its pixels have colours of jet' \
    photo.png o.png --depth noise.png --depth-colormap jet
refused 'a scale for a gray map' 1 'depth.png: is gray.*leave out --depth-colormap' \
    photo.png o.png --depth depth.png --depth-colormap jet
refused 'an unknown scale' 2 "expected 'auto', 'none', 'packed'" \
    photo.png o.png --depth depth.png --depth-colormap rainbow
refused 'a scale without a map' 2 'depth-colormap needs --depth' \
    photo.png o.png --radius 2 --depth-colormap jet
printf 'P6\n3 2\n255\n\0\0\0\100\0\0\377\377\377\0\0\0\100\0\0\377\377\377' > packed.ppm
printf 'P5\n3 2\n65535\n\0\0\100\0\377\377\0\0\100\0\377\377' > values.pgm
run photo.png values.png --depth values.pgm
run photo.png o.png --depth packed.ppm --depth-colormap packed
ok 'packed is as good as 16 bits' cmp values.png o.png
run photo.png o.png --depth packed.ppm --depth-colormap packed --depth-range 0,32768
ok 'a range of packed values is in 16 bits' says 'range 0 to 32768'

# --- Maps by matplotlib and OpenCV ----------------------------------------------------------------
if ! "$python" -c 'import cv2, matplotlib, numpy' 2> /dev/null; then
    skip 'maps in false colours: no Python with matplotlib, OpenCV and NumPy (PYTHON names one)'
    exit
fi
cat > draw.py << 'PY'
import cv2, matplotlib, matplotlib.image, numpy as np

def write(name, rgb, *how):
    cv2.imwrite(name, np.ascontiguousarray(rgb[..., ::-1]), *how)

height, width = 160, 240
y, x = np.mgrid[0:height, 0:width]
depth = (x * 255 // (width - 1) * 0.6 + y * 100 // (height - 1)).astype(np.uint8)
depth[20:60, 30:90] = 250
depth[90:140, 150:220] = 20
depth[np.hypot(x - 110, y - 100) < 30] = 140
depth[0, :] = np.linspace(0, 255, width).astype(np.uint8)
photo = np.stack([(x * 7 + y * 3) % 256, (x * y) // 160 % 256, np.where((x // 20 + y // 20) % 2, 220, 40)], -1).astype(np.uint8)
photo = cv2.GaussianBlur(photo, (0, 0), 2)
write("scene.png", photo)
write("truth.png", np.repeat(depth[..., None], 3, 2))
write("turned.png", np.repeat(255 - depth[..., None], 3, 2))
jpeg = [cv2.IMWRITE_JPEG_QUALITY, 90]

for name in "inferno magma plasma viridis turbo jet Spectral_r".split():
    file = name.lower()
    scale = matplotlib.colormaps[name]
    matplotlib.image.imsave(file + ".png", depth, cmap=name, vmin=0, vmax=255)  # RGBA
    rgb = (scale(depth)[..., :3] * 255).astype(np.uint8)  # as Depth Anything does
    write(file + "_rgb.png", rgb)
    write(file + ".jpg", rgb, jpeg)
for name in "inferno magma plasma viridis turbo jet".split():
    code = getattr(cv2, "COLORMAP_" + name.upper())
    file = "opencv_" + name
    cv2.imwrite(file + ".png", cv2.applyColorMap(depth, code))
    cv2.imwrite(file + ".jpg", cv2.applyColorMap(depth, code), jpeg)

coloured = (matplotlib.colormaps["Spectral_r"](depth)[..., :3] * 255).astype(np.uint8)
gap = np.full((height, 50, 3), 255, np.uint8)
pair = np.hstack([photo, gap, coloured])
write("v2.png", pair)
write("v2.jpg", pair, jpeg)
write("v2_gray.png", np.hstack([photo, gap, np.repeat(depth[..., None], 3, 2)]))
strip = np.full((60, pair.shape[1], 3), 255, np.uint8)
cv2.putText(strip, "Raw image", (60, 40), cv2.FONT_HERSHEY_SIMPLEX, 1, (0, 0, 0), 2)
inferno = np.ascontiguousarray(cv2.applyColorMap(depth, cv2.COLORMAP_INFERNO)[..., ::-1])
write("v1.png", np.vstack([strip, np.hstack([photo, gap, inferno])]))
write("map_first.png", np.hstack([coloured, gap, photo]))

for name, columns in (("framed", 12), ("rimmed", 5)):
    framed = coloured.copy()
    framed[:, width - columns:] = 255
    write(name + ".png", framed)
cv2.imwrite("ocean.png", cv2.applyColorMap(np.where(y < 30, depth // 2 + 100, 0).astype(np.uint8), cv2.COLORMAP_OCEAN))
matplotlib.use("Agg")
import matplotlib.pyplot as plot
plot.imshow(depth, cmap="inferno")
plot.colorbar()
plot.savefig("figure.png")
PY
cat > upright.py << 'PY'
# Stores the scene turned, with EXIF's orientation 6, and draws its map beside it as it is displayed.
import cv2, numpy as np
scene, depth = cv2.imread("scene.png"), cv2.imread("truth.png")
cv2.imwrite("turned.jpg", cv2.rotate(scene, cv2.ROTATE_90_COUNTERCLOCKWISE), [cv2.IMWRITE_JPEG_QUALITY, 95])
data = open("turned.jpg", "rb").read()
exif = b"Exif\0\0II*\0\10\0\0\0\1\0\22\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0"
segment = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
open("lying.jpg", "wb").write(data[:2] + segment + data[2:])
gap = np.full((depth.shape[0], 50, 3), 255, np.uint8)
cv2.imwrite("upright.png", np.hstack([cv2.imread("lying.jpg"), gap, depth]))
PY
cat > apart.py << 'PY'
# apart.py MAP...: compares MAP.radii.png, by --dump-coc, with the truth: prints the mean error in codes, and how many codes
# are of no neighbour
import cv2, numpy as np, sys
truth = cv2.imread("truth.png", cv2.IMREAD_GRAYSCALE)
around = np.ones((9, 9), np.uint8)
low, high = cv2.erode(truth, around), cv2.dilate(truth, around)
for name in sys.argv[1:]:
    codes = (cv2.imread(name + ".radii.png", cv2.IMREAD_UNCHANGED) - 32768.0) / 32767 * 255
    stray = ((codes < low - 20.0) | (codes > high + 20.0)).sum()
    print(name, np.abs(codes - truth).mean(), stray)
PY
"$python" draw.py || exit 1

run scene.png gray.png --depth truth.png
run scene.png turned_gray.png --depth turned.png --depth-edges keep # a pixel in the middle of an edge gets the higher code
reads_back() { # reads_back MAP NAME: the blur is that by the gray map, byte for byte, and the note names the scale
    run scene.png o.png --depth "$1"
    status_is 0 && cmp gray.png o.png && says "$1: false colours of $2 are read back, .* end near (assumed)"
}
for name in inferno magma plasma turbo spectral_r; do
    ok "$name by matplotlib's imsave" reads_back $name.png $name
    ok "$name cut off to 8 bits" reads_back ${name}_rgb.png $name
done
for name in inferno magma plasma turbo; do
    ok "$name by OpenCV" reads_back opencv_$name.png $name
done
ok "jet by OpenCV" reads_back opencv_jet.png opencv_jet

# --- Codes that are not exact ---------------------------------------------------------------------
shared='viridis.png viridis_rgb.png jet.png jet_rgb.png opencv_viridis.png' # some of their codes have one colour
noisy="v2.jpg $(ls -- *.jpg | grep -v v2)"
for map in $shared $noisy; do
    run scene.png o.png --depth $map --focus 0 --max-radius 8 --depth-edges keep --dump-coc $map.radii.png
    ok "$map is read" status_is 0
done
"$python" apart.py $shared $noisy > apart
near_truth() { # near_truth MAP LARGEST
    grep "^$1 " apart
    awk -v map="$1" -v most="$2" '$1 == map && $2 <= most && $3 == 0 { fine = 1 } END { exit !fine }' apart
}
for map in $shared; do
    ok "$map: its codes" near_truth $map 0.1
done
for map in $noisy; do
    ok "$map: its codes" near_truth $map 3
done

# --- Colours that are of no scale -----------------------------------------------------------------
refused 'a map with a border' 1 'framed.png: has colours of spectral, but [0-9.]*% of its pixels do not.*cut those off' \
    scene.png o.png --depth framed.png
refused 'the same, of a named scale' 1 'framed.png: has colours of spectral, but' \
    scene.png o.png --depth framed.png --depth-colormap spectral_r
run scene.png o.png --depth rimmed.png
ok 'a rim of a few pixels gets the depths beside it' status_is 0
refused 'a figure with axes and a legend' 1 "figure.png: is a photo or a false-colour map.*'none' takes the first" \
    scene.png o.png --depth figure.png
refused 'a sixth in colours of no known scale' 1 'ocean.png: is a photo or a false-colour map' \
    scene.png o.png --depth ocean.png
run scene.png o.png --depth ocean.png --depth-colormap none
ok 'its first channel, if that is asked for' status_is 0

# --- The sense of the scale -----------------------------------------------------------------------
run scene.png o.png --depth spectral_r.png --near black --depth-edges keep
ok '--near black turns a scale round' cmp turned_gray.png o.png
ok '--near black in the note' says ': false colours of spectral_r are read back, red end far$'
run scene.png o.png --depth spectral_r.png --near white
ok '--near white is no assumption' says ': false colours of spectral_r are read back, red end near$'
run scene.png o.png --depth spectral_r.png --depth-colormap spectral_r
ok 'the named scale' cmp gray.png o.png
ok 'the named scale in the note' says ': false colours of spectral_r are read back; 100% of the pixels fit'
run scene.png o.png --depth spectral_r.png --depth-colormap spectral --depth-edges keep
ok 'the named scale, the other way round' cmp turned_gray.png o.png
run scene.png o.png --depth spectral_r.png --quiet
ok '--quiet' silent

# --- The picture beside its map -------------------------------------------------------------------
beside() { # beside MAP PLACE
    run scene.png o.png --depth "$1"
    status_is 0 && cmp gray.png o.png && says "$1: shows scene.png and its map side by side; the map, 240 x 160 at $2, is cut out"
}
ok 'a picture beside its map' beside v2.png 290,0
ok 'a picture beside its map in gray' beside v2_gray.png 290,0
ok 'both below a strip of captions' beside v1.png 290,60
"$python" upright.py || exit 1
run lying.jpg lying_gray.png --depth truth.png
run lying.jpg o.png --depth upright.png
ok 'beside a picture that EXIF turns' says 'upright.png: shows lying.jpg and its map side by side; the map, 240 x 160 at 290,0'
ok 'that map is turned with its picture' cmp lying_gray.png o.png
refused 'the map to the left' 1 'map_first.png: shows scene.png beside a map; cut out the map' \
    scene.png o.png --depth map_first.png
# --- Folders --------------------------------------------------------------------------------------
mkdir photos maps
cp scene.png photos/a.png; cp scene.png photos/b.png
cp v2.png maps/a.png; cp opencv_inferno.png maps/b.png
run photos done --depth-dir maps
ok 'a folder with maps of both kinds' status_is 0
ok 'each is as by its gray map' cmp gray.png done/a.png
ok 'each is as by its gray map, too' cmp gray.png done/b.png
run photos done --depth-dir maps --resume --depth-colormap none
ok '--resume does them again for another --depth-colormap' different gray.png done/b.png

ok 'nothing is left behind' no_leftover
