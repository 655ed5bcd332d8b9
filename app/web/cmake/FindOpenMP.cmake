# OpenMP for WebAssembly: one thread, so the pragmas are ignored and app/web/port/omp.h has the functions.
add_library(OpenMP::OpenMP_C INTERFACE IMPORTED)
target_include_directories(OpenMP::OpenMP_C INTERFACE ${CMAKE_CURRENT_LIST_DIR}/../port)
target_compile_options(OpenMP::OpenMP_C INTERFACE -include ${CMAKE_CURRENT_LIST_DIR}/../port/shuffle.h
    -Wno-unknown-pragmas -Wno-unused-parameter -Wno-unused-variable -Wno-unused-but-set-variable)
set(OpenMP_C_FOUND TRUE)
set(OpenMP_C_VERSION "one thread")
