// CUDA's vector types, with the alignment that a device requires.
#ifndef SATB_EMULATE_VECTORS_H
#define SATB_EMULATE_VECTORS_H

#define EMULATE_VECTOR2(name, type, bytes)                                                         \
    struct alignas(bytes) name {                                                                   \
        type x, y;                                                                                 \
    };                                                                                             \
    static inline name make_##name(type x, type y)                                                 \
    {                                                                                              \
        return {x, y};                                                                             \
    }
#define EMULATE_VECTOR4(name, type, bytes)                                                         \
    struct alignas(bytes) name {                                                                   \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    static inline name make_##name(type x, type y, type z, type w)                                 \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }

EMULATE_VECTOR2(uchar2, unsigned char, 2)
EMULATE_VECTOR4(uchar4, unsigned char, 4)
EMULATE_VECTOR2(ushort2, unsigned short, 4)
EMULATE_VECTOR4(ushort4, unsigned short, 8)
EMULATE_VECTOR2(int2, int, 8)
EMULATE_VECTOR4(int4, int, 16)
EMULATE_VECTOR2(uint2, unsigned, 8)
EMULATE_VECTOR4(uint4, unsigned, 16)
EMULATE_VECTOR2(ulonglong2, unsigned long long, 16)
EMULATE_VECTOR4(ulonglong4, unsigned long long, 16)

#undef EMULATE_VECTOR2
#undef EMULATE_VECTOR4

struct uint3 {
    unsigned x, y, z;
};
static inline uint3 make_uint3(unsigned x, unsigned y, unsigned z)
{
    return {x, y, z};
}

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    constexpr operator uint3() const
    {
        return {x, y, z};
    }
};

#endif
