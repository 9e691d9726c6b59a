#include "Faults.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int armed_kind, armed_lasts;
static long armed_n, calls;

int larder_fault_fails(int kind) {
    int result = 0;
    pthread_mutex_lock(&guard);
    int is_power = armed_kind == LARDER_FAULT_POWER;
    if (is_power && kind == LARDER_FAULT_SYNC) kind = LARDER_FAULT_WRITE;
    if (kind == (is_power ? LARDER_FAULT_WRITE : armed_kind)) {
        calls++;
        result = armed_lasts || is_power ? calls >= armed_n : calls == armed_n;
    }
    pthread_mutex_unlock(&guard);
    return result;
}

void larder_fault_arm(int kind, long n, int lasts) {
    pthread_mutex_lock(&guard);
    armed_kind = kind;
    armed_n = n;
    armed_lasts = lasts;
    calls = 0;
    pthread_mutex_unlock(&guard);
}

long larder_fault_disarm(void) {
    pthread_mutex_lock(&guard);
    long count = calls;
    armed_kind = LARDER_FAULT_NONE;
    pthread_mutex_unlock(&guard);
    return count;
}

void *larder_fault_need(void *block) {
    if (!block) abort();
    return block;
}
