#include "baseline.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct body {
    char *bytes;
    size_t count, capacity;
};

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    struct body *body = context;
    size_t length = size * count;
    if (body->count + length > body->capacity) {
        body->capacity = (body->count + length) * 2;
        body->bytes = realloc(body->bytes, body->capacity);
    }
    memcpy(body->bytes + body->count, bytes, length);
    body->count += length;
    return length;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static size_t discard(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    *(long long *)context += (long long)(size * count);
    return size * count;
}

static CURL *make(const char *url, const char *authority, struct body *body) {
    CURL *easy = curl_easy_init();
    if (authority) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, authority);
        curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
        curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    }
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, body);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, body);
    return easy;
}

/* Lets a handle fetch the resource of a number. */
static void turn(CURL *easy, const char *url, int count, int number) {
    if (count == 0) return;
    char numbered[256];
    snprintf(numbered, sizeof numbered, "%s%d", url, number % count);
    curl_easy_setopt(easy, CURLOPT_URL, numbered);
}

static double fetch_one_by_one(const char *url, const char *authority, int count, int total) {
    struct body body = {0};
    CURL *easy = make(url, authority, &body);
    double start = now();
    for (int i = 0; i < total; i++) {
        body.count = 0;
        turn(easy, url, count, i);
        if (curl_easy_perform(easy) != CURLE_OK || body.count == 0) return -1;
    }
    double seconds = now() - start;
    curl_easy_cleanup(easy);
    free(body.bytes);
    return seconds;
}

static double fetch(
    const char *url, const char *authority, int count, int total, int parallel) {
    if (parallel == 1) return fetch_one_by_one(url, authority, count, total);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)parallel);
    struct body *bodies = calloc((size_t)parallel, sizeof(struct body));
    double start = now();
    int started = 0, finished = 0, running = 0, left = 0, failed = 0;
    for (; started < parallel && started < total; started++) {
        CURL *easy = make(url, authority, &bodies[started]);
        turn(easy, url, count, started);
        curl_multi_add_handle(multi, easy);
    }
    while (finished < total && !failed) {
        curl_multi_perform(multi, &running);
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *easy = message->easy_handle;
            struct body *body;
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, (void *)&body);
            if (message->data.result != CURLE_OK || body->count == 0) failed = 1;
            body->count = 0;
            curl_multi_remove_handle(multi, easy);
            finished++;
            if (started < total) {
                turn(easy, url, count, started++);
                curl_multi_add_handle(multi, easy);
            } else {
                curl_easy_cleanup(easy);
            }
        }
        if (finished < total) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    double seconds = now() - start;
    curl_multi_cleanup(multi);
    for (int i = 0; i < parallel; i++) free(bodies[i].bytes);
    free(bodies);
    return failed ? -1 : seconds;
}

double larder_baseline_fetch(const char *url, int total, int parallel) {
    return larder_baseline_fetch_many(url, 0, total, parallel);
}

double larder_baseline_fetch_many(const char *url, int count, int total, int parallel) {
    return fetch(url, NULL, count, total, parallel);
}

double larder_baseline_fetch_secure(
    const char *url, const char *authority, int total, int parallel) {
    return fetch(url, authority, 0, total, parallel);
}

double larder_baseline_discard(const char *url, long long *count) {
    *count = 0;
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    /* As much as curl's own tool. */
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 102400L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, count);
    double start = now();
    CURLcode code = curl_easy_perform(easy);
    double seconds = now() - start;
    curl_easy_cleanup(easy);
    return code == CURLE_OK ? seconds : -1;
}
