/* The program's main(), alone: the package of Python has the rest in libsatblur-host.so. */
#include "hosts/host.h"

int main(int argc, char **argv)
{
    return satb_host_main(argc, argv);
}
