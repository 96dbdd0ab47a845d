/* Faults at single calls: loaded before libc (LD_PRELOAD), it counts the calls that change files of one folder, and
 * lets one of them fail, be done by half, or be the last thing that the process did. It can write down every call, so
 * that what a disk may hold after a power loss can be made of it.
 *
 * A process arms it for itself (`shim_arm`); until then everything passes through. One thread at a time is meant.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { NOTHING, FAILS, NO_ROOM, SHORT, TORN, KILLED, SYNC_FAILS, LIES };

static char folder[PATH_MAX];
static size_t folder_length;
static long calls, first, many;
static int fault;
static int log_file = -1;

#define REAL(type, name, arguments) \
    static type (*real) arguments;  \
    if (!real) real = (type(*) arguments)dlsym(RTLD_NEXT, name)

void shim_arm(const char *in, long at, long times, int what, const char *log) {
    REAL(int, "open", (const char *, int, ...));
    folder_length = strlen(in);
    memcpy(folder, in, folder_length + 1);
    calls = 0, first = at, many = times, fault = what;
    if (*log) log_file = real(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

long shim_calls(void) { return calls; }

/* Which files are meant */

static int is_ours(const char *path) {
    return folder_length && !strncmp(path, folder, folder_length) && (path[folder_length] == '/' || !path[folder_length]);
}

static int path_of(int file, char *path) {
    char link[64];
    if (!folder_length) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_ours(path);
}

/* What is written down: sign, path, other path, place, size, bytes */

static void put(const void *bytes, size_t size) {
    REAL(ssize_t, "write", (int, const void *, size_t));
    for (const char *at = bytes; size;) {
        ssize_t done = real(log_file, at, size);
        if (done <= 0) raise(SIGKILL);
        at += done, size -= (size_t)done;
    }
}

static void write_down(char sign, const char *path, const char *other, int64_t place, int64_t size, const void *bytes) {
    if (log_file < 0) return;
    uint16_t lengths[2] = {(uint16_t)strlen(path), (uint16_t)strlen(other)};
    put(&sign, 1), put(lengths, sizeof lengths), put(&place, sizeof place), put(&size, sizeof size);
    put(path, lengths[0]), put(other, lengths[1]);
    if (bytes) put(bytes, (size_t)size);
}

/* Count a call of ours; say what becomes of it */

static int due(int is_sync) {
    calls++;
    if (fault == SYNC_FAILS) {
        if (!is_sync || calls < first || many <= 0) return NOTHING;
        many--;
        return FAILS;
    }
    if (calls < first || calls >= first + many || fault == LIES) return NOTHING;
    if (fault == KILLED) raise(SIGKILL);
    return fault;
}

static int failed(int what) {
    errno = what == NO_ROOM ? ENOSPC : EIO;
    return -1;
}

static ssize_t written(int file, const void *bytes, size_t size, int64_t place, int has_place) {
    REAL(ssize_t, "pwrite64", (int, const void *, size_t, off64_t));
    static ssize_t (*real_write)(int, const void *, size_t);
    if (!real_write) real_write = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    char path[PATH_MAX];
    int ours = path_of(file, path), what = ours ? due(0) : NOTHING;
    if (what == FAILS || what == NO_ROOM) return failed(what);
    if (what == SHORT || what == TORN) size = size > 1 ? size / 2 : size;
    if (ours && !has_place) place = lseek64(file, 0, fcntl(file, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
    ssize_t done = has_place ? real(file, bytes, size, place) : real_write(file, bytes, size);
    if (ours && done > 0) write_down('W', path, "", place, done, bytes);
    if (what == TORN) raise(SIGKILL);
    return done;
}

ssize_t write(int file, const void *bytes, size_t size) { return written(file, bytes, size, 0, 0); }
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) { return written(file, bytes, size, at, 1); }
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) { return written(file, bytes, size, at, 1); }

static int synced(int file, int (*real)(int)) {
    char path[PATH_MAX];
    struct stat about;
    if (!path_of(file, path)) return real(file);
    int is_folder = !fstat(file, &about) && S_ISDIR(about.st_mode);
    int what = due(1);
    if (what == TORN) raise(SIGKILL);
    if (what) {
        write_down('X', path, "", 0, 0, NULL);
        return failed(what);
    }
    int done = real(file);
    if (!done && fault != LIES) write_down(is_folder ? 'D' : 'S', path, "", 0, 0, NULL);
    return done;
}

int fsync(int file) {
    REAL(int, "fsync", (int));
    return synced(file, real);
}

int fdatasync(int file) {
    REAL(int, "fdatasync", (int));
    return synced(file, real);
}

static int cut(int file, int64_t size) {
    REAL(int, "ftruncate64", (int, off64_t));
    char path[PATH_MAX];
    if (!path_of(file, path)) return real(file, size);
    int what = due(0);
    if (what == TORN) raise(SIGKILL);
    if (what) return failed(what);
    int done = real(file, size);
    if (!done) write_down('T', path, "", 0, size, NULL);
    return done;
}

int ftruncate(int file, off_t size) { return cut(file, size); }
int ftruncate64(int file, off64_t size) { return cut(file, size); }

int rename(const char *from, const char *to) {
    REAL(int, "rename", (const char *, const char *));
    if (!is_ours(to)) return real(from, to);
    int what = due(0);
    if (what == TORN) raise(SIGKILL);
    if (what) return failed(what);
    int done = real(from, to);
    if (!done) write_down('R', from, to, 0, 0, NULL);
    return done;
}

int unlink(const char *path) {
    REAL(int, "unlink", (const char *));
    if (!is_ours(path)) return real(path);
    int what = due(0);
    if (what == TORN) raise(SIGKILL);
    if (what) return failed(what);
    int done = real(path);
    if (!done) write_down('U', path, "", 0, 0, NULL);
    return done;
}

/* A file that is new is only there after a power loss if its folder was synced */

static int opened(int (*real)(int, const char *, int, ...), int in, const char *path, int flags, mode_t mode) {
    char whole[PATH_MAX] = "";
    int creates = (flags & O_CREAT) && is_ours(path) && access(path, F_OK);
    int file = real(in, path, flags, mode);
    if (creates && file >= 0 && path_of(file, whole)) write_down('C', whole, "", 0, 0, NULL);
    if (file >= 0 && (flags & O_TRUNC) && !creates && path_of(file, whole)) write_down('T', whole, "", 0, 0, NULL);
    return file;
}

#define OPENS(name, first_arguments, in, path)                                                 \
    int name first_arguments {                                                                 \
        REAL(int, "openat64", (int, const char *, int, ...));                                  \
        va_list more;                                                                          \
        va_start(more, flags);                                                                 \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;                \
        va_end(more);                                                                          \
        return opened(real, in, path, flags, mode);                                            \
    }

OPENS(open, (const char *path, int flags, ...), AT_FDCWD, path)
OPENS(open64, (const char *path, int flags, ...), AT_FDCWD, path)
OPENS(openat, (int in, const char *path, int flags, ...), in, path)
OPENS(openat64, (int in, const char *path, int flags, ...), in, path)
