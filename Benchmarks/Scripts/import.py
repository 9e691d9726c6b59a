"""Imports a file of issues with Python's own json and sqlite3, twice: import.py ISSUES.json STORE."""
import json
import os
import sqlite3
import sys
import time

path, store = sys.argv[1:3]
for suffix in ("", "-wal", "-shm"):
    if os.path.exists(store + suffix):
        os.remove(store + suffix)
db = sqlite3.connect(store)
db.executescript("""
pragma journal_mode=wal; pragma synchronous=normal;
create table issue(id integer primary key, number, title, body, state, comments, score, locked, created_at, user);
create table user(id integer primary key, login, avatar_url, type, site_admin);
create table label(id integer primary key, name, color, "default");
create table issue_label(a integer, b integer, primary key(a, b)) without rowid;
""")


def upsert(table, columns):
    names = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join("?" for _ in columns)
    changes = ", ".join(f'"{column}"=excluded."{column}"' for column in columns[1:])
    return f"insert into {table} ({names}) values ({values}) on conflict(id) do update set {changes}"


issue_keys = ["id", "number", "title", "body", "state", "comments", "score", "locked", "created_at"]
user_keys = ["id", "login", "avatar_url", "type", "site_admin"]
label_keys = ["id", "name", "color", "default"]
for name in ("first", "again"):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    started = time.perf_counter()
    issues = json.loads(text)
    with db:
        db.executemany(upsert("issue", issue_keys + ["user"]),
                       ([issue[key] for key in issue_keys] + [issue["user"]["id"]] for issue in issues))
        db.executemany(upsert("user", user_keys), ([issue["user"][key] for key in user_keys] for issue in issues))
        db.executemany(upsert("label", label_keys),
                       ([label[key] for key in label_keys] for issue in issues for label in issue["labels"]))
        db.executemany("insert or ignore into issue_label values (?, ?)",
                       ((issue["id"], label["id"]) for issue in issues for label in issue["labels"]))
    print(f"{name}: total {time.perf_counter() - started:.3f} s")
