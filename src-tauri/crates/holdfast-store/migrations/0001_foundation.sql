-- The tables as they are first laid down.
--
-- Times are text in the one stored form (YYYY-MM-DDThh:mm:ss.sssZ), identifiers and digests their text, intervals
-- integers in milliseconds. Words are checked here too, so that a wrong one is a loud error and never a row.

-- What never changes about this folder, and what stands beside it once.
CREATE TABLE meta (
  one         INTEGER PRIMARY KEY CHECK (one = 1),
  station_id  TEXT NOT NULL,
  db_id       TEXT NOT NULL,
  sor_url     TEXT NOT NULL,
  identity    TEXT NOT NULL,
  sor_key     TEXT NOT NULL CHECK (length(sor_key) = 64),
  profile     TEXT NOT NULL CHECK (profile IN ('idempotent', 'look-before-write')),
  created_at  TEXT NOT NULL,
  office_key  TEXT CHECK (length(office_key) = 64),
  headroom    TEXT NOT NULL CHECK (headroom IN ('ample', 'tight', 'floor', 'exhausted'))
) STRICT;

-- Intervals in which an endpoint was down.
CREATE TABLE outage (
  outage_id        TEXT PRIMARY KEY CHECK (length(outage_id) = 36),
  endpoint         TEXT NOT NULL,
  first_failure_at TEXT NOT NULL,
  tripped_at       TEXT NOT NULL,
  closed_at        TEXT
) STRICT;
CREATE INDEX outage_open ON outage (tripped_at) WHERE closed_at IS NULL;

-- Each endpoint with its breaker and what is remembered of it, as core serialises them.
CREATE TABLE endpoint (
  name               TEXT PRIMARY KEY,
  breaker            TEXT NOT NULL CHECK (json_valid(breaker)),
  memory             TEXT NOT NULL CHECK (json_valid(memory)),
  forbidden          TEXT NOT NULL CHECK (json_valid(forbidden)),
  recovering_through INTEGER CHECK (recovering_through >= 0),
  first_failure_at   TEXT,
  outage_id          TEXT REFERENCES outage (outage_id)
) STRICT;

-- Applications as they stand here.
CREATE TABLE application (
  application_id TEXT PRIMARY KEY CHECK (length(application_id) = 36),
  stage          TEXT NOT NULL CHECK (stage IN ('Intake', 'PrelimReview', 'FeeEstimated', 'ConditionalApproval',
                                                'Committed', 'Returned', 'Withdrawn', 'Voided')),
  payload        TEXT NOT NULL CHECK (json_valid(payload)),
  permit_num     TEXT,
  record_id      TEXT,
  etag           TEXT,
  waiting        INTEGER NOT NULL CHECK (waiting >= 0),
  search         TEXT,
  updated_at     TEXT NOT NULL,
  changed        INTEGER NOT NULL UNIQUE CHECK (changed > 0)
) STRICT;

-- What was accepted and is neither committed nor voided. Columns up to origin_route never change.
CREATE TABLE operation (
  local_seq            INTEGER PRIMARY KEY CHECK (local_seq > 0),
  operation_id         TEXT NOT NULL UNIQUE CHECK (length(operation_id) = 36),
  idempotency_key      TEXT NOT NULL UNIQUE CHECK (length(idempotency_key) = 64),
  application_id       TEXT NOT NULL REFERENCES application (application_id),
  kind                 TEXT NOT NULL CHECK (kind IN ('application', 'stage', 'inspection', 'correction', 'void', 'hold',
                                                     'notice', 'fee', 'note', 'tag', 'attachment')),
  body                 BLOB NOT NULL CHECK (length(body) > 0),
  payload_digest       TEXT NOT NULL CHECK (length(payload_digest) = 64),
  accepted_at          TEXT NOT NULL,
  receipt_no           TEXT NOT NULL UNIQUE,
  permit_num           TEXT,
  outage_id            TEXT REFERENCES outage (outage_id),
  replaces             TEXT CHECK (length(replaces) = 36),
  urgency              TEXT NOT NULL CHECK (urgency IN ('urgent', 'ordinary')),
  base_snapshot_digest TEXT CHECK (length(base_snapshot_digest) = 64),
  origin_route         TEXT NOT NULL CHECK (origin_route IN ('direct', 'probe', 'defer')),
  state                TEXT NOT NULL CHECK (state IN ('pending', 'in_flight', 'quarantined')),
  doubt                TEXT NOT NULL CHECK (doubt IN ('none', 'sent', 'received')),
  next_step            TEXT NOT NULL CHECK (next_step IN ('send', 'look_up')),
  place                INTEGER NOT NULL CHECK (place BETWEEN 1 AND local_seq),
  revision             INTEGER NOT NULL CHECK (revision >= 0),
  base_etag            TEXT,
  after_op             TEXT CHECK (length(after_op) = 36),
  attempts             INTEGER NOT NULL CHECK (attempts >= 0),
  failures_charged     INTEGER NOT NULL CHECK (failures_charged >= 0),
  failures_alone       INTEGER NOT NULL CHECK (failures_alone >= 0),
  failures             INTEGER NOT NULL CHECK (failures >= 0),
  last_failure         INTEGER CHECK (last_failure >= 0),
  parent_waits         INTEGER NOT NULL CHECK (parent_waits >= 0),
  wait_from_wall       INTEGER,
  wait_from_boot       INTEGER CHECK (wait_from_boot >= 0),
  wait_ms              INTEGER CHECK (wait_ms >= 0),
  wait_cause           TEXT CHECK (wait_cause IN ('endpoint', 'item', 'retry_after', 'received', 'parent')),
  last_sent_at         TEXT,
  last_outcome         TEXT,
  quarantine_reason    TEXT CHECK (quarantine_reason IN ('conflict', 'rejected', 'too-large', 'our-defect', 'forbidden',
                                   'fails-alone', 'parent-missing', 'parent-voided', 'twin', 'unreadable', 'unprovable')),
  answer               TEXT CHECK (json_valid(answer)),
  -- The first of its lane (1), or not. Kept, so that choosing the next one never looks at a whole backlog.
  head                 INTEGER NOT NULL CHECK (head IN (0, 1)),
  -- 0 when any operation of the lane is urgent, else 1: urgent lanes come first.
  lane_rank            INTEGER NOT NULL CHECK (lane_rank IN (0, 1)),
  CHECK ((state = 'quarantined') = (quarantine_reason IS NOT NULL)),
  CHECK ((wait_ms IS NULL) = (wait_cause IS NULL)),
  CHECK ((wait_ms IS NULL) = (wait_from_wall IS NULL)),
  CHECK ((wait_ms IS NULL) = (wait_from_boot IS NULL)),
  CHECK (wait_ms IS NULL OR state = 'pending'),
  -- Nothing overtakes inside a lane, so only its first can be on its way.
  CHECK (state <> 'in_flight' OR head = 1)
) STRICT;
CREATE UNIQUE INDEX operation_lane ON operation (application_id, place, revision);
CREATE INDEX operation_order ON operation (lane_rank, place, revision);
CREATE UNIQUE INDEX operation_one_head ON operation (application_id) WHERE head = 1;
CREATE INDEX operation_ready ON operation (lane_rank, place, revision)
  WHERE head = 1 AND state = 'pending' AND wait_ms IS NULL;
-- A wait is over by the wall clock, by the boot clock, or because its beginning lies ahead of both.
CREATE INDEX operation_wait_wall ON operation (wait_from_wall + wait_ms)
  WHERE head = 1 AND state = 'pending' AND wait_ms IS NOT NULL;
CREATE INDEX operation_wait_boot ON operation (wait_from_boot + wait_ms)
  WHERE head = 1 AND state = 'pending' AND wait_ms IS NOT NULL;
CREATE INDEX operation_wait_from ON operation (wait_from_wall)
  WHERE head = 1 AND state = 'pending' AND wait_ms IS NOT NULL;
CREATE INDEX operation_wait_cause ON operation (wait_cause) WHERE wait_cause IS NOT NULL;
CREATE INDEX operation_in_flight ON operation (local_seq) WHERE state = 'in_flight';

-- What is committed or voided, with the same facts.
CREATE TABLE operation_archive (
  local_seq            INTEGER PRIMARY KEY CHECK (local_seq > 0),
  operation_id         TEXT NOT NULL UNIQUE CHECK (length(operation_id) = 36),
  idempotency_key      TEXT NOT NULL UNIQUE CHECK (length(idempotency_key) = 64),
  application_id       TEXT NOT NULL REFERENCES application (application_id),
  kind                 TEXT NOT NULL CHECK (kind IN ('application', 'stage', 'inspection', 'correction', 'void', 'hold',
                                                     'notice', 'fee', 'note', 'tag', 'attachment')),
  body                 BLOB NOT NULL CHECK (length(body) > 0),
  payload_digest       TEXT NOT NULL CHECK (length(payload_digest) = 64),
  accepted_at          TEXT NOT NULL,
  receipt_no           TEXT NOT NULL UNIQUE,
  permit_num           TEXT,
  outage_id            TEXT REFERENCES outage (outage_id),
  replaces             TEXT CHECK (length(replaces) = 36),
  urgency              TEXT NOT NULL CHECK (urgency IN ('urgent', 'ordinary')),
  base_snapshot_digest TEXT CHECK (length(base_snapshot_digest) = 64),
  origin_route         TEXT NOT NULL CHECK (origin_route IN ('direct', 'probe', 'defer')),
  state                TEXT NOT NULL CHECK (state IN ('committed', 'voided')),
  doubt                TEXT NOT NULL CHECK (doubt IN ('none', 'sent', 'received')),
  place                INTEGER NOT NULL CHECK (place BETWEEN 1 AND local_seq),
  revision             INTEGER NOT NULL CHECK (revision >= 0),
  base_etag            TEXT,
  after_op             TEXT CHECK (length(after_op) = 36),
  attempts             INTEGER NOT NULL CHECK (attempts >= 0),
  failures_charged     INTEGER NOT NULL CHECK (failures_charged >= 0),
  failures_alone       INTEGER NOT NULL CHECK (failures_alone >= 0),
  failures             INTEGER NOT NULL CHECK (failures >= 0),
  last_sent_at         TEXT,
  last_outcome         TEXT,
  committed_at         TEXT,
  record_id            TEXT,
  etag                 TEXT,
  warnings             TEXT CHECK (json_valid(warnings)),
  CHECK ((state = 'committed') = (committed_at IS NOT NULL)),
  CHECK ((state = 'committed') = (record_id IS NOT NULL)),
  CHECK ((state = 'committed') = (etag IS NOT NULL))
) STRICT;
CREATE INDEX operation_archive_lane ON operation_archive (application_id, place, revision);

-- The books: of the station, and of each outage (scope = its id). The engine itself refuses a row that does not balance.
CREATE TABLE books (
  scope       TEXT PRIMARY KEY,
  accepted    INTEGER NOT NULL CHECK (accepted >= 0),
  pending     INTEGER NOT NULL CHECK (pending >= 0),
  in_flight   INTEGER NOT NULL CHECK (in_flight >= 0),
  committed   INTEGER NOT NULL CHECK (committed >= 0),
  quarantined INTEGER NOT NULL CHECK (quarantined >= 0),
  voided      INTEGER NOT NULL CHECK (voided >= 0),
  CHECK (accepted = pending + in_flight + committed + quarantined + voided)
) STRICT;

-- Counters that only rise.
CREATE TABLE counts (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  last_seq INTEGER NOT NULL CHECK (last_seq >= 0),
  mark     INTEGER NOT NULL CHECK (mark >= 0),
  direct   INTEGER NOT NULL CHECK (direct >= 0),
  probe    INTEGER NOT NULL CHECK (probe >= 0),
  deferred INTEGER NOT NULL CHECK (deferred >= 0),
  refused  INTEGER NOT NULL CHECK (refused >= 0),
  failed   INTEGER NOT NULL CHECK (failed >= 0),
  CHECK (last_seq = direct + probe + deferred)
) STRICT;

-- The contract in use.
CREATE TABLE contract (
  one         INTEGER PRIMARY KEY CHECK (one = 1),
  version     INTEGER NOT NULL CHECK (version >= 0),
  bundle      TEXT NOT NULL CHECK (json_valid(bundle)),
  attestation TEXT NOT NULL CHECK (json_valid(attestation)),
  attested    TEXT NOT NULL CHECK (json_valid(attested)),
  office_key  TEXT NOT NULL CHECK (length(office_key) = 64)
) STRICT;

-- Who is signed in.
CREATE TABLE session (
  one       INTEGER PRIMARY KEY CHECK (one = 1),
  signed    TEXT NOT NULL CHECK (json_valid(signed)),
  opened_at TEXT NOT NULL
) STRICT;

-- Seeds of key pairs.
CREATE TABLE secret (
  name   TEXT PRIMARY KEY CHECK (name IN ('station_key', 'session_key')),
  secret BLOB NOT NULL CHECK (length(secret) BETWEEN 1 AND 4096)
) STRICT;

-- The audit chain: RFC 8785 text and hash of each event.
CREATE TABLE audit_event (
  seq  INTEGER PRIMARY KEY CHECK (seq > 0),
  text TEXT NOT NULL CHECK (length(text) > 0),
  hash TEXT NOT NULL CHECK (length(hash) = 64)
) STRICT;

-- Personal values that events refer to by a salted digest. May be purged without breaking the chain.
CREATE TABLE audit_private (
  seq  INTEGER NOT NULL REFERENCES audit_event (seq),
  name TEXT NOT NULL,
  salt BLOB NOT NULL CHECK (length(salt) = 32),
  text TEXT NOT NULL,
  PRIMARY KEY (seq, name)
) STRICT, WITHOUT ROWID;
