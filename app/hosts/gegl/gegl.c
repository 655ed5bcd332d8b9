/* The operation satblur:depth-of-field for GEGL, and with it for GIMP. Its input is the picture, and aux is the map. */
#include "hosts/arguments.h"
#include "hosts/contexts.h"
#include "image/half.h"

#define G_LOG_DOMAIN "GEGL" /* GIMP shows the warnings of this one */
#include <dof_table.h>
#include <gegl-plugin.h>
#include <math.h>
#include <string.h>

#define CHOICE(name, type, last, text, ...)                           {text, 0, last, last},
#define NUMBER(name, type, low, high, zero, preset, unit, text, note) {text, low, high, high},
#define OTHER(name, type, none, usual, text)                          {text, 0, INFINITY, usual},
/* What a property shows of a row of dof_arguments, in the same order. A slider ends at usual. */
static const struct {
    const char *text;
    double low, high, usual;
} manuals[] = {SATB_DOF_CHOICES(CHOICE) SATB_DOF_NUMBERS(NUMBER)
                   SATB_DOF_OTHERS(OTHER){"Pixels beyond the border", 0, 0, 0}};
#define ONE(...) 1 +
enum { FIRST = SATB_DOF_CHOICES(ONE) SATB_DOF_NUMBERS(ONE) 0, ROWS = G_N_ELEMENTS(manuals) };

/* The row of a property's number, from 1: the focus and the radius come first, as dialogs show them. */
#define ROW_OF(id) (((int)(id)-1 + FIRST) % ROWS)

typedef struct operation {
    GeglOperationComposer parent;
    GValue values[ROWS];
} operation;

/* Returns whether a row is a property: not an area, nor what half floats cannot have or GIMP has done to a photo. */
static bool is_offered(const argument *row)
{
    const char no[] = "highlights highlight_threshold highlight_size rounding orientation";
    return row->count == 1 && !strstr(no, row->name);
}

/* Makes an enum of a row's words. Both stay, as the module does. */
static GType choices_of(const argument *row)
{
    GEnumValue *const values = g_new0(GEnumValue, G_N_ELEMENTS(row->words) + 1);
    for (int i = 0; i < (int)G_N_ELEMENTS(row->words) && row->words[i]; i++)
        values[i] = (GEnumValue){i, row->words[i], row->words[i]};
    return g_enum_register_static(g_strdup_printf("satblur_%s", row->name), values);
}

/* Makes the property of a row. No number is -1 where 0 is one. */
static GParamSpec *property_of(int i)
{
    const argument *const row = &dof_arguments[i];
    const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT;
    const double none = isnan(row->none) ? -1 : row->none, usual = manuals[i].usual;
    const double low = fmin(manuals[i].low, none), most = row->is_whole ? G_MAXINT : G_MAXDOUBLE,
                 high = fmin(manuals[i].high, most);
    char *const label = g_strdelimit(g_strdup(row->name), "_", ' ');
    const char *const name = row->name, *const text = manuals[i].text;
    GParamSpec *made;
    label[0] = g_ascii_toupper(label[0]);
    if (row->words[0])
        made = gegl_param_spec_enum(name, label, text, choices_of(row), 0, flags);
    else if (row->is_whole && usual == 1)
        made = g_param_spec_boolean(name, label, text, FALSE, flags);
    else if (row->is_whole)
        made = gegl_param_spec_int(name, label, text, (int)low, (int)high, (int)none, (int)low,
                                   (int)usual, 1, flags);
    else
        made = gegl_param_spec_double(name, label, text, low, high, none, low, usual,
                                      usual > 10 ? 2 : 1, flags);
    g_free(label);
    return made;
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
    GValue *const to = &((operation *)object)->values[ROW_OF(id)];
    (void)spec;
    if (!G_IS_VALUE(to))
        g_value_init(to, G_VALUE_TYPE(value));
    g_value_copy(value, to);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
    (void)spec;
    g_value_copy(&((operation *)object)->values[ROW_OF(id)], value);
}

static satb_dof_params params_of(const operation *o, const GeglRectangle *box)
{
    satb_dof_params p = {0};
    arguments_clear(dof_arguments, &p);
    for (int i = 0; i < ROWS; i++) {
        const argument *const row = &dof_arguments[i];
        GValue number = G_VALUE_INIT;
        if (!is_offered(row))
            continue;
        g_value_init(&number, row->is_whole ? G_TYPE_INT : G_TYPE_DOUBLE);
        g_value_transform(&o->values[i], &number);
        const double v = row->is_whole ? g_value_get_int(&number) : g_value_get_double(&number);
        if (v >= 0 || !isnan(row->none))
            argument_set(row, 0, v, &p);
    }
    if (p.focus_x < 0 || p.focus_y < 0) /* sliders set one of them first */
        p.focus_x = p.focus_y = -1;
    dof_arguments_imply(&p);
    p.focus_x -= box->x; /* from GEGL's origin to the picture's corner */
    p.focus_y -= box->y;
    return p;
}

/* Returns the box of a pad's picture; nothing for one without an end. */
static GeglRectangle box_of(GeglOperation *o, const char *pad)
{
    const GeglRectangle *const box = gegl_operation_source_get_bounding_box(o, pad);
    return box && !gegl_rectangle_is_infinite_plane(box) ? *box : (GeglRectangle){0, 0, 0, 0};
}

static GeglRectangle bounding_box(GeglOperation *o)
{
    return box_of(o, "input");
}

static GeglRectangle cached(GeglOperation *o, const GeglRectangle *region)
{
    (void)region;
    return box_of(o, "input");
}

/* Each pixel needs all others and the whole map, and changes with any of them. */
static GeglRectangle all_of_both(GeglOperation *o, const char *pad, const GeglRectangle *region)
{
    const GeglRectangle input = box_of(o, "input"), aux = box_of(o, "aux");
    GeglRectangle both;
    (void)pad, (void)region;
    gegl_rectangle_bounding_box(&both, &input, &aux);
    return both;
}

/* Returns the format of a pad by the source's: gray has the last two names, and a flag the second of each. Its space stays. */
static const Babl *format_of(GeglOperation *o, const char *pad, const char *const *names, int flag)
{
    const Babl *const from = gegl_operation_get_source_format(o, pad);
    const int is = from ? (int)babl_get_model_flags(from) : BABL_MODEL_FLAG_ALPHA;
    const int at = (is & BABL_MODEL_FLAG_GRAY ? 2 : 0) + (is & flag ? 1 : 0);
    const bool is_byte = from && babl_format_get_type(from, 0) == babl_type("u8");
    char name[32];
    g_snprintf(name, sizeof name, names[at], is_byte ? "u8" : "u16");
    return babl_format_with_space(name, from ? babl_format_get_space(from) : NULL);
}

/* The picture is linear light, multiplied by its alpha. The map's codes stay what they are. */
static void prepare(GeglOperation *o)
{
    static const char *const lights[] = {"RGB float", "RaGaBaA float", "Y float", "YaA float"};
    static const char *const codes[] = {"R'G'B' %s", "RGB %s", "Y' %s", "Y %s"};
    const Babl *const light = format_of(o, "input", lights, BABL_MODEL_FLAG_ALPHA);
    gegl_operation_set_format(o, "input", light);
    gegl_operation_set_format(o, "output", light);
    gegl_operation_set_format(o, "aux", format_of(o, "aux", codes, BABL_MODEL_FLAG_LINEAR));
}

/* Makes a dense image of half floats, or of the format's codes. Returns false if memory ran out. */
static bool allocate(const GeglRectangle *box, const Babl *format, int half, satb_image *image)
{
    const int channels = babl_format_get_n_components(format);
    const int bits = half ? 16 : 8 * babl_format_get_bytes_per_pixel(format) / channels;
    const ptrdiff_t stride = (ptrdiff_t)box->width * channels * bits / 8;
    *image = (satb_image){NULL, stride, box->width, box->height, channels, bits, 0, half};
    return (image->data = g_try_malloc_n((size_t)image->height, (size_t)image->stride));
}

/* Reads a picture as half floats; with to, writes it there with those that have changed. The others keep all bits of a float. */
static void convert(GeglBuffer *from, const GeglRectangle *box, const Babl *format,
                    const satb_image *image, GeglBuffer *to)
{
    enum { STRIP = 64 };
    const size_t row = (size_t)image->stride / 2;
    uint16_t *samples = image->data;
    float *const strip = g_new(float, STRIP *row);
    for (int y = 0; y < box->height; y += STRIP) {
        const GeglRectangle part = {box->x, box->y + y, box->width, MIN(STRIP, box->height - y)};
        gegl_buffer_get(from, &part, 1, format, strip, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
        for (size_t i = 0; i < row * (size_t)part.height; i++, samples++) {
            const uint16_t half = half_of(strip[i]);
            if (!to)
                *samples = half;
            else if (half != *samples)
                strip[i] = half_to_float(*samples);
        }
        if (to)
            gegl_buffer_set(to, &part, 0, format, strip, GEGL_AUTO_ROWSTRIDE);
    }
    g_free(strip);
}

/* Blurs the image of a box where it is. False: p has a line. */
static bool blur(const operation *o, const GeglRectangle *box, const satb_image *image,
                 const satb_image *map, problem *p)
{
    static contexts *lent; /* one at a time, which has all processors and stays */
    static gsize is_tried;
    const satb_dof_params params = params_of(o, box);
    if (g_once_init_enter(&is_tried)) {
        lent = contexts_open(&(satb_config){.device = SATB_DEVICE_AUTO}, 1);
        g_once_init_leave(&is_tried, 1);
    }
    if (!lent)
        return problem_set(p, "%s", satb_open_message());
    satb_context *const context = contexts_take(lent);
    const satb_status status = satb_dof(context, image, map, image, &params, NULL);
    problem_set(p, "%s", satb_last_message(context));
    contexts_give(lent, context);
    return status == SATB_OK;
}

/* Reads the picture and the map, and blurs. A map that covers the picture lies on it pixel by pixel, as where GIMP cuts a selection
 * out; a smaller one is stretched. False: p has a line. */
static bool make(GeglOperation *o, GeglBuffer *input, GeglBuffer *aux, satb_image *image,
                 problem *p)
{
    const Babl *const format = gegl_operation_get_format(o, "input");
    const Babl *const codes = gegl_operation_get_format(o, "aux");
    const GeglRectangle box = box_of(o, "input");
    const GeglRectangle *const all = gegl_operation_source_get_bounding_box(o, "aux");
    const GeglRectangle map_box = gegl_rectangle_contains(all, &box) ? box : *all;
    satb_image map = {0};
    if (!argument_fits(box.width, box.height, map_box.width, map_box.height))
        return problem_set(p, "the map of %d x %d has other proportions than %d x %d; crop it",
                           map_box.width, map_box.height, box.width, box.height);
    if (!allocate(&box, format, 1, image) || !allocate(&map_box, codes, 0, &map))
        return problem_set(p, "not enough memory");
    convert(input, &box, format, image, NULL);
    gegl_buffer_get(aux, &map_box, 1, codes, map.data, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
    const bool done = blur((const operation *)o, &box, image, &map, p);
    g_free(map.data);
    return done;
}

/* The picture stays as it is without a map, and after a failure. */
static gboolean process(GeglOperation *o, GeglBuffer *input, GeglBuffer *aux, GeglBuffer *output,
                        const GeglRectangle *result, int level)
{
    const GeglRectangle box = box_of(o, "input");
    satb_image image = {0};
    problem p;
    (void)level;
    const bool done = aux && make(o, input, aux, &image, &p);
    if (aux && !done)
        g_warning("satblur:depth-of-field: %s", p.text);
    if (done)
        convert(input, &box, gegl_operation_get_format(o, "output"), &image, output);
    else
        gegl_buffer_copy(input, result, GEGL_ABYSS_NONE, output, result);
    g_free(image.data);
    return TRUE;
}

static void begin_class(gpointer class, gpointer none)
{
    GObjectClass *const object = class;
    GeglOperationClass *const o = class;
    (void)none;
    object->set_property = set_property;
    object->get_property = get_property;
    o->prepare = prepare;
    o->get_bounding_box = bounding_box;
    o->get_required_for_output = all_of_both;
    o->get_cached_region = cached;
    o->get_invalidated_by_change = all_of_both;
    o->cache_policy = GEGL_CACHE_POLICY_ALWAYS;
    o->threaded = FALSE; /* else each thread of GEGL would blur the whole picture */
    ((GeglOperationComposerClass *)class)->process = process;
    for (guint id = 1; id <= ROWS; id++)
        if (is_offered(&dof_arguments[ROW_OF(id)]))
            g_object_class_install_property(object, id, property_of(ROW_OF(id)));
    /* GIMP lets them be picked by a click. */
    gegl_operation_class_set_property_key(o, "focus-x", "unit", "pixel-coordinate");
    gegl_operation_class_set_property_key(o, "focus-x", "axis", "x");
    gegl_operation_class_set_property_key(o, "focus-y", "unit", "pixel-coordinate");
    gegl_operation_class_set_property_key(o, "focus-y", "axis", "y");
    gegl_operation_class_set_keys(o, "name", "satblur:depth-of-field", "title", "Depth of Field",
                                  "categories", "blur", "description",
                                  "Blur by a depth map, the aux input", "gimp:menu-path",
                                  "<Image>/Filters/Blur", NULL);
}

G_MODULE_EXPORT const GeglModuleInfo *gegl_module_query(GTypeModule *module);
G_MODULE_EXPORT const GeglModuleInfo *gegl_module_query(GTypeModule *module)
{
    static const GeglModuleInfo info = {GEGL_MODULE_ABI_VERSION};
    (void)module;
    return &info;
}

G_MODULE_EXPORT gboolean gegl_module_register(GTypeModule *module);
G_MODULE_EXPORT gboolean gegl_module_register(GTypeModule *module)
{
    const GTypeInfo info = {.class_size = sizeof(GeglOperationComposerClass),
                            .class_init = begin_class,
                            .instance_size = sizeof(operation)};
    const char *const name = "satblur-depth-of-field";
    gegl_module_register_type(module, GEGL_TYPE_OPERATION_COMPOSER, name, &info, 0);
    return TRUE;
}
