-- The copy of the city's parcels, and what was seen of them when an application was accepted.

CREATE TABLE parcel (
  generation INTEGER NOT NULL CHECK (generation > 0),
  pin        TEXT NOT NULL,
  parcel     TEXT NOT NULL,
  PRIMARY KEY (generation, pin)
) STRICT, WITHOUT ROWID;

-- One row: the copy that is looked into, and the run that is under way.
CREATE TABLE parcel_copy (
  one            INTEGER PRIMARY KEY CHECK (one = 1),
  generation     INTEGER,
  asked_wall     TEXT,
  asked_boot     INTEGER,
  as_of          TEXT,
  whole_wall     TEXT,
  whole_boot     INTEGER,
  run_kind       TEXT CHECK (run_kind IN ('whole', 'changes')),
  run_since      TEXT,
  run_generation INTEGER,
  run_wall       TEXT,
  run_boot       INTEGER,
  run_as_of      TEXT,
  run_after      TEXT,
  run_rows       INTEGER,
  CHECK ((generation IS NULL) = (asked_wall IS NULL)),
  CHECK ((run_kind IS 'changes') = (run_since IS NOT NULL)),
  CHECK ((run_kind IS NULL) = (run_generation IS NULL))
) STRICT;

-- As it was seen then; the copy goes on.
CREATE TABLE parcel_seen (
  operation_id   TEXT NOT NULL,
  n              INTEGER NOT NULL CHECK (n > 0),
  application_id TEXT NOT NULL,
  local_seq      INTEGER NOT NULL,
  pin            TEXT NOT NULL,
  seen           TEXT NOT NULL CHECK (seen IN ('known', 'unknown', 'too_old', 'never_copied')),
  as_of          TEXT,
  parcel         TEXT,
  seen_at        TEXT NOT NULL,
  PRIMARY KEY (operation_id, n),
  CHECK ((seen = 'known') = (parcel IS NOT NULL)),
  CHECK ((seen = 'never_copied') = (as_of IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX parcel_seen_application ON parcel_seen (application_id, local_seq);
