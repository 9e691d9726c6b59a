#ifndef LARDER_REQUEST_BASELINE_H
#define LARDER_REQUEST_BASELINE_H

/* Fetches `url` `total` times over libcurl, `parallel` at once, keeping each body in memory until the
 * next one. Returns the seconds it took, or -1 if a transfer failed or brought no body. */
double larder_baseline_fetch(const char *url, int total, int parallel);

/* Does so with `url` and a number from 0 below `count` behind it, in turn; with `url` where that is 0. */
double larder_baseline_fetch_many(const char *url, int count, int total, int parallel);

#endif
