-- Operations that took the place of others, and operations that were taken back.

-- What was handed in as a correction or a void of an operation that waited. A correction has a row of its target's kind, a
-- void none: so what each was as it came, and what it was about, is kept here. The same again meets it.
CREATE TABLE replacement (
  operation_id    TEXT PRIMARY KEY CHECK (length(operation_id) = 36),
  kind            TEXT NOT NULL CHECK (kind IN ('correction', 'void')),
  idempotency_key TEXT NOT NULL UNIQUE CHECK (length(idempotency_key) = 64),
  payload_digest  TEXT NOT NULL CHECK (length(payload_digest) = 64),
  -- One operation is taken out of its place once.
  target_id       TEXT NOT NULL UNIQUE CHECK (length(target_id) = 36),
  accepted_at     TEXT NOT NULL,
  origin_route    TEXT NOT NULL CHECK (origin_route IN ('direct', 'probe', 'defer'))
) STRICT;

-- Which operation took the place of another.
CREATE INDEX operation_replaces ON operation (replaces) WHERE replaces IS NOT NULL;
CREATE INDEX operation_archive_replaces ON operation_archive (replaces) WHERE replaces IS NOT NULL;

-- Version of the record that the person saw: the base of a comparison of three, whatever the operation is bound to.
ALTER TABLE operation ADD COLUMN seen_etag TEXT;
ALTER TABLE operation_archive ADD COLUMN seen_etag TEXT;

-- For a correction of a recorded application: what the application said before it, so that it can be taken back.
ALTER TABLE operation ADD COLUMN payload_before TEXT CHECK (json_valid(payload_before));
