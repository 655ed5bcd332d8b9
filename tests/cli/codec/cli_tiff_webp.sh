#!/bin/bash
# TIFF and WebP files of other programs, read bit for bit, and files of this program, read by others: libtiff's and
# libwebp's tools, ImageMagick, and Python's tifffile, Pillow and OpenCV.    cli_tiff_webp.sh SATBLUR MKIMAGE
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../cli_case.sh"

has_format() { "$satblur" --version | grep -q "^$1: "; }
have() { command -v "$1" > /dev/null; }
reads_as() { # reads_as FILE WANT.png: the file's pixels are those of the PNG
    rm -f got.png
    run "$1" got.png --radius 0 --quiet
    status_is 0 && same got.png "$2"
}

for channels in 1 3 4; do
    for bits in 8 16; do
        make png 53 37 $channels $bits noise:7 p${channels}_$bits.png
    done
done

# --- libtiff's tools ------------------------------------------------------------------------------
tiffcp_all() {
    local picture compression layout planes order done=0 turn=0
    for picture in p?_*.png; do
        run "$picture" base.tif --radius 0 --compression 0
        for compression in none packbits lzw lzw:2 zip zip:2 lzma lzma:2 zstd zstd:2; do
            for layout in '-r 5' '-r 1000' '-t -w 32 -l 16'; do
                for planes in contig separate; do
                    turn=$((turn + 1))
                    [ $((turn % 7)) = 0 ] || continue # a seventh, which has each of them
                    order=$([ "$done" = "${done%[02468]}" ] && echo -B || echo -L)
                    # shellcheck disable=SC2086
                    tiffcp $order -c "$compression" -p $planes $layout base.tif copy.tif 2> /dev/null || continue
                    reads_as copy.tif "$picture" || { echo "$order $compression $planes $layout $picture"; return 1; }
                    done=$((done + 1))
                done
            done
        done
    done
    echo "$done files"
    [ "$done" -ge 30 ]
}

if ! has_format TIFF; then
    skip 'TIFF IS NOT BUILT IN'
else
    for picture in p?_*.png; do
        for level in 0 1 9; do
            run "$picture" o.tif --radius 0 --compression $level
            ok "$picture, level $level: a round trip" reads_as o.tif "$picture"
        done
    done
    if have tiffcp; then
        ok 'tiffcp: every compression, strips and tiles, planes, byte orders' tiffcp_all
        run p3_8.png o.tif --radius 0
        ok 'tiffinfo has no complaint' eval '! tiffinfo -d o.tif 2>&1 > /dev/null | grep .'
        tiffcp -c none o.tif o.tif two.tif
        run two.tif o.png --radius 0
        ok 'a second page is named' says 'two.tif: 1 further page is not read'
        ok 'and the first one is read' same o.png p3_8.png
        tiffcp -8 o.tif big.tif
        ok 'a BigTIFF' reads_as big.tif p3_8.png
    else
        skip 'TIFFCP IS MISSING (Debian: libtiff-tools)'
    fi
fi

# --- libwebp's tools ------------------------------------------------------------------------------
if ! has_format WebP; then
    skip 'WEBP IS NOT BUILT IN'
else
    for picture in p3_8.png p4_8.png; do
        run "$picture" o.webp --radius 0 --quality 100
        ok "$picture: a lossless round trip" reads_as o.webp "$picture"
        run o.webp o2.webp --radius 0
        ok "$picture: lossless stays lossless" reads_as o2.webp "$picture"
        if have cwebp && have dwebp; then
            cwebp -quiet -lossless -exact "$picture" -o c.webp
            ok "$picture: cwebp's lossless file" reads_as c.webp "$picture"
            dwebp -quiet o.webp -o d.png
            ok "$picture: dwebp reads ours" same d.png "$picture"
            cwebp -quiet -q 70 "$picture" -o c.webp && dwebp -quiet c.webp -o d.png
            ok "$picture: cwebp's lossy file" reads_as c.webp d.png
        else
            skip 'CWEBP IS MISSING (Debian: webp)'
        fi
    done
fi

# --- ImageMagick ----------------------------------------------------------------------------------
# Other programs are called convert, too.
if [[ $(convert -list format 2> /dev/null) == *TIFF* ]] && has_format TIFF; then
    for options in '-compress none' '-compress lzw' '-compress zip -endian msb' '-compress zip -interlace plane'; do
        for picture in p1_8.png p3_8.png p3_16.png p4_8.png p4_16.png; do
            # shellcheck disable=SC2086
            convert "$picture" $options m.tif
            ok "ImageMagick: $picture $options" reads_as m.tif "$picture"
        done
    done
else
    skip 'IMAGEMAGICK IS MISSING (Debian: imagemagick)'
fi

# --- Python's libraries ---------------------------------------------------------------------------
for library in tifffile PIL cv2; do
    if ! "$python" -c "import numpy, $library" 2> /dev/null; then
        skip "PYTHON'S ${library^^} IS MISSING"
    elif [ "$library" = PIL ] || has_format TIFF; then
        ok "Python's $library" "$python" "$here/tiff_webp.py" "$satblur" $library
    fi
done

ok 'nothing is left behind' no_leftover
