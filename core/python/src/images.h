// Arrays as the library's images: one, or a batch. Floats become codes of 16 bits, or half floats of light, and back.
#pragma once

#include "python/src/array_view.h"
#include "python/src/judge.h"
#include "python/src/spares.h"

#include <satblur.h>

#include <vector>

struct images {
    array_view view;
    std::vector<satb_image> list;
    spare
        codes; // codes or half floats that the array's floats become, which the list then points to
    const char *name = "";
    size_t skip = 0; // 1: the first side of the array counts images

    bool is_light() const
    {
        return list[0].half;
    }

    // Samples from the floats of the array; and back. load() throws ValueError for floats of another scale than codes', and
    // notes numbers that a blur takes for others. store() keeps the numbers of src where light did not change. Neither needs
    // the GIL.
    void load(notes &doubts);
    void store(const images &src) const;
};

// Returns the images of an array H x W, H x W x C or N x H x W x C. Throws ValueError for any other. light: floats become half
// floats.
images pictures_of(nb::handle array, const char *name, bool written, bool light = false);

// Returns the images of maps H x W, H x W x C, or, for a batch, N x H x W and N x H x W x C.
images planes_of(nb::handle array, const char *name, bool batch);

// Throws ValueError if the two share memory, but for one and the same array.
void refuse_overlap(const images &src, const images &dst);

// Throws ValueError unless dst has the shape and the type of src.
void need_same(const images &src, const images &dst);
