#ifndef LARDER_FAULT_VFS_H
#define LARDER_FAULT_VFS_H

/* Makes SQLite's disk and memory fail where a test wants them to. For a process that does nothing
   else: both replace what SQLite uses by default. Nothing is really synced, which no test could
   tell: what the disk has is known from the calls alone. */

/* What fails. */
enum larder_fault_kind {
    LARDER_FAULT_NONE = 0,
    LARDER_FAULT_READ = 1,     /* SQLITE_IOERR_READ */
    LARDER_FAULT_WRITE = 2,    /* SQLITE_IOERR_WRITE, half of it written */
    LARDER_FAULT_FULL = 3,     /* SQLITE_FULL on writing */
    LARDER_FAULT_SYNC = 4,     /* SQLITE_IOERR_FSYNC */
    LARDER_FAULT_OPEN = 5,     /* SQLITE_CANTOPEN */
    LARDER_FAULT_LOCK = 6,     /* SQLITE_BUSY */
    LARDER_FAULT_MEMORY = 7,   /* no memory */
    LARDER_FAULT_POWER = 8     /* the n-th write or sync, and every one after it */
};

/* Puts the shims in place; called once, before SQLite is used. Returns a result code. */
int larder_fault_install(void);

/* From now on the n-th call of a kind fails (counted from 1), and all after it where `lasts`. */
void larder_fault_arm(int kind, long n, int lasts);

/* Nothing fails any more. Returns how many calls of the kind there were since it was armed. */
long larder_fault_disarm(void);

/* From now on what was not synced is remembered, so that `larder_fault_lose_power` can take it
   back; for 0 it is forgotten. */
void larder_fault_remember(int remembers);

/* Makes every file as the disk would have it if power had gone now: what was written since the last
   sync is gone, or of it those 512-byte sectors that `seed` picks have arrived; 0 picks none. The
   files must be closed. Returns 0, or -1 where a file could not be written. */
int larder_fault_lose_power(unsigned seed);

/* Gives back to the system what nobody uses, where it can be told to, so that what a process has is what it uses. */
void larder_release_free_memory(void);

#endif
