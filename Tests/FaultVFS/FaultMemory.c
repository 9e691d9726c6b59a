#include "Faults.h"

#include <sqlite3.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static sqlite3_mem_methods real;

static void *fault_malloc(int count) {
    return larder_fault_fails(LARDER_FAULT_MEMORY) ? NULL : real.xMalloc(count);
}

static void *fault_realloc(void *block, int count) {
    return larder_fault_fails(LARDER_FAULT_MEMORY) ? NULL : real.xRealloc(block, count);
}

int larder_fault_install_memory(void) {
    static sqlite3_mem_methods memory;
    int result = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real);
    if (result != SQLITE_OK) return result;
    memory = real;
    memory.xMalloc = fault_malloc;
    memory.xRealloc = fault_realloc;
    result = sqlite3_config(SQLITE_CONFIG_MALLOC, &memory);
    if (result != SQLITE_OK) return result;
    /* Small blocks would come out of it without being asked for. */
    return sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}

void larder_release_free_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
