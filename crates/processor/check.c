// This runs before the program's own code. It must not use any instruction that it checks for.
#define _GNU_SOURCE
#include <cpuid.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EAX, EBX, ECX, EDX };
// The register states that the operating system must save (XCR0).
enum { NOTHING = 0, YMM = 0x06, ZMM = 0xe6 };

// The instruction sets that compilers use on their own, by their Rust names. The Intel and AMD
// manuals document their CPUID bits.
static const struct {
    const char *name;
    unsigned leaf, subleaf, word, bit, state;
} SETS[] = {
    {"sse3", 1, 0, ECX, 0, NOTHING},
    {"pclmulqdq", 1, 0, ECX, 1, NOTHING},
    {"ssse3", 1, 0, ECX, 9, NOTHING},
    {"fma", 1, 0, ECX, 12, YMM},
    {"cmpxchg16b", 1, 0, ECX, 13, NOTHING},
    {"sse4.1", 1, 0, ECX, 19, NOTHING},
    {"sse4.2", 1, 0, ECX, 20, NOTHING},
    {"movbe", 1, 0, ECX, 22, NOTHING},
    {"popcnt", 1, 0, ECX, 23, NOTHING},
    {"aes", 1, 0, ECX, 25, NOTHING},
    {"avx", 1, 0, ECX, 28, YMM},
    {"f16c", 1, 0, ECX, 29, YMM},
    {"rdrand", 1, 0, ECX, 30, NOTHING},
    {"bmi1", 7, 0, EBX, 3, NOTHING},
    {"avx2", 7, 0, EBX, 5, YMM},
    {"bmi2", 7, 0, EBX, 8, NOTHING},
    {"avx512f", 7, 0, EBX, 16, ZMM},
    {"avx512dq", 7, 0, EBX, 17, ZMM},
    {"rdseed", 7, 0, EBX, 18, NOTHING},
    {"adx", 7, 0, EBX, 19, NOTHING},
    {"avx512ifma", 7, 0, EBX, 21, ZMM},
    {"avx512cd", 7, 0, EBX, 28, ZMM},
    {"sha", 7, 0, EBX, 29, NOTHING},
    {"avx512bw", 7, 0, EBX, 30, ZMM},
    {"avx512vl", 7, 0, EBX, 31, ZMM},
    {"avx512vbmi", 7, 0, ECX, 1, ZMM},
    {"avx512vbmi2", 7, 0, ECX, 6, ZMM},
    {"gfni", 7, 0, ECX, 8, NOTHING},
    {"vaes", 7, 0, ECX, 9, YMM},
    {"vpclmulqdq", 7, 0, ECX, 10, YMM},
    {"avx512vnni", 7, 0, ECX, 11, ZMM},
    {"avx512bitalg", 7, 0, ECX, 12, ZMM},
    {"avx512vpopcntdq", 7, 0, ECX, 14, ZMM},
    {"avx512fp16", 7, 0, EDX, 23, ZMM},
    {"avxvnni", 7, 1, EAX, 4, YMM},
    {"avx512bf16", 7, 1, EAX, 5, ZMM},
    {"avxifma", 7, 1, EAX, 23, YMM},
    {"lzcnt", 0x80000001, 0, ECX, 5, NOTHING},
    {"sse4a", 0x80000001, 0, ECX, 6, NOTHING},
};

static unsigned saved_state(void) {
    unsigned a, b, c = 0, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
        return 0;
    __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    return a;
}

static int is_there(size_t set, unsigned saved) {
    unsigned word[4] = {0};
    if (!__get_cpuid_count(SETS[set].leaf, SETS[set].subleaf, &word[EAX], &word[EBX], &word[ECX],
                           &word[EDX]))
        return 0;
    return (word[SETS[set].word] >> SETS[set].bit & 1) && (saved & SETS[set].state) == SETS[set].state;
}

static int is_required(const char *name) {
    char item[32];
    snprintf(item, sizeof item, ",%s,", name);
    return strstr(REQUIRED, item) != NULL;
}

// Replaces this process by the adjacent program for any x86-64 processor, if there is one.
static void start_baseline(void) {
    static char path[PATH_MAX + 8], line[1 << 21];
    static char *arguments[1 << 16];
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    FILE *file = fopen("/proc/self/cmdline", "r");
    if (length <= 0 || file == NULL)
        return;
    strcpy(path + length, "-x86-64");
    // Not every C library passes arguments to constructors.
    size_t size = fread(line, 1, sizeof line - 1, file), count = 0;
    int whole = feof(file);
    fclose(file);
    for (char *word = line; word < line + size; word += strlen(word) + 1) {
        if (count + 1 == sizeof arguments / sizeof *arguments)
            return;
        arguments[count++] = word;
    }
    if (whole)
        execv(path, arguments);
}

__attribute__((constructor(101))) static void check_processor(void) {
    char missing[512] = "";
    unsigned saved = saved_state();
    for (size_t set = 0; set < sizeof SETS / sizeof *SETS; set++) {
        if (is_required(SETS[set].name) && !is_there(set, saved)) {
            size_t used = strlen(missing);
            snprintf(missing + used, sizeof missing - used, "%s%s", used ? ", " : "", SETS[set].name);
        }
    }
    if (!*missing)
        return;
    start_baseline();
    fprintf(stderr,
            "error: this processor lacks instructions that this program was built with: %s; put the "
            "release's program for any x86-64 processor (its name ends in -x86-64) beside this one, or "
            "build from source here with RUSTFLAGS=\"-C target-cpu=native\"\n",
            missing);
    _exit(1);
}
