/* satbench --api: how long the calls of the library take as its users make them. With --sizes, for pictures of 2 to 100
 * megapixels; --size after it leaves one of these. --gpu-memory bounds what a context takes, in 2^20 bytes, as on a
 * smaller card. */
#ifndef SATB_BENCH_API_H
#define SATB_BENCH_API_H

#define API_USAGE                                                                                  \
    "satbench --api [--cpu [--threads N]] [--quick] [--size WxH | --sizes] [--gpu-memory MB] "     \
    "[--filter TEXT]"

/* Runs the program from the arguments after --api. Returns its exit status: 0 if every row was measured, 1 if one was not
 * or there is no device, 2 for a wrong argument. */
int api_main(int argc, char **argv);

#endif
