-- What a person has found at the SoR by looking there, and which one of several a person has said stays.

CREATE TABLE found_by (
  operation_id TEXT PRIMARY KEY CHECK (length(operation_id) = 36),
  record_id    TEXT NOT NULL CHECK (length(record_id) > 0),
  actor        TEXT NOT NULL CHECK (length(actor) > 0),
  found_at     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE twin ADD COLUMN stays TEXT;
