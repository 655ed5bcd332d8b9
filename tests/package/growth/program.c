/* Blurs a small picture and prints the sum of its bytes, or the message of an error. What follows its last parameter in
 * memory is not 0, as on a program's stack: first the padding of the struct. GROWN sets the member that version 1.1 has. */
#include <satblur.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    enum { SIDE = 64 };
    static unsigned char photo[SIDE][SIDE], map[SIDE][SIDE];
    struct {
        satb_dof_params params;
        unsigned char beyond[64];
    } memory;
    const satb_image src = {
        .data = photo, .stride = SIDE, .width = SIDE, .height = SIDE, .channels = 1, .bits = 8};
    satb_image depth = src;
    satb_context *context;
    unsigned long sum = 0;

    depth.data = map;
    for (int i = 0; i < SIDE * SIDE; i++) {
        photo[i / SIDE][i % SIDE] = (unsigned char)(i * 37 % 251);
        map[i / SIDE][i % SIDE] = i % SIDE < SIDE / 2 ? 40 : 220;
    }
    memory.params = (satb_dof_params){.strength = SATB_STRENGTH_RADIUS, .max_radius = 6};
    memset(&memory.params.look + 1, 255,
           sizeof memory - offsetof(satb_dof_params, look) - sizeof(satb_look));
#ifdef GROWN
    memory.params.grown = 1;
#endif
    if (satb_open(&context, &(satb_config){.device = SATB_DEVICE_CPU}) != SATB_OK)
        return 1;
    if (satb_dof(context, &src, &depth, &src, &memory.params, NULL) != SATB_OK)
        puts(satb_last_message(context));
    for (int i = 0; i < SIDE * SIDE; i++)
        sum = sum * 31 + photo[i / SIDE][i % SIDE];
    printf("%lx\n", sum & 0xffffffff);
    satb_close(&context);
    return 0;
}
