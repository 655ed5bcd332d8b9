/* The clock that all timings are taken from. */
#ifndef SATBLUR_APP_CLOCK_H
#define SATBLUR_APP_CLOCK_H

/* Returns milliseconds since a fixed moment; the clock never runs backwards. */
double clock_ms(void);

#endif
