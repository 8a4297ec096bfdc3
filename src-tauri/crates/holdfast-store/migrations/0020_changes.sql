-- How far the SoR's feed of changes was followed, and what came with it that could not be taken yet.

CREATE TABLE change_feed (
  one    INTEGER PRIMARY KEY CHECK (one = 1),
  cursor TEXT    NOT NULL CHECK (length(cursor) BETWEEN 1 AND 256),
  -- When copies were fetched whole, and up to when the feed has confirmed them since.
  began_at     TEXT NOT NULL,
  confirmed_at TEXT NOT NULL
) STRICT;

-- Records that changed there while work on them waited here: fetched once more when none waits.
CREATE TABLE change_owed (
  application_id TEXT PRIMARY KEY REFERENCES application (application_id),
  etag           TEXT NOT NULL,
  changed_at     TEXT NOT NULL
) STRICT, WITHOUT ROWID;
