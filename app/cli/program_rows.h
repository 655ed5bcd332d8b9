/* The rows of options for programs that make maps. args_table.c alone includes them, within its table. */
/* clang-format off */
    [OPT_DEPTH_PROCESS] = {"depth-process", "CMD", PROGRAM, .bytes = BYTES_DIFFER,
        .help = "Let a program make the maps; it stays for all pictures",
        .more = "CMD is a program that speaks the protocol of app/doc/map-programs.md, like satblur-depth, with its options. "
                "It makes the map of each photo that carries none; --depth and --depth-dir come first. No shell "
                "runs: quotes and backslashes keep blanks, and only ~/ at the beginning of a word is expanded. The program "
                "gets a small upright copy of the picture.",
        .expects = "a command", .read = read_command},
    [OPT_DEPTH_COMMAND] = {"depth-command", "CMD", PROGRAM, .bytes = BYTES_DIFFER,
        .help = "Let a program make the maps; it is run once a picture",
        .more = "In CMD, {in} is the PNG to read and {out} the map to write, in any format that --depth reads. The program "
                "must end with status 0. The last line of its errors is the reason of a failure.",
        .expects = "a command with {in} and {out}", .read = read_command},
    [OPT_MATTE_COMMAND] = {"matte-command", "CMD", PROGRAM, .bytes = BYTES_DIFFER,
        .help = "Let a program make the mattes; {in} and {out} are as above",
        .more = "Without this option, --matte auto asks the program of --depth-process.",
        .expects = "a command with {in} and {out}", .read = read_command},
    [OPT_DEPTH_JOBS] = {"depth-jobs", "N", PROGRAM, .bytes = BYTES_SAME,
        .help = "Number of processes of such a program at a time", .preset = "1",
        .expects = "a number of processes", .read = read_whole, .low = 1, .high = DEPTH_JOBS_MOST, FIELD(depth_jobs)},
    [OPT_DEPTH_TIMEOUT] = {"depth-timeout", "S", PROGRAM, .bytes = BYTES_SAME,
        .help = "Seconds for a program to begin, and for each map", .preset = "300",
        .expects = "seconds", .read = read_number, .low = 0.1, .high = 86400, FIELD(depth_timeout)},
    [OPT_DEPTH_SIZE] = {"depth-size", "N", PROGRAM, .bytes = BYTES_DIFFER,
        .help = "Longer side, in pixels, of the copy that a program gets", .preset = "1024",
        .more = "Networks scale pictures to a size of their own, as a rule 384 to 1536. A smaller picture stays as it is.",
        .expects = "a number of pixels", .read = read_whole, .low = 16, .high = 16384, FIELD(depth_size)},
    [OPT_DEPTH_CACHE] = {"depth-cache", "DIR", PROGRAM, .bytes = BYTES_SAME,
        .help = "Keep the maps of programs in DIR, and use them again",
        .more = "A map is used again for the same pixels, command and version of the program. DIR may be removed at any time.",
        .expects = "a folder", .read = read_text, FIELD(depth_cache)},
