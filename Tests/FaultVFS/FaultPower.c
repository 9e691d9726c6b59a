#include "Faults.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the disk has of a file. */
struct image {
    char *path;
    ino_t number;
    unsigned char *bytes;
    long size;
    struct image *next;
};

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct image *images;
static int remembers;

/* All that follows is called under the lock. */

/* The link to the image of a file, or to the end of the list. */
static struct image **find(const char *path) {
    struct image **link = &images;
    while (*link && strcmp((*link)->path, path) != 0) link = &(*link)->next;
    return link;
}

static void forget(struct image **link) {
    struct image *image = *link;
    *link = image->next;
    free(image->path);
    free(image->bytes);
    free(image);
}

/* A file as it stands, to be freed; NULL where there is none. */
static unsigned char *contents(const char *path, long *size) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    unsigned char *bytes = larder_fault_need(malloc((size_t)*size + 1));
    rewind(file);
    *size = (long)fread(bytes, 1, (size_t)*size, file);
    fclose(file);
    return bytes;
}

/* What the file system calls a file, 0 where there is none. */
static ino_t number_of(const char *path) {
    struct stat information;
    return stat(path, &information) == 0 ? information.st_ino : 0;
}

static void keep(const char *path) {
    struct image **link = find(path);
    if (!*link) {
        *link = larder_fault_need(calloc(1, sizeof **link));
        (*link)->path = larder_fault_need(strdup(path));
    }
    struct image *image = *link;
    free(image->bytes);
    image->number = number_of(path);
    image->size = 0;
    image->bytes = contents(path, &image->size);
}

static unsigned next_random(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* Writes what is left of a file. One that is not there any more was moved, removed or replaced by
   others than SQLite, and is none of ours. */
static int lose(struct image *image, unsigned seed, unsigned *state) {
    if (image->number != number_of(image->path)) return 0;
    long written = 0;
    unsigned char *current = contents(image->path, &written);
    if (!current) return 0;
    long size = image->size;
    if (seed && written > size && next_random(state) % 2) size = written;
    unsigned char *disk = larder_fault_need(calloc(1, (size_t)size + 1));
    if (image->bytes) memcpy(disk, image->bytes, (size_t)image->size);
    for (long start = 0; seed && start < size && start < written; start += 512) {
        if (next_random(state) % 2) continue;
        long end = start + 512;
        if (end > size) end = size;
        if (end > written) end = written;
        memcpy(disk + start, current + start, (size_t)(end - start));
    }
    FILE *file = fopen(image->path, "wb");
    int result = file && fwrite(disk, 1, (size_t)size, file) == (size_t)size ? 0 : -1;
    if (file && fclose(file) != 0) result = -1;
    free(disk);
    free(current);
    return result;
}

/* --- For the other files, and for tests ---------------------------------------------------- */

void larder_fault_opened(const char *path) {
    pthread_mutex_lock(&guard);
    struct image *known = *find(path);
    if (remembers && !(known && known->number == number_of(path))) keep(path);
    pthread_mutex_unlock(&guard);
}

void larder_fault_synced(const char *path) {
    pthread_mutex_lock(&guard);
    if (remembers) keep(path);
    pthread_mutex_unlock(&guard);
}

void larder_fault_deleted(const char *path) {
    pthread_mutex_lock(&guard);
    /* What is deleted is gone: a log is only deleted once the database has been synced. */
    struct image **link = find(path);
    if (*link) forget(link);
    pthread_mutex_unlock(&guard);
}

void larder_fault_remember(int value) {
    pthread_mutex_lock(&guard);
    remembers = value;
    while (images) forget(&images);
    pthread_mutex_unlock(&guard);
}

int larder_fault_lose_power(unsigned seed) {
    int result = 0;
    unsigned state = seed * 2654435761u + 1;
    pthread_mutex_lock(&guard);
    for (struct image *image = images; image; image = image->next)
        if (lose(image, seed, &state) != 0) result = -1;
    pthread_mutex_unlock(&guard);
    return result;
}
