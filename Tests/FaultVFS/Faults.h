#ifndef LARDER_FAULTS_H
#define LARDER_FAULTS_H

#include "FaultVFS.h"

#include <stddef.h>

/* What the shims have in common. All of it may be called from several threads. */

/* Whether this call of a kind is one that fails. */
int larder_fault_fails(int kind);

/* A block that is there: a test without memory for itself ends. */
void *larder_fault_need(void *block);

/* A file of the database has been opened: as it stands is what the disk has of it. */
void larder_fault_opened(const char *path);

/* A file has been synced. */
void larder_fault_synced(const char *path);

/* A file has been deleted. */
void larder_fault_deleted(const char *path);

/* Puts the allocator in place. Returns a result code. */
int larder_fault_install_memory(void);

#endif
