/* Functions whose last digit differs between C libraries, made of +, -, *, / and sqrt(), which IEEE 754 defines to the last bit:
 * so they give the same bits on every machine. They are within 0.8 of a unit in the last place of the true value. The header is
 * not installed. */
#ifndef SATB_EXACT_MATH_H
#define SATB_EXACT_MATH_H

/* Angles are in radians, at most 2^20 in size. */
double satb_sin(double angle);
double satb_cos(double angle);

double satb_exp(double x);

/* As in C, also of 0, infinity and NAN; a negative number has none. exponent: 1/20 .. 20. */
double satb_log2(double x);
double satb_pow(double x, double exponent);

#endif
