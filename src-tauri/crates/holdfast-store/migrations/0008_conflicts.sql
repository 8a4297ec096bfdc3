-- What a person compares before deciding about a conflict: the record as it was shown here, and as the SoR has it.

-- Once for each fingerprint, whatever was based on it.
CREATE TABLE snapshot (
  digest   TEXT PRIMARY KEY CHECK (length(digest) = 64),
  document TEXT NOT NULL CHECK (json_valid(document))
) STRICT, WITHOUT ROWID;

-- The record at the SoR, as it was fetched for an operation that waits for a decision; the latest.
CREATE TABLE theirs (
  operation_id TEXT PRIMARY KEY CHECK (length(operation_id) = 36),
  etag         TEXT NOT NULL,
  record_id    TEXT NOT NULL,
  permit_num   TEXT,
  document     TEXT NOT NULL CHECK (json_valid(document)),
  updated_at   TEXT NOT NULL,
  fetched_at   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX operation_conflict ON operation (local_seq) WHERE quarantine_reason = 'conflict';
