#ifndef LARDER_REQUEST_BASELINE_H
#define LARDER_REQUEST_BASELINE_H

/* Fetches `url` `total` times over libcurl, `parallel` at once, keeping each body in memory until the
 * next one. Returns the seconds it took, or -1 if a transfer failed or brought no body. */
double larder_baseline_fetch(const char *url, int total, int parallel);

/* Does so with `url` and a number from 0 below `count` behind it, in turn; with `url` where that is 0. */
double larder_baseline_fetch_many(const char *url, int count, int total, int parallel);

/* Does so over TLS, and over HTTP/2 where the server speaks it, many at once over one connection; trusts the
 * certificates of a file. */
double larder_baseline_fetch_secure(
    const char *url, const char *authority, int total, int parallel);

/* Fetches `url` once and throws the body away as it comes. Returns the seconds it took, or -1 if that failed,
 * and the number of bytes. */
double larder_baseline_discard(const char *url, long long *count);

#endif
