/* Runs files, and all files of archives (.tar), through a fuzzer without libFuzzer. It fails if there is
 * nothing to run, or an archive has nothing. */
#include "fuzz/fuzz.h"
#include "support/archive.h"

#include <stdbool.h>

static void run(const char *name, const uint8_t *data, size_t size)
{
    fprintf(stderr, "%s\r", name); /* the crash belongs to the last file that is named */
    LLVMFuzzerTestOneInput(data, size);
}

/* Returns 1, or 0 for a file that cannot be read. Memory of exactly its size lets the address sanitizer see a read
 * beyond its end. */
static size_t run_file(FILE *from, const char *path)
{
    long size = -1;
    uint8_t *data = NULL;
    if (fseek(from, 0, SEEK_END) == 0 && (size = ftell(from)) >= 0 && fseek(from, 0, SEEK_SET) == 0)
        data = malloc((size_t)size);
    const bool good = data && fread(data, 1, (size_t)size, from) == (size_t)size;
    if (good)
        run(path, data, (size_t)size);
    free(data);
    return good;
}

/* Returns the number of files, 0 for a damaged archive. */
static size_t run_archive(FILE *from)
{
    archive_file file;
    archive_status status;
    size_t count = 0;
    for (; (status = archive_next(from, &file)) == ARCHIVE_FILE; count++) {
        run(file.name, file.data, file.size);
        free(file.data);
    }
    return status == ARCHIVE_END ? count : 0;
}

int main(int argc, char **argv)
{
    size_t total = 0;
    bool good = argc > 1;
    for (int i = 1; i < argc; i++) {
        const char *ending = strrchr(argv[i], '.');
        FILE *from = fopen(argv[i], "rb");
        size_t count = 0;
        if (from) {
            count =
                ending && strcmp(ending, ".tar") == 0 ? run_archive(from) : run_file(from, argv[i]);
            fclose(from);
        }
        if (count == 0) {
            fprintf(stderr, "%s: cannot be read, is damaged, or has no file\n", argv[i]);
            good = false;
        }
        total += count;
    }
    printf("%zu inputs\n", total);
    return good ? 0 : 1;
}
