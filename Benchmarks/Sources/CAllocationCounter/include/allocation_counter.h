#ifndef LARDER_ALLOCATION_COUNTER_H
#define LARDER_ALLOCATION_COUNTER_H

#include <stdint.h>

/// Starts counting calls of malloc, calloc, realloc, posix_memalign and aligned_alloc in this process.
void allocation_counter_start(void);

/// Stops counting and returns how many there were, or -1 where they cannot be counted.
int64_t allocation_counter_stop(void);

#endif
