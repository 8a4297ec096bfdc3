-- What was agreed on with the SoR, what it has to have and no longer has, and numbers that are never given out again.

-- Of each endpoint, at the last comparison: what was told, and the latest commit that it holds for.
CREATE TABLE agreed (
  endpoint    TEXT PRIMARY KEY,
  agreed      TEXT NOT NULL CHECK (json_valid(agreed)),
  through_at  TEXT,
  through_seq INTEGER CHECK (through_seq > 0),
  agreed_at   TEXT NOT NULL,
  CHECK ((through_at IS NULL) = (through_seq IS NULL))
) STRICT;

-- Returns of an endpoint from an older copy. cursor_*: the commit that was looked for last, from the latest back.
CREATE TABLE restore (
  restore_id INTEGER PRIMARY KEY CHECK (restore_id > 0),
  endpoint   TEXT NOT NULL,
  sign       TEXT NOT NULL CHECK (json_valid(sign)),
  told       TEXT NOT NULL CHECK (json_valid(told)),
  noticed_at TEXT NOT NULL,
  stage      TEXT NOT NULL CHECK (stage IN ('looking', 'asking', 'nothing-missing', 'sent-again', 'left')),
  cursor_at  TEXT,
  cursor_seq INTEGER CHECK (cursor_seq > 0),
  in_a_row   INTEGER NOT NULL CHECK (in_a_row >= 0),
  found      INTEGER NOT NULL CHECK (found >= 0),
  missing    INTEGER NOT NULL CHECK (missing >= 0),
  ended_at   TEXT,
  CHECK ((cursor_at IS NULL) = (cursor_seq IS NULL)),
  CHECK ((stage IN ('looking', 'asking')) = (ended_at IS NULL))
) STRICT;
-- One at a time.
CREATE UNIQUE INDEX restore_open ON restore (endpoint) WHERE stage IN ('looking', 'asking');

-- What was looked for and is not there; the number that may stand on paper is kept when another takes its place.
CREATE TABLE missing (
  restore_id   INTEGER NOT NULL REFERENCES restore (restore_id),
  local_seq    INTEGER NOT NULL CHECK (local_seq > 0),
  committed_at TEXT NOT NULL,
  permit_num   TEXT,
  fate         TEXT NOT NULL CHECK (fate IN ('asked', 'sent-again', 'left')),
  PRIMARY KEY (restore_id, local_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX missing_left ON missing (local_seq) WHERE fate = 'left';

-- Numbers that had been given out before this folder came back from an older copy. None of them is given out again.
CREATE TABLE skipped (
  first      INTEGER PRIMARY KEY CHECK (first > 0),
  last       INTEGER NOT NULL CHECK (last >= first),
  noticed_at TEXT NOT NULL,
  noticed_by TEXT NOT NULL CHECK (noticed_by IN ('sequence', 'head'))
) STRICT;

-- A move that comes back from the archive needs to know again where its application stood before it.
ALTER TABLE operation_archive ADD COLUMN stage_before TEXT
  CHECK (stage_before IN ('Intake', 'PrelimReview', 'FeeEstimated', 'ConditionalApproval', 'Committed', 'Returned',
                          'Withdrawn', 'Voided'));
