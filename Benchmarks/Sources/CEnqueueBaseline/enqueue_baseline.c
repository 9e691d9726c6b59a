#include "enqueue_baseline.h"

#include <curl/curl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_of_transaction = 16 };

struct response {
    int number;
    char *bytes;
    size_t count, capacity;
    struct response *next;
};

/* What one thread leaves for another. */
struct list {
    struct response *first, **last;
};

struct run {
    const char *url;
    int count, total, parallel, started;
    CURLM *multi;
    sqlite3 *database;
    sqlite3_stmt *begin, *commit, *insert;
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    struct list requests, responses;
    atomic_int finished, failed;
};

static void append(struct list *list, struct response *item) {
    item->next = NULL;
    *list->last = item;
    list->last = &item->next;
}

static struct response *take_all(struct list *list) {
    struct response *first = list->first;
    list->first = NULL;
    list->last = &list->first;
    return first;
}

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    struct response *response = context;
    size_t length = size * count;
    if (response->count + length > response->capacity) {
        response->capacity = (response->count + length) * 2;
        response->bytes = realloc(response->bytes, response->capacity);
    }
    memcpy(response->bytes + response->count, bytes, length);
    response->count += length;
    return length;
}

static int is_over(struct run *run) {
    return run->failed || run->finished >= run->total;
}

/* Asks for the next one, on any thread. */
static void enqueue(struct run *run, struct response *response) {
    pthread_mutex_lock(&run->lock);
    int is_there = run->started < run->total;
    if (is_there) {
        response->number = run->started++ % run->count;
        append(&run->requests, response);
    }
    pthread_mutex_unlock(&run->lock);
    if (is_there) curl_multi_wakeup(run->multi);
}

static void *fetch(void *context) {
    struct run *run = context;
    CURL **idle = calloc((size_t)run->parallel, sizeof(CURL *));
    int idle_count = 0, running = 0, left = 0;
    while (!is_over(run)) {
        pthread_mutex_lock(&run->lock);
        struct response *next = take_all(&run->requests);
        pthread_mutex_unlock(&run->lock);
        while (next) {
            struct response *response = next;
            next = next->next;
            CURL *easy = idle_count ? idle[--idle_count] : curl_easy_init();
            char url[256];
            snprintf(url, sizeof url, "%s%d", run->url, response->number);
            response->count = 0;
            curl_easy_setopt(easy, CURLOPT_URL, url);
            curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
            curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
            curl_easy_setopt(easy, CURLOPT_WRITEDATA, response);
            curl_easy_setopt(easy, CURLOPT_PRIVATE, response);
            curl_multi_add_handle(run->multi, easy);
        }
        curl_multi_perform(run->multi, &running);
        CURLMsg *message;
        while ((message = curl_multi_info_read(run->multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *easy = message->easy_handle;
            struct response *response;
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, (void *)&response);
            if (message->data.result != CURLE_OK || response->count == 0) run->failed = 1;
            curl_multi_remove_handle(run->multi, easy);
            idle[idle_count++] = easy;
            pthread_mutex_lock(&run->lock);
            append(&run->responses, response);
            pthread_cond_signal(&run->arrived);
            pthread_mutex_unlock(&run->lock);
        }
        pthread_mutex_lock(&run->lock);
        int is_waiting = run->requests.first == NULL;
        pthread_mutex_unlock(&run->lock);
        if (is_waiting && !is_over(run)) curl_multi_poll(run->multi, NULL, 0, 1000, NULL);
    }
    while (idle_count) curl_easy_cleanup(idle[--idle_count]);
    free(idle);
    return NULL;
}

static int step(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE;
}

static void *store(void *context) {
    struct run *run = context;
    struct response *rest = NULL;
    while (!is_over(run)) {
        if (!rest) {
            pthread_mutex_lock(&run->lock);
            while (!run->responses.first && !run->failed) {
                pthread_cond_wait(&run->arrived, &run->lock);
            }
            rest = take_all(&run->responses);
            pthread_mutex_unlock(&run->lock);
        }
        struct response *stored = rest, *item = rest;
        int count = 0, is_done = step(run->begin);
        for (; item && count < most_of_transaction; item = item->next, count++) {
            sqlite3_bind_int(run->insert, 1, item->number);
            sqlite3_bind_text(run->insert, 2, item->bytes, (int)item->count, SQLITE_STATIC);
            is_done = is_done && step(run->insert);
        }
        if (!step(run->commit) || !is_done) run->failed = 1;
        rest = item;
        run->finished += count;
        while (stored != rest) {
            struct response *next = stored->next;
            enqueue(run, stored);
            stored = next;
        }
    }
    curl_multi_wakeup(run->multi);
    return NULL;
}

static int open_database(struct run *run, const char *path) {
    if (sqlite3_open(path, &run->database) != SQLITE_OK) return 0;
    sqlite3_exec(
        run->database,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
        "CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, body TEXT NOT NULL)",
        NULL, NULL, NULL);
    const char *insert =
        "INSERT INTO item VALUES (?, ?)"
        " ON CONFLICT (id) DO UPDATE SET body = excluded.body WHERE body IS NOT excluded.body";
    return sqlite3_prepare_v2(run->database, "BEGIN IMMEDIATE", -1, &run->begin, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(run->database, "COMMIT", -1, &run->commit, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(run->database, insert, -1, &run->insert, NULL) == SQLITE_OK;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double larder_baseline_enqueue(
    const char *url, const char *path, int count, int total, int parallel) {
    struct run run = {.url = url, .count = count, .total = total, .parallel = parallel};
    run.requests.last = &run.requests.first;
    run.responses.last = &run.responses.first;
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.arrived, NULL);
    struct response *responses = calloc((size_t)parallel, sizeof(struct response));
    run.multi = curl_multi_init();
    curl_multi_setopt(run.multi, CURLMOPT_MAXCONNECTS, (long)parallel);
    double seconds = -1;
    if (open_database(&run, path)) {
        double start = now();
        for (int i = 0; i < parallel; i++) enqueue(&run, &responses[i]);
        pthread_t fetcher, storer;
        pthread_create(&fetcher, NULL, fetch, &run);
        pthread_create(&storer, NULL, store, &run);
        pthread_join(storer, NULL);
        pthread_join(fetcher, NULL);
        if (!run.failed) seconds = now() - start;
    }
    curl_multi_cleanup(run.multi);
    sqlite3_finalize(run.begin);
    sqlite3_finalize(run.commit);
    sqlite3_finalize(run.insert);
    sqlite3_close(run.database);
    for (int i = 0; i < parallel; i++) free(responses[i].bytes);
    free(responses);
    return seconds;
}
