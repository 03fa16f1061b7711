/* Preloaded into the program: counts its calls that change files in a folder, and lets one of them
   fail, or kills the process there, in the middle of a write.

   FAULTS_FOLDER  the folder
   FAULTS_STATX   set to count the calls that ask about a path (statx) in place of those
   FAULTS_AT      the number of the call, from 1; 0 for none
   FAULTS_DIE     set to kill the process
   FAULTS_COUNT   a file for the number of calls, written when the process exits */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long calls;

/* Whether this call is the one. */
static int is_due_of(const char *path, int asks) {
    if (asks != (getenv("FAULTS_STATX") != NULL)) return 0;
    const char *folder = getenv("FAULTS_FOLDER"), *at = getenv("FAULTS_AT");
    if (!folder || !at || !path || strncmp(path, folder, strlen(folder)) != 0) return 0;
    return atomic_fetch_add(&calls, 1) + 1 == atol(at);
}

static int is_due(const char *path) { return is_due_of(path, 0); }

static int is_due_at(int file) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_due(path);
}

static int fail(int error) {
    if (getenv("FAULTS_DIE")) kill(getpid(), SIGKILL);
    errno = error;
    return -1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                                                                \
    int name(const char *path, int flags, ...) {                                                  \
        va_list list;                                                                             \
        va_start(list, flags);                                                                    \
        mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(list, mode_t) : 0;               \
        va_end(list);                                                                             \
        if ((flags & (O_WRONLY | O_RDWR | O_CREAT)) && is_due(path)) return fail(ENOSPC);         \
        return REAL(name)(path, flags, mode);                                                     \
    }
OPEN(open)
OPEN(open64)

ssize_t write(int file, const void *bytes, size_t count) {
    if (is_due_at(file)) {
        REAL(write)(file, bytes, count / 2);
        return fail(ENOSPC);
    }
    return REAL(write)(file, bytes, count);
}

#define SYNC(name)                                                                                \
    int name(int file) { return is_due_at(file) ? fail(EIO) : REAL(name)(file); }
SYNC(fsync)
SYNC(fdatasync)

#define CUT(name, type)                                                                           \
    int name(int file, type length) {                                                             \
        return is_due_at(file) ? fail(EIO) : REAL(name)(file, length);                            \
    }
CUT(ftruncate, off_t)
CUT(ftruncate64, off64_t)

int rename(const char *from, const char *to) {
    return is_due(to) ? fail(ENOSPC) : REAL(rename)(from, to);
}
int statx(int folder, const char *path, int flags, unsigned mask, struct statx *found) {
    return is_due_of(path, 1) ? fail(EIO) : REAL(statx)(folder, path, flags, mask, found);
}
int unlink(const char *path) { return is_due(path) ? fail(EIO) : REAL(unlink)(path); }
int mkdir(const char *path, mode_t mode) {
    return is_due(path) ? fail(ENOSPC) : REAL(mkdir)(path, mode);
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("FAULTS_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld", atomic_load(&calls));
    fclose(file);
}
