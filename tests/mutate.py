#!/usr/bin/env python3
"""Changes one operator or constant at a time, of the kernels' rules, of plans, and of bounds in readers of files, and prints those
mutants that no test sees. Some of them mean the same as the code, so a person has to look. Fails if half of a kind live.
  mutate.py [COUNT [SEED [FILE...]]]    COUNT of each kind, or of the files
One build of a copy has all mutants: the variable MUTANT chooses one as a program runs, so constants that the compiler needs have
none. Each test runs once to see the mutants that it reaches. A mutant then costs these tests, shortest first, until one fails."""
import concurrent.futures, glob, os, random, re, subprocess, sys, tempfile, time

kinds = {"rules": ("build", "kernels/*/*_rule.h"),
         "plans": ("build", "core/backend/bands.c core/blur/dof_slabs.c core/blur/forms.c core/depth/dof_plan.c core/depth/focus_grid.c"),
         "readers": ("build-sanitize", "app/codec/*/*.c app/format/**/*.c app/embedded/*.c app/metadata/*.c")}
folders = {"build": ([], "check", "kernels/unit_* core/unit_* api/unit_*"), # flags, the program beside unit tests, their sources
           "build-sanitize": (["-DSATB_SANITIZE=address,undefined", "-DCMAKE_BUILD_TYPE=None"], "outcomes",
                              "codec/unit_* metadata/unit_* app/unit_embedded")}
others = dict(zip("< <= > >= == != + - * && || >> <<".split(), "<= < >= > != == - + + || && << >>".split()))
ranks = (", ; ? : = += -= *= /= %= &= |= ^= <<= >>= return case else", "||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %")
ranks = {word: rank for rank, words in enumerate(ranks) for word in words.split()}
switch = """#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
static unsigned char nowhere[1 << 16];
unsigned char *mutant_reached = nowhere;
int mutant;
__attribute__((constructor)) static void choose(void) {
    const char *number = getenv("MUTANT"), *file = getenv("REACHED");
    mutant = number ? atoi(number) : 0;
    mutant_reached = file ? mmap(NULL, sizeof nowhere, PROT_WRITE, MAP_SHARED, open(file, O_RDWR), 0) : nowhere;
}
"""

class Source:
    """A file's words, without those of comments, texts and macros."""
    def __init__(self, name):
        self.name, self.text = name, open(name, encoding="latin-1", newline="").read()
        hidden = r"""/\*.*?\*/|"(\\.|[^"\\\n])*"|'(\\.|[^'\\\n])*'|^\#ifdef __CUDA.*?^\#(else|endif)|^ *\#([^\n]*\\\n)*[^\n]*"""
        code = re.sub(hidden, lambda m: re.sub(r"[^\n]", "x" if m[0][0] in "\"'" else " ", m[0]), self.text, flags=re.S | re.M)
        found = list(re.finditer(r"[\w.]+|->|\+\+|--|<<=|>>=|<<|>>|[-+*/%&|^<>=!]=|&&|\|\||\S", code))
        self.begin, self.end = [m.start() for m in found], [m.end() for m in found]
        self.words = [m[0] if m[0] not in "+-*&" or (code[m.start() - 1] + code[m.end()]).isspace() else "unary" for m in found]
    def takes_equals(self, i):
        """Returns whether a comparison chooses from what it compares, as in "a < b ? a : b", so that equals may be either."""
        near = self.text[self.begin[i] - 60:self.begin[i]] + "\0" + self.text[self.end[i]:self.end[i] + 120]
        same = r"\b(\S+) \0 (\S+)\s\? (\1 : \2|\2 : \1|\1 - \2 : \2 - \1)(?![\w.(\[>]| [-+*/%])"
        return self.words[i][0] in "<>" and re.search(same, near)
    def mutants(self):
        """Returns (source, word, line) of each. Of a reader, lines that compare have some."""
        rows, at = self.text.split("\n"), [self.text.count("\n", 0, begin) for begin in self.begin]
        return [(self, i, at[i] + 1) for i, word in enumerate(self.words) if (word in others or word.isdecimal()) and
                (not self.name.startswith("app/") or re.search(" [<>]=? ", rows[at[i]])) and not self.takes_equals(i)]
    def operand(self, i, step):
        """Returns the outer word of the operand before (-1) or behind (1) operator i."""
        at, depth = i + step, 0
        while True:
            depth += step * ((self.words[at] in "([{") - (self.words[at] in ")]}"))
            if depth < 0 or depth == 0 and ranks.get(self.words[at], 99) < ranks[self.words[i]] + (step > 0):
                return at - step
            at += step
    def pieces(self, i, number):
        """Returns what makes word i mutant `number`: (place, order there, text). Nothing is computed twice, nor what && skips."""
        on, word = f"(mutant_reached[{number}] = 1, mutant == {number})", self.words[i]
        begin, end = self.begin[i if word.isdecimal() else self.operand(i, -1)], self.end[i if word.isdecimal() else self.operand(i, 1)]
        texts = (f"({{ __auto_type a{number}_ = (", f"); __auto_type b{number}_ = /*", "*/ (",
                 f"); {on} ? a{number}_ {others.get(word)} b{number}_ : a{number}_ {word} b{number}_; }})")
        if word.isdecimal():
            texts = "(", "", "", f" + {on})"
        elif word in ("&&", "||"):
            texts = "((!!(", f") ^ {on}) ", " (!!(", f") ^ {on}) ^ {on})"
        return zip((begin, self.begin[i], self.end[i], end), (-end, 0, 0, -begin), texts)
    def write(self, mutants):
        """Writes the file with its mutants of all those, unless it has them, so that nothing is compiled again."""
        chosen = [(number, i) for number, (its, i, _) in mutants.items() if its is self]
        head = 'extern unsigned char *mutant_reached; extern int mutant;\n#pragma GCC diagnostic error "-Wvla"\n#line 1\n'
        out, done = head if chosen else "", 0
        for place, _, text in sorted(piece for number, i in chosen for piece in self.pieces(i, number)):
            out, done = out + self.text[done:place] + text, place
        if (out := out + self.text[done:]) != open(self.name, encoding="latin-1", newline="").read():
            open(self.name, "w", encoding="latin-1", newline="").write(out)

def build(folder, sources, mutants, targets):
    """Builds programs, and takes those mutants away that the compiler refuses."""
    while True:
        for source in sources:
            source.write(mutants)
        made = subprocess.run(["cmake", "--build", folder, "--parallel", str(jobs), "--target", *targets, "--", "-k"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        places = re.findall(r"^(\S+?):(\d+):.* error: ", made.stdout, re.M)
        bad = {min(near)[1] for path, at in places if (near := [ # the last mutant before an error
            (int(at) - line, number) for number, (source, _, line) in mutants.items() if path.endswith(source.name) and line <= int(at)])}
        for number in bad:
            del mutants[number]
        if not bad:
            return made.returncode and sys.exit(made.stdout[-2000:] + "mutate.py: the programs do not compile")

def passes(folder, test, seconds, **environment):
    """Returns whether a test passes within seconds of a processor and, without sanitizers, 8 GiB."""
    guard = ["timeout", "-k", "1", "1800", "prlimit", f"--cpu={int(seconds)}", *([] if folders[folder][0] else [f"--as={8 << 30}"])]
    names = dict(os.environ, LSAN_OPTIONS=f"suppressions={os.getcwd()}/tests/leaks.supp", XDG_CONFIG_HOME="/dev/null/none",
                 OMP_WAIT_POLICY="passive", **environment)
    done = subprocess.run([*guard, f"{os.getcwd()}/{folder}/tests/{test[0]}", *test[1:]], env=names, cwd=folder,
                          stdin=subprocess.DEVNULL, capture_output=True)
    return done.returncode == 0 or b"FAIL: nothing was checked" in done.stdout # only without --quick, or with --large

def measure(folder, sources, mutants):
    """Prints the mutants that live, and returns how many do."""
    known = subprocess.run(["ctest", "--test-dir", folder, "-N"], capture_output=True, text=True).stdout
    _, program, patterns = folders[folder]
    paths = [path for pattern in patterns.split() for path in glob.glob(f"tests/unit/{pattern}.c")]
    tests = [[name] for name in sorted(os.path.basename(path)[:-2] for path in paths) if f": {name}\n" in known]
    targets = [name for name, in tests] + [program]
    for some in targets[-1:], targets: # make tries for each target again what does not compile
        build(folder, sources, mutants, some)
    if program == "check":
        groups = subprocess.run(["build/tests/check", "--list"], capture_output=True, text=True).stdout.split()
        tests += [["check", "--quick", "--filter", group] for group in groups]
    else:
        tests.append(["fuzz/outcomes", f"{os.getcwd()}/tests/fuzz/corpus"])
    def reach(test): # (seconds of a test, the test, the mutants that it reaches)
        with tempfile.NamedTemporaryFile() as file:
            file.truncate(1 << 16)
            began = time.monotonic()
            if not passes(folder, test, 1800, REACHED=file.name):
                sys.exit(f"mutate.py: fails as it is: {' '.join(test)}")
            return time.monotonic() - began, test, {at for at, byte in enumerate(file.read()) if byte}
    def lives(number):
        return all(passes(folder, test, 10 + 10 * seconds, MUTANT=str(number)) for seconds, test, its in tests if number in its)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        tests = sorted(pool.map(reach, tests))
        living = [number for number, alive in zip(mutants, pool.map(lives, mutants)) if alive]
    for (source, i, line), number in [(mutants[number], number) for number in living]:
        print(f"lives: {source.name}:{line}: {others.get(source.words[i], '+ 1')} for {source.words[i]}, in",
              sum(number in its for _, _, its in tests), "tests:", source.text.split("\n")[line - 1].strip(), flush=True)
    return len(living)

jobs, failed, count, seed, given = os.cpu_count(), 0, int((sys.argv[1:2] or [100])[0]), int((sys.argv[2:3] or [1])[0]), sys.argv[3:]
kinds = {"given": ("build-sanitize" if given[0].startswith("app/") else "build", " ".join(given))} if given else kinds
os.chdir(os.path.dirname(os.path.abspath(__file__)) + "/..")
with tempfile.TemporaryDirectory() as work:
    subprocess.run(f"git ls-files -z | tar -c --null -T - | tar -x -C {work}", shell=True, check=True)
    os.chdir(work)
    os.environ["CCACHE_BASEDIR"] = work
    subprocess.run(["cc", "-c", "-x", "c", "-", "-o", "switch.o"], input=switch, text=True, check=True)
    for kind, (folder, patterns) in kinds.items():
        subprocess.run(["cmake", "-S", ".", "-B", folder, "-G", "Unix Makefiles", "-DSATB_CUDA=OFF", "-DSATB_EMULATE=OFF",
                        f"-DCMAKE_EXE_LINKER_FLAGS={work}/switch.o", *folders[folder][0]], check=True, stdout=subprocess.DEVNULL)
        sources = [Source(name) for pattern in patterns.split() for name in sorted(glob.glob(pattern, recursive=True))]
        every = [mutant for source in sources for mutant in source.mutants()]
        mutants = dict(enumerate(random.Random(seed).sample(every, min(count, len(every))), 1))
        lives = measure(folder, sources, mutants)
        failed |= 2 * lives > len(mutants)
        print(f"{kind}: {len(mutants) - lives} of {len(mutants)} mutants die, {100 - 100 * lives / len(mutants):.1f} %", flush=True)
        for source in sources:
            source.write({})
sys.exit(failed)
