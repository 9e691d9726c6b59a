#include "fetch_baseline.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    long long id, number, comments, user;
    char *title, *body, *state;
    double score, created;
    int locked;
} issue;

#define COLUMNS "SELECT id, number, title, body, state, comments, score, locked, createdAt, user FROM Issue"

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static char *copy(sqlite3_stmt *statement, int column) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    if (!text) return NULL;
    int length = sqlite3_column_bytes(statement, column);
    char *result = malloc(length + 1);
    memcpy(result, text, length);
    result[length] = 0;
    return result;
}

static void read_issue(sqlite3_stmt *statement, issue *issue) {
    issue->id = sqlite3_column_int64(statement, 0);
    issue->number = sqlite3_column_int64(statement, 1);
    issue->title = copy(statement, 2);
    issue->body = copy(statement, 3);
    issue->state = copy(statement, 4);
    issue->comments = sqlite3_column_int64(statement, 5);
    issue->score = sqlite3_column_double(statement, 6);
    issue->locked = sqlite3_column_int(statement, 7);
    issue->created = sqlite3_column_double(statement, 8);
    issue->user = sqlite3_column_int64(statement, 9);
}

static void free_issue(issue *issue) {
    free(issue->title);
    free(issue->body);
    free(issue->state);
}

static sqlite3_stmt *prepare(const char *path, const char *sql, sqlite3 **database) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_open_v2(path, database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL)) return NULL;
    if (sqlite3_prepare_v3(*database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL)) return NULL;
    return statement;
}

double fetch_baseline_all(const char *path, int *count) {
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = prepare(path, COLUMNS " ORDER BY id", &database);
    if (!statement) return -1;
    double started = now();
    int capacity = 16, length = 0, result;
    issue *issues = malloc(capacity * sizeof *issues);
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        if (length == capacity) issues = realloc(issues, (capacity *= 2) * sizeof *issues);
        read_issue(statement, issues + length++);
    }
    double took = now() - started;
    for (int index = 0; index < length; index++) free_issue(issues + index);
    free(issues);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    *count = length;
    return result == SQLITE_DONE ? took : -1;
}

double fetch_baseline_find(const char *path, long long first, int ids, int times) {
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = prepare(path, COLUMNS " WHERE id = ?", &database);
    if (!statement) return -1;
    double started = now();
    int found = 0;
    for (int index = 0; index < times; index++) {
        sqlite3_bind_int64(statement, 1, first + index % ids);
        if (sqlite3_step(statement) == SQLITE_ROW) {
            issue issue;
            read_issue(statement, &issue);
            free_issue(&issue);
            found++;
        }
        sqlite3_reset(statement);
    }
    double took = now() - started;
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return found == times ? took : -1;
}
