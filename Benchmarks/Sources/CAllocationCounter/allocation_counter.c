#include "allocation_counter.h"

#ifdef __GLIBC__
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

// The executable's own malloc takes the place of the C library's for every library it loads.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic int is_counting;
static _Atomic int64_t count;

static inline void note(void) {
    if (atomic_load_explicit(&is_counting, memory_order_relaxed))
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
}

void *malloc(size_t size) { note(); return __libc_malloc(size); }
void *calloc(size_t n, size_t size) { note(); return __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { note(); return __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
    note();
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}

void allocation_counter_start(void) {
    atomic_store(&count, 0);
    atomic_store(&is_counting, 1);
}

int64_t allocation_counter_stop(void) {
    atomic_store(&is_counting, 0);
    return atomic_load(&count);
}
#else
void allocation_counter_start(void) {}
int64_t allocation_counter_stop(void) { return -1; }
#endif
