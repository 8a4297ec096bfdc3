-- An SoR without keys: when an absence may be believed, what is looked at once more, and what was found twice.

-- When the last send began, by both clocks: written before the first byte goes out.
ALTER TABLE operation ADD COLUMN sent_wall INTEGER;
ALTER TABLE operation ADD COLUMN sent_boot INTEGER CHECK (sent_boot >= 0);
-- What a wait is for, where wait_cause has no word for it.
ALTER TABLE operation ADD COLUMN wait_for TEXT CHECK (wait_for IN ('settle'));
-- Recorded already, and before a person all the same: it has left its lane, and nothing of the lane waits for it.
ALTER TABLE operation ADD COLUMN out_of_lane INTEGER NOT NULL DEFAULT 0 CHECK (out_of_lane IN (0, 1));

-- What is looked at once more after it was recorded; a row goes when its look has ended.
CREATE TABLE second_look (
  operation_id TEXT PRIMARY KEY CHECK (length(operation_id) = 36),
  from_wall    INTEGER NOT NULL,
  from_boot    INTEGER NOT NULL CHECK (from_boot >= 0),
  wait_ms      INTEGER NOT NULL CHECK (wait_ms >= 0),
  looks        INTEGER NOT NULL CHECK (looks >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX second_look_due ON second_look (from_boot + wait_ms);
CREATE INDEX second_look_from ON second_look (from_boot);

-- What the SoR has more than once. receipt: the one that stays.
CREATE TABLE twin (
  operation_id TEXT PRIMARY KEY CHECK (length(operation_id) = 36),
  record_ids   TEXT NOT NULL CHECK (json_valid(record_ids)),
  receipt      TEXT CHECK (json_valid(receipt)),
  committed_at TEXT,
  outcome      TEXT NOT NULL,
  found_at     TEXT NOT NULL,
  kept_at      TEXT,
  kept_by      TEXT
) STRICT, WITHOUT ROWID;
