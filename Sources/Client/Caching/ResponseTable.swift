import LarderObjectStore

/// The tables of responses that are kept in a store's file.
enum ResponseTable {
    static let name = SideTables.prefix + "responses"
    static let settings = SideTables.prefix + "responses.settings"
    /// The ways in which responses have been stored as objects.
    static let imports = SideTables.prefix + "responses.imports"

    /// What is asked for often stands before what is large.
    static let creation = [
        """
        CREATE TABLE IF NOT EXISTS "\(settings)" (name TEXT PRIMARY KEY, value BLOB) STRICT
        """,
        """
        CREATE TABLE IF NOT EXISTS "\(name)" (
          id INTEGER PRIMARY KEY, resource BLOB NOT NULL, account BLOB NOT NULL,
          variant TEXT NOT NULL, origin TEXT NOT NULL, size INTEGER NOT NULL, used REAL NOT NULL, useless REAL,
          requested REAL NOT NULL, received REAL NOT NULL, sum INTEGER NOT NULL, file TEXT,
          count INTEGER NOT NULL, head BLOB NOT NULL, body BLOB) STRICT
        """,
        """
        CREATE TABLE IF NOT EXISTS "\(imports)" (
          response INTEGER, import INTEGER, PRIMARY KEY (response, import)) STRICT, WITHOUT ROWID
        """,
        """
        CREATE INDEX IF NOT EXISTS "\(name).resource" ON "\(name)" (resource)
        """,
        """
        CREATE INDEX IF NOT EXISTS "\(name).used" ON "\(name)" (used, size)
        """,
    ]
}
