#include "Faults.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* The VFS: SQLite's own, with faults before its calls. */

static sqlite3_vfs *real_vfs;

struct fault_file {
    sqlite3_file base;
    char *path;
    sqlite3_file *real;
};

#define REAL(file) (((struct fault_file *)(file))->real)

static int fault_close(sqlite3_file *file) {
    struct fault_file *self = (struct fault_file *)file;
    int result = self->real->pMethods ? self->real->pMethods->xClose(self->real) : SQLITE_OK;
    free(self->path);
    self->path = NULL;
    return result;
}

static int fault_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
    if (larder_fault_fails(LARDER_FAULT_READ)) return SQLITE_IOERR_READ;
    return REAL(file)->pMethods->xRead(REAL(file), buffer, count, offset);
}

static int fault_write(sqlite3_file *file, const void *buffer, int count, sqlite3_int64 offset) {
    if (larder_fault_fails(LARDER_FAULT_FULL)) return SQLITE_FULL;
    if (larder_fault_fails(LARDER_FAULT_WRITE)) {
        /* Half of it arrives, as it may when a disk fails. */
        if (count > 1) REAL(file)->pMethods->xWrite(REAL(file), buffer, count / 2, offset);
        return SQLITE_IOERR_WRITE;
    }
    return REAL(file)->pMethods->xWrite(REAL(file), buffer, count, offset);
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (larder_fault_fails(LARDER_FAULT_WRITE)) return SQLITE_IOERR_TRUNCATE;
    return REAL(file)->pMethods->xTruncate(REAL(file), size);
}

static int fault_sync(sqlite3_file *file, int flags) {
    (void)flags;
    if (larder_fault_fails(LARDER_FAULT_SYNC)) return SQLITE_IOERR_FSYNC;
    const char *path = ((struct fault_file *)file)->path;
    if (path) larder_fault_synced(path);
    return SQLITE_OK;
}

static int fault_size(sqlite3_file *file, sqlite3_int64 *size) {
    return REAL(file)->pMethods->xFileSize(REAL(file), size);
}

static int fault_lock(sqlite3_file *file, int level) {
    if (level > SQLITE_LOCK_SHARED && larder_fault_fails(LARDER_FAULT_LOCK)) return SQLITE_BUSY;
    return REAL(file)->pMethods->xLock(REAL(file), level);
}

static int fault_unlock(sqlite3_file *file, int level) {
    return REAL(file)->pMethods->xUnlock(REAL(file), level);
}

static int fault_check_reserved(sqlite3_file *file, int *result) {
    return REAL(file)->pMethods->xCheckReservedLock(REAL(file), result);
}

static int fault_control(sqlite3_file *file, int operation, void *argument) {
    return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}

static int fault_sector(sqlite3_file *file) {
    return REAL(file)->pMethods->xSectorSize(REAL(file));
}

static int fault_device(sqlite3_file *file) {
    return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file));
}

static int fault_shm_map(
    sqlite3_file *file, int region, int size, int extends, void volatile **out) {
    return REAL(file)->pMethods->xShmMap(REAL(file), region, size, extends, out);
}

static int fault_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    int locks = (flags & SQLITE_SHM_LOCK) && (flags & SQLITE_SHM_EXCLUSIVE);
    if (locks && larder_fault_fails(LARDER_FAULT_LOCK)) return SQLITE_BUSY;
    return REAL(file)->pMethods->xShmLock(REAL(file), offset, count, flags);
}

static void fault_shm_barrier(sqlite3_file *file) {
    REAL(file)->pMethods->xShmBarrier(REAL(file));
}

static int fault_shm_unmap(sqlite3_file *file, int deletes) {
    return REAL(file)->pMethods->xShmUnmap(REAL(file), deletes);
}

static const sqlite3_io_methods fault_methods = {
    2, fault_close, fault_read, fault_write, fault_truncate, fault_sync, fault_size, fault_lock,
    fault_unlock, fault_check_reserved, fault_control, fault_sector, fault_device, fault_shm_map,
    fault_shm_lock, fault_shm_barrier, fault_shm_unmap, NULL, NULL,
};

static int fault_open(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    struct fault_file *self = (struct fault_file *)file;
    memset(self, 0, sizeof *self);
    if (larder_fault_fails(LARDER_FAULT_OPEN)) return SQLITE_CANTOPEN;
    self->real = (sqlite3_file *)(self + 1);
    memset(self->real, 0, (size_t)real_vfs->szOsFile);
    int result = real_vfs->xOpen(real_vfs, path, self->real, flags, out_flags);
    if (result != SQLITE_OK) return result;
    self->base.pMethods = &fault_methods;
    int lasts = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL);
    if (path && lasts) {
        self->path = larder_fault_need(strdup(path));
        larder_fault_opened(path);
    }
    return SQLITE_OK;
}

static int fault_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
    (void)vfs;
    (void)syncs;
    if (larder_fault_fails(LARDER_FAULT_WRITE)) return SQLITE_IOERR_DELETE;
    int result = real_vfs->xDelete(real_vfs, path, 0);
    if (result == SQLITE_OK) larder_fault_deleted(path);
    return result;
}

int larder_fault_install(void) {
    static sqlite3_vfs vfs;
    int result = larder_fault_install_memory();
    if (result != SQLITE_OK) return result;
    result = sqlite3_initialize();
    if (result != SQLITE_OK) return result;
    real_vfs = sqlite3_vfs_find(NULL);
    vfs = *real_vfs;
    vfs.zName = "fault";
    vfs.szOsFile = (int)sizeof(struct fault_file) + real_vfs->szOsFile;
    vfs.xOpen = fault_open;
    vfs.xDelete = fault_delete;
    return sqlite3_vfs_register(&vfs, 1);
}
