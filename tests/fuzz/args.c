/* Parses any bytes as a command line, whose words end with newlines. */
#include "cli/args.h"
#include "batch/batch_manifest.h"
#include "fuzz/fuzz.h"

#include <math.h>

enum { WORDS = 40 };

/* Checks what the program relies on in options that the parser has accepted. */
static void check_ranges(const options *o)
{
    CHECK(o->input || options_have_list(o));
    CHECK(args_writes(o) ? o->output || o->focus_view || o->stats : !o->output); /* of a map, too */
    CHECK(o->box.radius_x >= 0 && o->box.radius_x <= 8388608);
    CHECK(o->box.radius_y >= 0 && o->box.radius_y <= 8388608);
    CHECK(o->dof.max_radius >= 0 && o->dof.max_radius <= 8388608);
    CHECK(o->dof.focus >= 0 && o->dof.focus_range >= 0 && o->dof.focus_range <= 2);
    CHECK(o->dof.near_scale >= 0 && o->dof.near_scale <= 1000);
    CHECK(o->dof.far_scale >= 0 && o->dof.far_scale <= 1000);
    CHECK(!o->given[OPT_DEPTH_RANGE] || (o->range_a >= 0 && o->range_a < o->range_b));
    CHECK(!o->given[OPT_DISTANCE] ||
          (o->dof.distance_near > 0 && o->dof.distance_near < o->dof.distance_far));
    CHECK(!o->given[OPT_FSTOP] || o->dof.fstop > 0);
    CHECK(!o->given[OPT_FOCAL] || o->dof.focal_mm > 0);
    CHECK(!o->given[OPT_THREADS] || (o->engine.threads >= 1 && o->engine.threads <= 1024));
    CHECK(!o->given[OPT_JOBS] || (o->jobs >= 1 && o->jobs <= JOBS_MOST));
    CHECK(!o->given[OPT_SHARD] || (o->shard >= 1 && o->shard <= o->shards));
    CHECK(o->quality >= 1 && o->quality <= 100);
    CHECK(o->compression >= 0 && o->compression <= 12);
    CHECK(o->max_pixels >= 1 && o->max_pixels <= (uint64_t)1 << 31);
    CHECK(!o->coc || (o->dof.method <= SATB_METHOD_SPREAD &&
                      (options_have_depth(o) || o->given[OPT_DEPTH_DIR])));
    CHECK(!o->coc || o->output);
    CHECK(fabs(o->tilt.angle) <= 180 && o->tilt.position >= 0 && o->tilt.position <= 1);
    CHECK(!o->given[OPT_TILT_SHIFT] ||
          o->tilt.width / 2 < fmax(o->tilt.position, 1 - o->tilt.position));
    for (int i = 0; i < 3; i++)
        CHECK(o->plane.x[i] >= 0 && o->plane.y[i] >= 0 && o->plane.depths[i] >= 0 &&
              o->plane.depths[i] <= 1);
}

static void parse(int argc, char **argv)
{
    options o;
    problem p = {.text = ""};
    const args_result result = args_parse(argc, argv, &o, &p);
    CHECK(result != ARGS_WRONG || p.text[0]);
    if (result != ARGS_RUN)
        return;
    check_ranges(&o);
    manifest_signature(&o);
    for (int folder = options_have_list(&o); folder <= 1; folder++) {
        p.text[0] = '\0';
        CHECK(args_check_batch(&o, folder, &p) || p.text[0]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), *argv[WORDS + 2] = {"satblur"};
    int argc = 1;
    CHECK(text);
    memcpy(text, data, size);
    text[size] = '\0';
    unsetenv("SLURM_ARRAY_TASK_ID");
    for (char *word = text; word < text + size && argc <= WORDS; word += strlen(word) + 1) {
        word[strcspn(word, "\n")] = '\0';
        argv[argc++] = word;
    }
    parse(argc, argv);
    free(text);
    return 0;
}
