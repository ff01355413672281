/* A wall clock ahead of the kernel's by what a file says (MOVED_CLOCK: nanoseconds, one int64), for LD_PRELOAD.
 * Steady clocks and sleeping stay true. libfaketime 0.9.10 makes Python's time.sleep fail (EINVAL) when asked for that.
 * Deadlines that programs compute from the wall clock are given to the kernel in its own time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL
static volatile int64_t *ahead;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("MOVED_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *found = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    if (found != MAP_FAILED) ahead = found;
    close(file);
}

static struct timespec moved(const struct timespec *when, int64_t by) {
    int64_t all = when->tv_sec * SECOND + when->tv_nsec + by;
    return (struct timespec){all / SECOND, all % SECOND};
}

static int64_t now_ahead(void) { return ahead ? *ahead : 0; }

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

int clock_gettime(clockid_t clock, struct timespec *out) {
    REAL(clock_gettime);
    int failed = real(clock, out);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) *out = moved(out, now_ahead());
    return failed;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}

/* A deadline of a steady clock counts from the start of the machine: it is far below a billion seconds. */
static struct timespec deadline(const struct timespec *until) {
    return until->tv_sec < SECOND ? *until : moved(until, -now_ahead());
}

int pthread_cond_timedwait(pthread_cond_t *restrict one, pthread_mutex_t *restrict lock, const struct timespec *restrict until) {
    static __typeof__(&pthread_cond_timedwait) real;  /* by version: without one an older function is found */
    if (!real) real = (__typeof__(real))dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    struct timespec there = deadline(until);
    return real(one, lock, &there);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict lock, const struct timespec *restrict until) {
    REAL(pthread_mutex_timedlock);
    struct timespec there = deadline(until);
    return real(lock, &there);
}

int sem_timedwait(sem_t *restrict one, const struct timespec *restrict until) {
    REAL(sem_timedwait);
    struct timespec there = deadline(until);
    return real(one, &there);
}

long syscall(long number, ...) {
    REAL(syscall);
    va_list words;
    va_start(words, number);
    long a = va_arg(words, long), b = va_arg(words, long), c = va_arg(words, long);
    long d = va_arg(words, long), e = va_arg(words, long), f = va_arg(words, long);
    va_end(words);
    struct timespec there;
    if (number == SYS_futex && (b & FUTEX_CLOCK_REALTIME) && d) {
        there = deadline((const struct timespec *)d);
        d = (long)&there;
    }
    return real(number, a, b, c, d, e, f);
}
