/* Blurs a checkerboard by a depth map, whose right half is near.
 *     cc dof.c $(pkg-config --cflags --libs satblur) -o dof */
#include <satblur.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    enum { W = 640, H = 480 };
    unsigned char *photo = malloc(W * H * 3), *map = malloc(W * H), *result = malloc(W * H * 3);
    if (!photo || !map || !result)
        return 1;
    for (int i = 0; i < W * H; i++) { /* a checkerboard; the right half is near */
        photo[3 * i] = photo[3 * i + 1] = photo[3 * i + 2] = (i / W / 8 + i % W / 8) % 2 ? 230 : 30;
        map[i] = i % W < W / 2 ? 40 : 220;
    }
    const satb_image src = {
        .data = photo, .stride = W * 3, .width = W, .height = H, .channels = 3, .bits = 8};
    const satb_image depth = {
        .data = map, .stride = W, .width = W, .height = H, .channels = 1, .bits = 8};
    satb_image dst = src;
    dst.data = result;

    satb_context *context;
    if (satb_open(&context, NULL) != SATB_OK) { /* a GPU where there is one, otherwise the CPU */
        fprintf(stderr, "%s\n", satb_open_message());
        return 1;
    }
    const satb_dof_params params = {.strength = SATB_STRENGTH_RADIUS, .max_radius = 20};
    satb_dof_report report;
    const satb_status status = satb_dof(context, &src, &depth, &dst, &params, &report);
    if (status == SATB_OK)
        printf("%s: focus %.2f, radii up to %.1f px\n", satb_describe(context), report.focus,
               report.largest_radius);
    else
        fprintf(stderr, "%s\n", satb_last_message(context));
    satb_close(&context);
    free(photo), free(map), free(result);
    return status != SATB_OK;
}
