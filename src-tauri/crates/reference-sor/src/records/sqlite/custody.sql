-- Copies of what stations have accepted and nobody has recorded yet. No record depends on them, nor they on any.
CREATE TABLE IF NOT EXISTS custody (
    key         TEXT    PRIMARY KEY CHECK (length(key) = 64),
    station_id  TEXT    NOT NULL REFERENCES stations,
    local_seq   INTEGER NOT NULL CHECK (local_seq > 0),
    kind        TEXT    NOT NULL,
    accepted_at INTEGER NOT NULL,
    actor       TEXT    NOT NULL,
    held_at     INTEGER NOT NULL,
    digest      BLOB    NOT NULL CHECK (length(digest) = 32),
    body        BLOB    NOT NULL CHECK (length(body) > 0)
) STRICT;
CREATE INDEX IF NOT EXISTS custody_of_station ON custody (station_id, local_seq);
