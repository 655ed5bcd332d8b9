# The optional libraries: how one is found, and a row for each.

# optional(WORD NAME TEXT WITHOUT EFFECT HEADERS FILE... LIBRARIES NAME|OTHER-NAME... HAS TEXT DEBIAN PACKAGE... LICENCE
# TEXT SOURCES FILE... ELSE FILE...) finds a library that is used unless SATB_WORD or SATB_OPTIONAL is OFF. Sets SATB_HAVE_WORD,
# for all lists that come later and as 0 or 1 in satb_config.h, and WORD_INCLUDE_DIR and WORD_LIBRARY. HAS is a text of the first
# header that versions lack which are too old. SOURCES are compiled with the library, ELSE without. tests/packages.sh reads the
# lines of DEBIAN. LICENCE is its name, or names, in SPDX.
function(optional word)
    cmake_parse_arguments(its "" "NAME;WITHOUT;HAS;LICENCE" "HEADERS;LIBRARIES;DEBIAN;SOURCES;ELSE" ${ARGN})
    option(SATB_${word} "Use ${its_NAME} where it is found" ON)
    list(JOIN its_DEBIAN " " packages)
    set(remedy "Debian: ${packages}")
    foreach(switch SATB_${word} SATB_OPTIONAL SATB_COPYLEFT)
        if(NOT ${switch} AND (NOT switch STREQUAL "SATB_COPYLEFT" OR its_LICENCE MATCHES "GPL"))
            set(remedy "${switch}=OFF")
        endif()
    endforeach()
    find_parts(${word} found)
    if(remedy MATCHES "=OFF")
        set(found FALSE)
    elseif(NOT its_DEBIAN)
        set(remedy "a part of the CUDA Toolkit")
    endif()
    satb_have(${word} ${found})
    list(JOIN ${word}_LIBRARY ", " found_at)
    satb_summary("${its_NAME}" ${found} "${found_at}" "${its_WITHOUT} (${remedy})")
    if(found)
        list(TRANSFORM its_DEBIAN APPEND "|${its_LICENCE}")
        set_property(GLOBAL APPEND PROPERTY SATB_PARTS ${its_DEBIAN})
    endif()
    if(NOT found)
        target_sources(satb_app PRIVATE ${its_ELSE})
    elseif(its_SOURCES)
        add_library(satb_with_${word} OBJECT ${its_SOURCES}) # with headers of their own: others are not compiled anew for these
        target_include_directories(satb_with_${word} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/config)
        target_include_directories(satb_with_${word} SYSTEM PRIVATE ${${word}_INCLUDE_DIR} ${DEFLATE_INCLUDE_DIR})
        target_link_libraries(satb_with_${word} PRIVATE satb_static satb_flags)
        target_sources(satb_app PRIVATE $<TARGET_OBJECTS:satb_with_${word}>)
        foreach(part ${${word}_LIBRARY})
            target_link_libraries(satb_app PRIVATE $<LINK_ONLY:${part}>)
        endforeach()
    endif()
endfunction()

# find_parts(WORD FOUND): the headers and libraries that optional() was given, and whether all are there
function(find_parts word found)
    set(folders)
    set(libraries)
    foreach(header ${its_HEADERS})
        find_path(${word}_${header} ${header} PATH_SUFFIXES OpenEXR cairo HINTS ${CUDAToolkit_INCLUDE_DIRS})
        list(APPEND folders ${${word}_${header}})
    endforeach()
    foreach(names ${its_LIBRARIES})
        string(REPLACE "|" ";" names ${names})
        list(GET names 0 name)
        if(TARGET ${name})
            list(APPEND libraries ${name})
        else()
            find_library(${word}_${name} NAMES ${names})
            list(APPEND libraries ${${word}_${name}})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES folders)
    set(${word}_INCLUDE_DIR ${folders} CACHE INTERNAL "")
    set(${word}_LIBRARY ${libraries} CACHE INTERNAL "")
    set(${found} TRUE PARENT_SCOPE)
    if("${folders};${libraries}" MATCHES "NOTFOUND")
        set(${found} FALSE PARENT_SCOPE)
    elseif(its_HAS)
        list(GET its_HEADERS 0 header)
        file(STRINGS ${${word}_${header}}/${header} lines REGEX ${its_HAS})
        if(NOT lines)
            set(${found} FALSE PARENT_SCOPE)
        endif()
    endif()
endfunction()

# satb_have(WORD VALUE) sets SATB_HAVE_WORD for all lists that come later, and as 0 or 1 in satb_config.h.
function(satb_have word value)
    set(number 0)
    if(value)
        set(number 1)
    endif()
    set(SATB_HAVE_${word} ${number} CACHE INTERNAL "")
    set_property(GLOBAL APPEND_STRING PROPERTY SATB_CONFIG "#define SATB_HAVE_${word} ${number}\n")
endfunction()

# JPEG on the GPU, by the first of the toolkit's libraries that can be linked. With the static one the program runs
# where there is no toolkit, too.
set(nvjpeg nvjpeg-NOTFOUND)
if(SATB_OPTIONAL AND SATB_HAVE_CUDA)
    include(CheckSourceCompiles)
    foreach(library nvjpeg_static nvjpeg)
        if(NOT nvjpeg AND TARGET CUDA::${library})
            set(CMAKE_REQUIRED_LIBRARIES CUDA::${library} CUDA::cudart_static)
            check_source_compiles(CUDA "#include <nvjpeg.h>
                int main() { nvjpegHandle_t h; return nvjpegCreateEx(NVJPEG_BACKEND_DEFAULT, 0, 0, 0, &h); }"
                SATB_LINKS_${library})
            if(SATB_LINKS_${library})
                set(nvjpeg CUDA::${library})
            endif()
        endif()
    endforeach()
endif()

optional(JPEG_TURBO NAME libjpeg-turbo WITHOUT "JPEG files take several times as long"
    HEADERS turbojpeg.h LIBRARIES turbojpeg
    DEBIAN libturbojpeg0-dev
    LICENCE "IJG AND BSD-3-Clause AND Zlib"
    SOURCES
        codec/jpeg/turbo.c
    ELSE
        codec/jpeg/turbo_none.c)
optional(OPENEXR NAME EXR WITHOUT "no EXR"
    HEADERS openexr.h LIBRARIES OpenEXRCore-3_1|OpenEXRCore
    DEBIAN libopenexr-dev
    LICENCE BSD-3-Clause
    SOURCES
        codec/exr/exr.c
        codec/exr/exr_channel.c
        codec/exr/exr_layer.c
        codec/exr/exr_map.c
        codec/exr/exr_picture.c
        codec/exr/exr_read.c
        codec/exr/exr_write.c
        embedded/exr_depth.c)
optional(TIFF NAME TIFF WITHOUT "no TIFF, which needs libtiff 4.5"
    HEADERS tiffio.h LIBRARIES tiff
    HAS TIFFOpenOptionsSetMaxSingleMemAlloc # its messages can be caught for each file
    DEBIAN libtiff-dev
    LICENCE libtiff
    SOURCES
        format/tiff_file.c
        metadata/metadata_tiff.c
        codec/tiff/tiff_layout.c
        codec/tiff/tiff_convert.c
        codec/tiff/tiff_lab.c
        codec/tiff/tiff_raw.c
        codec/tiff/tiff_read.c
        codec/tiff/tiff_values.c
        codec/tiff/tiff_write.c)
optional(WEBP NAME WebP WITHOUT "no WebP"
    HEADERS webp/mux.h LIBRARIES webpmux webpdemux webp
    DEBIAN libwebp-dev
    LICENCE BSD-3-Clause
    SOURCES
        codec/plain/webp.c
        metadata/metadata_webp.c)
# libheif's decoder of HEVC is replaced by one that heeds limits and reports damage.
optional(HEIF NAME HEIF WITHOUT "no HEIC, no AVIF"
    HEADERS libheif/heif.h libde265/de265.h LIBRARIES heif de265
    DEBIAN libheif-dev libde265-dev
    LICENCE LGPL-3.0-or-later
    SOURCES
        format/heif/heif_coded.c
        format/heif/heif_entry.c
        format/heif/heif_graph.c
        format/heif/heif_headers.c
        format/heif/heif_items.c
        format/heif/heif_beside.c
        format/heif/heif_places.c
        format/heif/heif_property.c
        embedded/heic.c
        codec/heif/heif_aux.c
        codec/heif/heif_gain.c
        codec/heif/heif_hevc.c
        codec/heif/heif_light.c
        codec/heif/heif_open.c
        codec/heif/heif_read.c
        codec/heif/heif_write.c
        metadata/metadata_heif.c)
optional(JXL NAME "JPEG XL" WITHOUT "no JPEG XL"
    HEADERS jxl/decode.h LIBRARIES jxl
    DEBIAN libjxl-dev
    LICENCE BSD-3-Clause
    SOURCES
        format/jxl_file.c
        codec/jxl/jxl_read.c
        codec/jxl/jxl_runner.c
        codec/jxl/jxl_write.c
        metadata/metadata_jxl.c)
# Files of these are read by a process of their own.
set(isolated FALSE)
if(SATB_HAVE_HEIF OR SATB_HAVE_JXL)
    set(isolated TRUE)
    target_sources(satb_app PRIVATE
        base/child.c
        base/confine.c
        codec/code_light.c
        codec/decode_limit.c
        codec/isolate.c
        codec/isolate_serve.c)
endif()
satb_have(ISOLATE ${isolated})
optional(NVJPEG NAME nvJPEG WITHOUT "no --codec gpu"
    HEADERS nvjpeg.h LIBRARIES ${nvjpeg}
    SOURCES
        image/device_pixels.c
        nvjpeg/nvjpeg.c
        nvjpeg/nvjpeg_codec.c
        nvjpeg/nvjpeg_hw_decoder.c
        nvjpeg/nvjpeg_pool.c
        nvjpeg/nvjpeg_status.c
    ELSE
        image/device_pixels_none.c
        nvjpeg/nvjpeg_none.c)
if(SATB_HAVE_NVJPEG)
    target_link_libraries(satb_with_NVJPEG PRIVATE CUDA::cudart_static)
    target_link_libraries(satb_app PRIVATE $<LINK_ONLY:CUDA::cudart_static>)
endif()
optional(CAIRO NAME cairo WITHOUT "no --histogram"
    HEADERS cairo-svg.h LIBRARIES cairo
    DEBIAN libcairo2-dev
    LICENCE "LGPL-2.1-only OR MPL-1.1"
    SOURCES
        figure/histogram_figure.c
        figure/histogram_panel.c
    ELSE
        figure/histogram_figure_none.c)
optional(FFMPEG NAME video WITHOUT "no video"
    HEADERS libavformat/avformat.h LIBRARIES avformat avcodec swscale avutil
    DEBIAN libavformat-dev libavcodec-dev libswscale-dev
    LICENCE "LGPL-2.1-or-later AND GPL-2.0-or-later")
satb_have(CUDA "${SATB_HAVE_CUDA}")
