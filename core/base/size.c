#include "base/size.h"

int satb_longer_side(const satb_image *image)
{
    return image->width > image->height ? image->width : image->height;
}

int satb_multiply(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

size_t satb_row_bytes(const satb_image *image)
{
    return (size_t)image->width * (size_t)image->channels * (size_t)(image->bits / 8);
}

int satb_table_bytes(const satb_image *image, int word, size_t *bytes)
{
    const size_t row = (size_t)image->width * (size_t)image->channels * (size_t)(word / 8);

    return satb_multiply(row, (size_t)image->height, bytes);
}
