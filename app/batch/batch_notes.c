#include "batch/batch_notes.h"

#include "base/line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void batch_notes_open(batch_notes *notes, bool all)
{
    notes->all = all;
    pthread_mutex_init(&notes->lock, NULL);
}

void batch_notes_close(batch_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++) {
        free(notes->kinds[i].key);
        free(notes->kinds[i].first);
    }
    notes->count = 0;
    pthread_mutex_destroy(&notes->lock);
}

/* Returns the length of the name of one of the item's files that a text begins with, and sets *mark to a control character for
 * its role. 0: it begins with none. */
static size_t name_at(const char *text, const batch_item *item, char *mark)
{
    const char *names[SOURCES_EACH + 1] = {item->output};
    for (int r = 0; r < SOURCES_EACH; r++)
        names[r + 1] = item->source[r];
    for (int i = 0; i <= SOURCES_EACH; i++) {
        const size_t length = names[i] ? strlen(names[i]) : 0;
        *mark = (char)(i + 1);
        if (length > 0 && strncmp(text, names[i], length) == 0)
            return length;
    }
    return 0;
}

/* Makes the key of a note's kind. Returns a string for free(). NULL: not enough memory. */
static char *key_of(const batch_item *item, const char *text)
{
    char *const key = calloc(1, strlen(text) + 1);
    size_t used = 0;
    for (bool begins_word = true; key && *text; begins_word = key[used - 1] == ' ') {
        char mark;
        const size_t name = begins_word ? name_at(text, item, &mark) : 0;
        const size_t number = isdigit((unsigned char)*text) ? strspn(text, "0123456789.") : 0;
        key[used++] = name ? mark : number ? '0' : *text;
        text += name ? name : number ? number : 1;
    }
    return key;
}

/* Returns the kind with that key, which it frees if it is an earlier one. NULL: there is no room. */
static note_kind *find_kind(batch_notes *notes, char *key)
{
    for (size_t i = 0; i < notes->count && key; i++)
        if (strcmp(notes->kinds[i].key, key) == 0) {
            free(key);
            return &notes->kinds[i];
        }
    if (!key || notes->count == NOTE_KINDS) {
        free(key);
        return NULL;
    }
    note_kind *const new = &notes->kinds[notes->count++];
    *new = (note_kind){.key = key};
    return new;
}

/* Returns whether a note is the first of its kind; else counts it. */
static bool is_new(batch_notes *notes, const batch_item *item, const char *text)
{
    note_kind *const kind = find_kind(notes, key_of(item, text));
    if (!kind || !kind->first) {
        if (kind)
            kind->first = text_new("%s", text);
        return true;
    }
    if (kind->more < NOTE_EXAMPLES)
        kind->examples[kind->more] = item->input;
    kind->more++;
    return false;
}

void batch_notes_add(batch_notes *notes, const batch_item *item, const char *text)
{
    pthread_mutex_lock(&notes->lock);
    const bool prints = notes->all || is_new(notes, item, text);
    pthread_mutex_unlock(&notes->lock);
    if (prints)
        message_note(false, "%s", text);
}

void batch_notes_tell(batch_notes *notes)
{
    pthread_mutex_lock(&notes->lock);
    for (size_t i = 0; i < notes->count; i++) {
        const note_kind *const k = &notes->kinds[i];
        const bool is_one = k->more == 1;
        line names = {.used = 0};
        for (size_t e = 0; e < k->more && e < NOTE_EXAMPLES; e++)
            line_add_part(&names, k->examples[e]);
        if (k->more > 0)
            message_note(false, "%zu more picture%s (%s%s) %s a note like this: %s", k->more,
                         is_one ? "" : "s", names.text, k->more > NOTE_EXAMPLES ? ", ..." : "",
                         is_one ? "has" : "have", k->first);
    }
    pthread_mutex_unlock(&notes->lock);
}
