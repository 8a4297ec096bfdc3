-- Permit numbers that the SoR leased to this station. Rows stay for ever: no number is given out twice.

CREATE TABLE number_lease (
  lease_id TEXT    PRIMARY KEY CHECK (length(lease_id) = 36),
  year     INTEGER NOT NULL,
  count    INTEGER NOT NULL CHECK (count > 0),
  state    TEXT    NOT NULL CHECK (state IN ('asked', 'held', 'refused')),
  asked_at TEXT    NOT NULL,
  ended_at TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX number_lease_asked ON number_lease (state) WHERE state = 'asked';

CREATE TABLE leased_number (
  n            INTEGER PRIMARY KEY,
  permit_num   TEXT    NOT NULL UNIQUE,
  lease_id     TEXT    NOT NULL REFERENCES number_lease (lease_id),
  year         INTEGER NOT NULL,
  state        TEXT    NOT NULL CHECK (state IN ('free', 'used', 'void', 'reported')),
  operation_id TEXT,
  CHECK ((state = 'used') = (operation_id IS NOT NULL))
) STRICT;
CREATE INDEX leased_number_free ON leased_number (year, n) WHERE state = 'free';
CREATE INDEX leased_number_void ON leased_number (n) WHERE state = 'void';
