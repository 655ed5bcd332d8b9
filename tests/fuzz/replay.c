/* Runs files, and all files of folders, through a fuzzer without libFuzzer. It fails if there is
 * nothing to run. */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <sys/stat.h>

/* Memory of exactly the file's size lets the address sanitizer see a read beyond its end. */
static int run_file(const char *path)
{
    FILE *from = fopen(path, "rb");
    struct stat about;
    uint8_t *data = NULL;
    size_t size = 0;
    if (from && stat(path, &about) == 0 && (data = malloc((size_t)about.st_size)))
        size = fread(data, 1, (size_t)about.st_size, from);
    const int good = data && size == (size_t)about.st_size;
    if (from)
        fclose(from);
    if (good) {
        fprintf(stderr, "%s\r", path); /* the crash belongs to the last file that is named */
        LLVMFuzzerTestOneInput(data, size);
    } else {
        fprintf(stderr, "%s: cannot be read\n", path);
    }
    free(data);
    return good;
}

static int run_folder(const char *path, size_t *count)
{
    DIR *folder = opendir(path);
    int good = folder != NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char inner[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        good &= run_file(inner);
        ++*count;
    }
    if (folder)
        closedir(folder);
    return good;
}

int main(int argc, char **argv)
{
    size_t count = 0;
    int good = 1;
    for (int i = 1; i < argc; i++) {
        struct stat about;
        if (stat(argv[i], &about) == 0 && S_ISDIR(about.st_mode)) {
            good &= run_folder(argv[i], &count);
        } else {
            good &= run_file(argv[i]);
            count++;
        }
    }
    printf("%zu inputs\n", count);
    return good && count > 0 ? 0 : 1;
}
