// The part of CUDA's cooperative groups that this project uses: a grid whose blocks wait for each
// other. cudaLaunchCooperativeKernel() (cuda_runtime.h) launches it.
#ifndef SATB_EMULATE_COOPERATIVE_GROUPS_H
#define SATB_EMULATE_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#include <utility>

// A thread arrives at the grid's barrier, and waits until all have.
uint64_t emulate_grid_arrive();
void emulate_grid_wait(uint64_t token);

namespace cooperative_groups
{

struct grid_group {
    using arrival_token = uint64_t;

    arrival_token barrier_arrive() const
    {
        return emulate_grid_arrive();
    }

    void barrier_wait(arrival_token &&token) const
    {
        emulate_grid_wait(token);
    }

    void sync() const
    {
        barrier_wait(barrier_arrive());
    }
};

static inline grid_group this_grid()
{
    return {};
}

} // namespace cooperative_groups

#endif
