#include "format/code_scan.h"

#include <string.h>

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static bool is_upper(uint8_t c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(uint8_t c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_alphanumeric(uint8_t c)
{
    return is_digit(c) || is_upper(c) || is_lower(c);
}

static char kind_of(uint8_t c)
{
    return is_upper(c) ? 'A' : is_lower(c) ? 'a' : is_digit(c) ? '0' : '+';
}

static int count_bits(const uint64_t *bits, int words)
{
    int count = 0;
    for (int i = 0; i < words * 64; i++)
        count += (int)(bits[i / 64] >> i % 64 & 1);
    return count;
}

/* --- Long words ------------------------------------------------------------------------------- */

typedef struct word { /* of base64 (both alphabets), hex, percent codes and JSON's escapes */
    size_t length, digits, separators, changes; /* changes: from one kind of letter to another */
    char kind;                                  /* of the last letter */
    uint64_t seen[2];                           /* a bit for each character */
} word;

static bool is_separator(uint8_t c)
{
    return c == '/' || c == '-' || c == '_' || c == '\\';
}

static bool is_code(uint8_t c)
{
    return is_alphanumeric(c) || c == '+' || c == '=' || c == '%' || is_separator(c);
}

static void add_letter(word *w, uint8_t c)
{
    const char kind = kind_of(c);
    w->changes += w->length > 0 && kind != w->kind;
    w->kind = kind;
    w->length++;
    w->digits += is_digit(c);
    w->separators += is_separator(c);
    w->seen[c / 64 % 2] |= (uint64_t)1 << c % 64;
}

enum { WORD_LEAST = 40 };

/* Returns whether the word is one of a coded text. Names, paths and lines of dashes are shorter, or have too few digits, too
 * many separators, too few kinds of letters or too long runs of one kind. */
static bool is_coded(const word *w)
{
    enum { DIGITS = 16, SEPARATORS = 8, CHANGES = 4, KINDS = 8 };
    return w->length >= WORD_LEAST && w->digits >= w->length / DIGITS &&
           w->separators <= w->length / SEPARATORS && w->changes >= w->length / CHANGES &&
           count_bits(w->seen, 2) >= KINDS;
}

/* Finds the next word behind *at. False: there is none. */
static bool next_word(bytes text, size_t *at, word *w)
{
    enum { ZEROS = 3 }; /* between two letters of UTF-32 */
    *w = (word){.length = 0};
    for (size_t zeros = 0; *at < text.size; ++*at) {
        const uint8_t c = text.data[*at];
        zeros = c == 0 ? zeros + 1 : 0;
        if (is_code(c))
            add_letter(w, c);
        else if (w->length > 0 && (c != 0 || zeros > ZEROS))
            break;
    }
    return w->length > 0;
}

bool code_has_word(bytes text)
{
    word w = {.length = 0};
    for (size_t at = 0; w.length < WORD_LEAST && next_word(text, &at, &w);)
        continue;
    return w.length >= WORD_LEAST;
}

/* --- Noise ------------------------------------------------------------------------------------ */

/* A block of codes has more kinds of characters than a text of that length, and every other one is of another kind than the
 * one before it: capital, small letter, digit, sign. */
enum { BLOCK = 128, BLOCK_KINDS = 48, BLOCK_CHANGES = 66 };

static void add_noise(code_scan *s, size_t begin, size_t size)
{
    s->begin = begin;
    s->in_noise += size;
}

/* A list of lenses and shutter speeds may have such a block, but hardly two in a row. */
static void end_block(code_scan *s)
{
    const bool is_noise =
        s->block.changes >= BLOCK_CHANGES && count_bits(s->block.seen, 2) >= BLOCK_KINDS;
    s->run.begin = s->run.blocks > 0 ? s->run.begin : s->block.begin;
    s->run.blocks = is_noise ? s->run.blocks + 1 : 0;
    if (s->run.blocks == 2)
        add_noise(s, s->run.begin, 2 * BLOCK);
    else if (s->run.blocks > 2)
        add_noise(s, s->block.begin, BLOCK);
    memset(&s->block, 0, sizeof s->block);
}

/* Bytes that are no text are few where they part the pieces of a code, and many in what is not text at all. */
static void add_to_block(code_scan *s, uint8_t c)
{
    enum { OTHERS = 4 };
    if (c == 0 || c == ' ' || c == '\t' || c == '\n' || c == '\r')
        return;
    if (c < ' ' || c > '~') {
        if (++s->block.others > OTHERS + s->block.count / OTHERS) {
            memset(&s->block, 0, sizeof s->block);
            s->run.blocks = 0;
        }
        return;
    }
    const char kind = kind_of(c);
    s->block.begin = s->block.count > 0 ? s->block.begin : s->at;
    s->block.changes += s->block.count > 0 && kind != s->block.kind;
    s->block.kind = kind;
    s->block.seen[c / 64] |= (uint64_t)1 << c % 64;
    if (++s->block.count == BLOCK)
        end_block(s);
}

/* --- Hex and numbers -------------------------------------------------------------------------- */

typedef struct piece { /* of letters and digits */
    size_t begin, length, digits;
    bool is_lower_hex, is_upper_hex;
    int value;      /* of digits; beyond 255: 256 */
    bool is_joined; /* to the one before by a dash */
} piece;

static void add_to_piece(piece *p, uint8_t c, size_t at)
{
    const bool is_prefix = p->length == 1 && p->value == 0 && (c == 'x' || c == 'X'); /* 0x */
    if (p->length == 0 || is_prefix)
        *p = (piece){
            .begin = at, .is_lower_hex = true, .is_upper_hex = true, .is_joined = p->is_joined};
    if (is_prefix)
        return;
    p->length++;
    p->digits += is_digit(c);
    p->is_lower_hex = p->is_lower_hex && (is_digit(c) || (c >= 'a' && c <= 'f'));
    p->is_upper_hex = p->is_upper_hex && (is_digit(c) || (c >= 'A' && c <= 'F'));
    p->value = is_digit(c) ? p->value * 10 + c - '0' : 256;
    p->value = p->value < 256 ? p->value : 256;
}

/* Six digits are a colour, and 32 a name of 128 bits, as are groups of several lengths with dashes; an odd number of digits
 * counts the lines. */
static void add_hex(code_scan *s, const piece *p)
{
    enum { COLOUR = 6, NAME = 32 };
    const bool is_hex = p->is_lower_hex || p->is_upper_hex;
    const bool is_group = p->is_joined && p->length != s->hex.length;
    if (!is_hex || is_group || p->length == COLOUR || p->length == NAME) {
        memset(&s->hex, 0, sizeof s->hex);
    } else if (p->length % 2 == 0) {
        s->hex.begin = s->hex.count > 0 ? s->hex.begin : p->begin;
        s->hex.count += p->length;
        s->hex.digits += p->digits;
    }
    s->hex.length = p->length;
    if (s->hex.count < BLOCK)
        return;
    if (s->hex.digits >= s->hex.count * 2 / 5 && s->hex.digits <= s->hex.count * 6 / 7)
        add_noise(s, s->hex.begin, s->hex.count);
    memset(&s->hex, 0, sizeof s->hex);
}

/* A table or a curve has few numbers, or they rise. */
static void add_number(code_scan *s, const piece *p)
{
    enum { LEAST = 512, KINDS = 96, FALLS = LEAST / 4 };
    if (p->digits != p->length || p->value > 255) {
        memset(&s->numbers, 0, sizeof s->numbers);
        return;
    }
    s->numbers.begin = s->numbers.count > 0 ? s->numbers.begin : p->begin;
    s->numbers.falls += p->value < s->numbers.last;
    s->numbers.last = p->value;
    s->numbers.seen[p->value / 64] |= (uint64_t)1 << p->value % 64;
    if (++s->numbers.count < LEAST)
        return;
    if (s->numbers.falls >= FALLS && count_bits(s->numbers.seen, 4) >= KINDS)
        add_noise(s, s->numbers.begin, LEAST);
    memset(&s->numbers, 0, sizeof s->numbers);
}

static void end_piece(code_scan *s, piece *p)
{
    if (p->length > 0) {
        add_hex(s, p);
        add_number(s, p);
    }
    p->length = 0;
}

/* Adds a character to the piece. What stands behind a backslash says how the digits behind it are written. */
static void add_to_pieces(code_scan *s, piece *p, uint8_t c, uint8_t before)
{
    if (c == 0 || (before == '\\' && (c == 'x' || c == 'u')))
        return;
    if (is_alphanumeric(c)) {
        add_to_piece(p, c, s->at);
        return;
    }
    end_piece(s, p);
    p->is_joined = c == '-';
    if (c == '.' || c == '-') /* of a fraction, or below 0 */
        memset(&s->numbers, 0, sizeof s->numbers);
}

/* --- All -------------------------------------------------------------------------------------- */

void code_scan_add(code_scan *s, bytes text)
{
    word w;
    piece p = {.length = 0};
    for (size_t at = 0; next_word(text, &at, &w);)
        s->in_words += is_coded(&w) ? w.length : 0;
    uint8_t before = 0;
    for (size_t i = 0; i < text.size; i++, s->at++) {
        const uint8_t c = text.data[i];
        add_to_block(s, c);
        add_to_pieces(s, &p, c, before);
        before = c ? c : before;
    }
    end_piece(s, &p);
}

size_t code_scan_total(const code_scan *s)
{
    return s->in_words > s->in_noise ? s->in_words : s->in_noise;
}
