// The renderers' command lines.
#ifndef QUALITY_ARGUMENTS_H
#define QUALITY_ARGUMENTS_H

// An option: one of the pointers is where its value goes.
struct argument {
    const char *words, *about; // "--scale N"; for the help
    const char **text;
    int *number; // 1 to 2^20
    int *flag;   // becomes 1
};

// Reads the options. Anything else is answered by the help of all, and ends the program with 2.
void arguments_read(const char *program, const struct argument *all, int count, char **argv);

// Writes folder/name and ending into text, of `size` bytes. A path that is too long ends the program with 2.
const char *argument_path(char *text, int size, const char *folder, const char *name,
                          const char *ending);

#endif
