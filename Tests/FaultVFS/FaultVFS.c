#include "FaultVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sqlite3_vfs *real_vfs;
static sqlite3_mem_methods real_memory;

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int armed_kind, armed_lasts;
static long armed_n, calls;
static int remembers;

/* Whether this call of a kind is one that fails. */
static int fails(int kind) {
    int result = 0;
    pthread_mutex_lock(&guard);
    if (kind == armed_kind) {
        calls++;
        result = armed_lasts ? calls >= armed_n : calls == armed_n;
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

/* --- What has reached the disk ------------------------------------------------------------- */

/* A file as it was when it was last synced, and as it is. */
struct image {
    char *path;
    unsigned char *durable;
    long durable_size;
    unsigned char *current;
    long current_size;
    struct image *next;
};

static struct image *images;

static struct image *image_of(const char *path, int makes) {
    for (struct image *image = images; image; image = image->next)
        if (strcmp(image->path, path) == 0) return image;
    if (!makes) return NULL;
    struct image *image = calloc(1, sizeof *image);
    image->path = strdup(path);
    image->next = images;
    images = image;
    return image;
}

static void read_current(struct image *image) {
    FILE *file = fopen(image->path, "rb");
    free(image->current);
    image->current = NULL;
    image->current_size = -1;
    if (!file) return;
    fseek(file, 0, SEEK_END);
    image->current_size = ftell(file);
    image->current = malloc((size_t)image->current_size + 1);
    rewind(file);
    if (fread(image->current, 1, (size_t)image->current_size, file) != (size_t)image->current_size)
        image->current_size = 0;
    fclose(file);
}

/* The file as it stands is what the disk has. */
static void keep(const char *path) {
    if (!path) return;
    pthread_mutex_lock(&guard);
    if (remembers) {
        struct image *image = image_of(path, 1);
        read_current(image);
        free(image->durable);
        image->durable = image->current;
        image->durable_size = image->current_size;
        image->current = NULL;
    }
    pthread_mutex_unlock(&guard);
}

void larder_fault_remember(int value) {
    pthread_mutex_lock(&guard);
    remembers = value;
    while (images) {
        struct image *image = images;
        images = image->next;
        free(image->path);
        free(image->durable);
        free(image->current);
        free(image);
    }
    pthread_mutex_unlock(&guard);
}

static unsigned next_random(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

int larder_fault_lose_power(unsigned seed) {
    int result = 0;
    unsigned state = seed * 2654435761u + 1;
    pthread_mutex_lock(&guard);
    for (struct image *image = images; image; image = image->next) {
        read_current(image);
        long old = image->durable_size < 0 ? 0 : image->durable_size;
        long new = image->current_size < 0 ? 0 : image->current_size;
        /* Seed 0: nothing that was not synced has arrived. */
        long size = seed && next_random(&state) % 2 ? (old > new ? old : new) : old;
        unsigned char *disk = calloc(1, (size_t)size + 1);
        memcpy(disk, image->durable ? image->durable : disk, (size_t)(old < size ? old : size));
        for (long start = 0; seed && start < size && start < new; start += 512) {
            if (next_random(&state) % 2) continue;
            long end = start + 512;
            if (end > size) end = size;
            if (end > new) end = new;
            memcpy(disk + start, image->current + start, (size_t)(end - start));
        }
        FILE *file = fopen(image->path, "wb");
        if (!file || fwrite(disk, 1, (size_t)size, file) != (size_t)size) result = -1;
        if (file) fclose(file);
        free(disk);
    }
    pthread_mutex_unlock(&guard);
    return result;
}

/* --- Files --------------------------------------------------------------------------------- */

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
    if (fails(LARDER_FAULT_READ)) return SQLITE_IOERR_READ;
    return REAL(file)->pMethods->xRead(REAL(file), buffer, count, offset);
}

static int fault_write(sqlite3_file *file, const void *buffer, int count, sqlite3_int64 offset) {
    if (fails(LARDER_FAULT_FULL)) return SQLITE_FULL;
    if (fails(LARDER_FAULT_WRITE)) {
        /* Half of it arrives, as it may when a disk fails. */
        if (count > 1) REAL(file)->pMethods->xWrite(REAL(file), buffer, count / 2, offset);
        return SQLITE_IOERR_WRITE;
    }
    return REAL(file)->pMethods->xWrite(REAL(file), buffer, count, offset);
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (fails(LARDER_FAULT_WRITE)) return SQLITE_IOERR_TRUNCATE;
    return REAL(file)->pMethods->xTruncate(REAL(file), size);
}

static int fault_sync(sqlite3_file *file, int flags) {
    if (fails(LARDER_FAULT_SYNC)) return SQLITE_IOERR_FSYNC;
    int result = REAL(file)->pMethods->xSync(REAL(file), flags);
    if (result == SQLITE_OK) keep(((struct fault_file *)file)->path);
    return result;
}

static int fault_size(sqlite3_file *file, sqlite3_int64 *size) {
    return REAL(file)->pMethods->xFileSize(REAL(file), size);
}

static int fault_lock(sqlite3_file *file, int level) {
    if (level > SQLITE_LOCK_SHARED && fails(LARDER_FAULT_LOCK)) return SQLITE_BUSY;
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

static int fault_shm_map(sqlite3_file *file, int region, int size, int extends, void volatile **out) {
    return REAL(file)->pMethods->xShmMap(REAL(file), region, size, extends, out);
}

static int fault_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    if ((flags & SQLITE_SHM_LOCK) && (flags & SQLITE_SHM_EXCLUSIVE) && fails(LARDER_FAULT_LOCK))
        return SQLITE_BUSY;
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
    if (fails(LARDER_FAULT_OPEN)) return SQLITE_CANTOPEN;
    self->real = (sqlite3_file *)(self + 1);
    memset(self->real, 0, (size_t)real_vfs->szOsFile);
    int result = real_vfs->xOpen(real_vfs, path, self->real, flags, out_flags);
    if (result != SQLITE_OK) return result;
    self->base.pMethods = &fault_methods;
    int lasts = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL);
    if (path && lasts) {
        self->path = strdup(path);
        pthread_mutex_lock(&guard);
        int known = !remembers || image_of(path, 0) != NULL;
        pthread_mutex_unlock(&guard);
        if (!known) keep(path);
    }
    return SQLITE_OK;
}

static int fault_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
    (void)vfs;
    if (fails(LARDER_FAULT_WRITE)) return SQLITE_IOERR_DELETE;
    int result = real_vfs->xDelete(real_vfs, path, syncs);
    pthread_mutex_lock(&guard);
    /* What is deleted is gone: a log is only deleted once the database has been synced. */
    for (struct image **link = &images; *link; link = &(*link)->next) {
        if (strcmp((*link)->path, path) != 0) continue;
        struct image *gone = *link;
        *link = gone->next;
        free(gone->path);
        free(gone->durable);
        free(gone->current);
        free(gone);
        break;
    }
    pthread_mutex_unlock(&guard);
    return result;
}

/* --- Memory -------------------------------------------------------------------------------- */

static void *fault_malloc(int count) {
    return fails(LARDER_FAULT_MEMORY) ? NULL : real_memory.xMalloc(count);
}

static void *fault_realloc(void *block, int count) {
    return fails(LARDER_FAULT_MEMORY) ? NULL : real_memory.xRealloc(block, count);
}

int larder_fault_install(void) {
    static sqlite3_mem_methods memory;
    static sqlite3_vfs vfs;
    int result = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory);
    if (result != SQLITE_OK) return result;
    memory = real_memory;
    memory.xMalloc = fault_malloc;
    memory.xRealloc = fault_realloc;
    result = sqlite3_config(SQLITE_CONFIG_MALLOC, &memory);
    if (result != SQLITE_OK) return result;
    /* Small blocks would come out of it without being asked for. */
    result = sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
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
