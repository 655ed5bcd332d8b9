/* A tile of satk_layer_cpu(). layer_tile.c is compiled several times, each for other instructions of the CPU: CMake gives
 * SATK_LEVEL, and each copy has a name of its own. */
#ifndef SATK_LAYER_TILE_H
#define SATK_LAYER_TILE_H

#include "common/cpu_level.h"
#include "layer/layer_pass.h"

/* Lays a tile. scratch: a thread's, 64-byte aligned; sizes: its division; held: the samples of the
 * tile before in it. */
typedef void satk_layer_function(const satk_layer *job, const satk_pass *pass, satk_area tile,
                                 void *scratch, const satk_layer_sizes *sizes, satk_held *held);

satk_layer_function satk_layer_tile_plain, satk_layer_tile_avx2, satk_layer_tile_avx512;

#endif
