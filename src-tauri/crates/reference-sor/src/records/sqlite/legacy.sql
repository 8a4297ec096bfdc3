-- An old vendor's system: one row per write, as often as it was sent. Nothing here is unique but the row.
CREATE TABLE IF NOT EXISTS legacy_writes (
    n              INTEGER PRIMARY KEY,
    application_id TEXT    NOT NULL REFERENCES applications (application_id),
    list           TEXT    NOT NULL CHECK (list IN ('records', 'history', 'inspections', 'conditions', 'comments', 'fees')),
    kind           TEXT    NOT NULL,
    reference      TEXT,
    comment        TEXT,
    external_id    TEXT,
    named          TEXT,
    content        TEXT    NOT NULL,
    modified       TEXT    NOT NULL,
    sequence       INTEGER NOT NULL,
    entered_at     TEXT    NOT NULL,
    entered_by     TEXT    NOT NULL,
    station_id     TEXT    NOT NULL,
    arrived_at     INTEGER NOT NULL,
    body_digest    TEXT    NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS legacy_by_reference ON legacy_writes (reference) WHERE list = 'records';
CREATE INDEX IF NOT EXISTS legacy_by_name ON legacy_writes (named) WHERE list = 'records';
CREATE INDEX IF NOT EXISTS legacy_by_application ON legacy_writes (application_id, list, n);
