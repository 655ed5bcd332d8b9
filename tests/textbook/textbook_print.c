/* satbench --textbook. */
#include "support/device.h"
#include "textbook/textbook.h"
#include "textbook/textbook_library.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int print_rows(void)
{
    int wrong = 0;

    printf("| what | published | counted | where, and why |\n|---|---|---|---|\n");
    for (int i = 0; i < textbook_rows_count; i++) {
        const textbook_row *const row = &textbook_rows[i];
        char text[TEXTBOOK_TEXT];
        row->count(row, text);
        const int right = strcmp(text, textbook_expected(row)) == 0;
        printf("| %s | %s%s | %s%s%s | %s |\n", row->what, row->published ? row->published : "-",
               row->published && row->right ? " (wrong)" : "", text, right ? "" : ", MUST BE ",
               right ? "" : textbook_expected(row), row->remark);
        wrong += !right;
    }
    return wrong;
}

/* tests/bench/profile.sh reads this table. */
static void print_launches(void)
{
    printf("\nAll that a launch does in global memory, the result's load and store included, for a "
           "profiler: elements of 4 bytes, maximum.\n\n"
           "| kernel | elements | threads | loads | sectors | stores | sectors |\n"
           "|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < textbook_launches_count; i++) {
        const textbook_launch *const l = &textbook_launches[i];
        const textbook_counts c = textbook_count_launch(l);
        printf("| %s | %" PRIu32 " | %" PRIu32 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64
               " | %" PRIu64 " |\n",
               l->kernel, l->count, l->count / 2, c.load.instructions, c.load.sectors,
               c.store.instructions, c.store.sectors);
    }
}

static int print_library(library_on on, const char *name)
{
    int compared = 0;
    const int different = library_differs(on, &compared);

    printf("The library's own code on %s: %d results compared, %d different.\n", name, compared,
           different);
    return different;
}

int textbook_print(int device)
{
    int wrong = print_rows();

    printf("\nPMPP: Hwu, Kirk, El Hajj, \"Programming Massively Parallel Processors\", 4th ed., "
           "chapter.section. Gems 39: Harris, Sengupta, Owens, \"Parallel Prefix Sum (Scan) with "
           "CUDA\", GPU Gems 3, chapter 39, 2007. Blelloch 1990: \"Prefix Sums and Their "
           "Applications\".\n");
    print_launches();
    printf("\n");
    wrong += print_library(LIBRARY_CPU, "the CPU");
    if (device)
        wrong += print_library(LIBRARY_CUDA, device_name());
    if (wrong)
        fprintf(stderr, "satbench: %d of the figures are not what they must be\n", wrong);
    return wrong;
}
