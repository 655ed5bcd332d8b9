# SATB_PORTABLE: the libraries that the programs link are installed for them alone, in lib/satblur, and their licences with
# them. glibc is the system's own, which must not be older than that of the machine where all this was built.
set(folder ${CMAKE_INSTALL_LIBDIR}/satblur)
install(RUNTIME_DEPENDENCY_SET satb_libraries
    PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv)\\.so"
    LIBRARY DESTINATION ${folder} COMPONENT portable)
file(RELATIVE_PATH from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/satblur)
file(RELATIVE_PATH from_video ${CMAKE_INSTALL_FULL_LIBEXECDIR}/satblur ${CMAKE_INSTALL_FULL_LIBDIR}/satblur)
set_target_properties(satblur PROPERTIES INSTALL_RPATH "$ORIGIN/${from_program}")
target_link_options(satblur PRIVATE -Wl,--disable-new-dtags) # an RPATH counts for the libraries' own needs, too
if(TARGET satblur_video)
    set_target_properties(satblur_video PROPERTIES INSTALL_RPATH "$ORIGIN/${from_video}")
    target_link_options(satblur_video PRIVATE -Wl,--disable-new-dtags)
endif()
set_target_properties(satb_shared PROPERTIES INSTALL_RPATH $ORIGIN/satblur)

configure_file(core/package/licences.cmake.in ${PROJECT_BINARY_DIR}/licences.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/licences.cmake COMPONENT portable)

# Since 1.16, libheif may have its codecs in plugins, which are not linked.
get_filename_component(plugins "${HEIF_LIBRARY}" DIRECTORY)
file(GLOB plugins "${plugins}/libheif/plugins/*.so" "${plugins}/libheif/*.so")
if(plugins)
    message(WARNING "SATB_PORTABLE leaves out libheif's plugins: no AVIF, and no HEIC is written. Build on Debian 12, which has none")
endif()
