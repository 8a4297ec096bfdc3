-- Alarms that are raised.
CREATE TABLE alarm (
  name    TEXT PRIMARY KEY,
  alarm   TEXT NOT NULL CHECK (json_valid(alarm)),
  kept_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
