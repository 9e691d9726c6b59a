#ifndef LARDER_CSQLITE_SHIM_H
#define LARDER_CSQLITE_SHIM_H

#include <pthread.h>
#include <sqlite3.h>

/* sqlite3_config and sqlite3_db_config take variable arguments, which Swift cannot call. */

static inline int larder_sqlite3_defensive(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

/* Text in double quotes is a name, and an error where there is none of it, not a value (sqlite.org/quirks.html). */
static inline int larder_sqlite3_strict_names(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
}

/* The log is neither carried over nor removed when the last connection is closed. */
static inline int larder_sqlite3_keep_log(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/* Unlike the pragma, this also works inside a transaction. */
static inline int larder_sqlite3_foreign_keys(sqlite3 *connection, int are_checked) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_FKEY, are_checked, (int *)0);
}

/* SQLITE_STATIC and SQLITE_TRANSIENT are casts, which Swift does not import. */

static inline sqlite3_destructor_type larder_sqlite3_static(void) { return SQLITE_STATIC; }
static inline sqlite3_destructor_type larder_sqlite3_transient(void) { return SQLITE_TRANSIENT; }

/* Where the stack is now; a variable's address says it not where AddressSanitizer keeps it elsewhere. */
static inline unsigned long larder_stack_position(void) {
    return (unsigned long)__builtin_frame_address(0);
}

/* Where the stack of the calling thread ends, which grows down; 0 where that can't be told. */

#ifdef __APPLE__
static inline unsigned long larder_stack_end(void) {
    pthread_t self = pthread_self();
    return (unsigned long)pthread_get_stackaddr_np(self) - pthread_get_stacksize_np(self);
}
#else
/* Headers show it to those alone who ask for GNU's additions. */
int pthread_getattr_np(pthread_t, pthread_attr_t *);

static inline unsigned long larder_stack_end(void) {
    pthread_attr_t attributes;
    void *start = 0;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_destroy(&attributes);
    return (unsigned long)start;
}
#endif

/* Overwrites memory that held a secret, also where the compiler sees that nobody reads it again. */

static inline void larder_wipe(void *start, unsigned long count) {
    volatile unsigned char *byte = (volatile unsigned char *)start;
    while (count-- > 0) *byte++ = 0;
}

#endif
