/* Values at times of a clip, like --focus-keys 0s:0.8,2.5s:0.3: what lies between them is eased. */
#ifndef SATBLUR_APP_CLIP_KEYS_H
#define SATBLUR_APP_CLIP_KEYS_H

#include <stdbool.h>

enum { CLIP_KEYS_MOST = 256 };

typedef enum clip_key_kind { KEY_NUMBER, KEY_METRES, KEY_POINT } clip_key_kind;

typedef struct clip_time { /* or a length */
    double at;             /* seconds, or frames from 0 on */
    bool in_frames;        /* a whole number */
} clip_time;

typedef struct clip_key {
    double at; /* seconds, or the number of a frame from 0 on */
    bool in_frames;
    clip_key_kind kind;
    double value; /* a disparity, a radius in pixels or metres */
    int x, y;     /* of a point */
} clip_key;

typedef struct clip_keys {
    int count; /* 0: none are given */
    clip_key keys[CLIP_KEYS_MOST];
} clip_keys;

/* Reads "2.5s", or "40" for a frame. False: the text is neither. */
bool clip_time_read(clip_time *t, const char *text);

/* Reads "0s:0.8, 2.5s:3m, 90:812,440": T:VALUE, with T in seconds (s) or in frames, and VALUE a number up to most, or with
 * of_focus also metres or a pixel X,Y. False: the text is no such list, or the times go back. */
bool clip_keys_read(clip_keys *k, const char *text, bool of_focus, double most);

/* Finds the keys around a time of a clip with that many frames a second, 0 <= *a <= *b < count. Returns how far the time
 * is on the way from a to b, 0 to 1, eased: 3 u^2 - 2 u^3. */
double clip_keys_find(const clip_keys *k, double seconds, double rate, int *a, int *b);

/* Returns the value at a time, of keys without points and metres. */
double clip_keys_number(const clip_keys *k, double seconds, double rate);

#endif
