# OpenMP for WebAssembly is app/web/port: with one thread the pragmas are ignored.
option(SATB_WEB_THREADS "Build for pages that may share memory between workers" OFF)
add_library(OpenMP::OpenMP_C INTERFACE IMPORTED)
target_include_directories(OpenMP::OpenMP_C INTERFACE ${CMAKE_CURRENT_LIST_DIR}/../port)
if(SATB_WEB_THREADS)
    target_compile_options(OpenMP::OpenMP_C INTERFACE -fopenmp)
else()
    target_compile_options(OpenMP::OpenMP_C INTERFACE
        -Wno-unknown-pragmas -Wno-unused-parameter -Wno-unused-variable -Wno-unused-but-set-variable)
endif()
set(OpenMP_C_FOUND TRUE)
set(OpenMP_C_VERSION "of app/web/port")
