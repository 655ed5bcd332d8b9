/* The boxes of forms, and the form at a place. */
#include "check/oracle.h"

/* Returns 1 if a pixel is right of a side, or below it. */
static int is_beyond(int at, int64_t radius, int64_t side)
{
    const int64_t pixel = (int64_t)at * 256 * 65536, end = radius * side;

    return side > 0 ? pixel > end : pixel >= end;
}

int oracle_in_form_box(const oracle_form_box *box, int64_t radius, int dx, int dy)
{
    return is_beyond(dx, radius, box->left) && !is_beyond(dx, radius, box->right) &&
           is_beyond(dy, radius, box->top) && !is_beyond(dy, radius, box->bottom);
}

static size_t count_patches(int64_t n, int64_t side)
{
    return (size_t)(n / (2 * side) * 2 + (n % (2 * side) != 0));
}

/* Returns the patch that square `at` of an axis of n lies in: patches are taken off at both ends until few squares are left. */
static size_t patch_at(int at, int n, int64_t side)
{
    size_t taken = 0;

    for (int64_t begin = 0, end = n; end - begin >= 2 * side; begin += side, end -= side, taken++)
        if (at < begin + side)
            return taken;
        else if (at >= end - side)
            return count_patches(n, side) - 1 - taken;
    return taken;
}

const oracle_form_box *oracle_form_at(const oracle_forms *forms, int before, int x, int y)
{
    const size_t across = count_patches(forms->width, forms->side);
    const size_t down = count_patches(forms->height, forms->side);
    const size_t column = patch_at(x, forms->width, forms->side);
    const size_t row = patch_at(y, forms->height, forms->side);

    return forms->boxes + (((size_t)before * down + row) * across + column) * (size_t)forms->count;
}

int oracle_patches(int n, int shift)
{
    return (int)count_patches(n, (int64_t)1 << shift);
}

int oracle_patch_at(int at, int n, int shift)
{
    return (int)patch_at(at, n, (int64_t)1 << shift);
}
