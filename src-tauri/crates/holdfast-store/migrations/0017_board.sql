-- What is known of the board: the head that both sides had last, and what it said of all stations when it was asked last.

CREATE TABLE board (
  one             INTEGER PRIMARY KEY CHECK (one = 1),
  agreed_seq      INTEGER CHECK (agreed_seq >= 0),
  agreed_last_seq INTEGER CHECK (agreed_last_seq >= 0),
  -- The head by which it was noticed that this folder came back from an older copy.
  noticed_hash    TEXT CHECK (length(noticed_hash) = 64),
  as_of           TEXT,
  copied_at       TEXT,
  CHECK ((agreed_seq IS NULL) = (agreed_last_seq IS NULL)),
  CHECK ((as_of IS NULL) = (copied_at IS NULL))
) STRICT;

CREATE TABLE board_copy (
  station_id TEXT PRIMARY KEY,
  row        TEXT NOT NULL CHECK (json_valid(row))
) STRICT, WITHOUT ROWID;
