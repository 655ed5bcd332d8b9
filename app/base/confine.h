/* What a process gives up before it reads bytes that may take it over. */
#ifndef SATBLUR_APP_CONFINE_H
#define SATBLUR_APP_CONFINE_H

/* Leaves this process memory, threads and its standard streams, for ever. It can open, make, change or remove no file, reach no
 * network and no other process, start none, and has no rights of root. A kernel that lacks a part of this leaves that part out.
 * To be called before threads start, and after libraries have loaded all that they need. */
void confine_process(void);

/* Names what this kernel has for it: "Landlock, seccomp". */
const char *confine_words(void);

#endif
