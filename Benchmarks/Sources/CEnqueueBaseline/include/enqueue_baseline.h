#ifndef LARDER_ENQUEUE_BASELINE_H
#define LARDER_ENQUEUE_BASELINE_H

/* The least that a client takes which stores what it fetches, and holds up nobody: one thread for libcurl, one
 * for SQLite, and requests that come from wherever. Each body is stored as it is, in a row by the number behind
 * `url`, up to sixteen in a transaction; whoever has stored one asks for the next.
 *
 * Fetches `url` and a number from 0 below `count` behind it, in turn, `total` times, `parallel` at once, into a
 * database at `path`. Returns the seconds it took, or -1 if anything failed. */
double larder_baseline_enqueue(
    const char *url, const char *path, int count, int total, int parallel);

#endif
