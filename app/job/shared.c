#include "job/shared.h"

bool shared_read(shared_pictures *s, const options *o, source_role role, problem *p)
{
    const decode_settings settings = source_settings(o, role);
    return picture_load(&s->of[role], o->source[role], &settings, p);
}

bool shared_lend(const shared_pictures *s, source_role role, picture *to)
{
    if (!s || !s->of[role].format)
        return false;
    *to = s->of[role];
    to->meta = (metadata){0};
    to->file = (blob){0};
    return true;
}

void shared_free(shared_pictures *s)
{
    for (source_role r = 0; r < SOURCES; r++)
        picture_free(&s->of[r]);
    *s = (shared_pictures){0};
}
