#ifndef FETCH_BASELINE_H
#define FETCH_BASELINE_H

/// What FetchBenchmark measures itself against: SQLite's own calls in C, the same columns copied.

/// Reads all issues of a store into structs; seconds without freeing them, negative on failure.
double fetch_baseline_all(const char *path, int *count);

/// Reads one issue by its id, so many times, ids from `first` on; seconds, negative on failure.
double fetch_baseline_find(const char *path, long long first, int ids, int times);

#endif
