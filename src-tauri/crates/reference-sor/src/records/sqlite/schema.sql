CREATE TABLE seal (
    one        INTEGER PRIMARY KEY CHECK (one = 1),
    identity   TEXT    NOT NULL,
    sor_key    BLOB    NOT NULL CHECK (length(sor_key) = 32),
    office_key BLOB    NOT NULL CHECK (length(office_key) = 32),
    epoch      INTEGER NOT NULL
) STRICT;

CREATE TABLE contract (
    version INTEGER PRIMARY KEY,
    files   BLOB NOT NULL CHECK (length(files) = 32)
) STRICT;

CREATE TABLE enrol_codes (
    digest     BLOB PRIMARY KEY,
    station_id TEXT,
    used_at    INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE stations (
    station_id     TEXT PRIMARY KEY,
    key            BLOB    NOT NULL CHECK (length(key) = 32),
    enrolled_at    INTEGER NOT NULL,
    last_local_seq INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
    digest     BLOB PRIMARY KEY,
    station_id TEXT    NOT NULL REFERENCES stations,
    until      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_by_end ON tokens (until);

CREATE TABLE token_requests (
    station_id TEXT    NOT NULL,
    jti        TEXT    NOT NULL,
    until      INTEGER NOT NULL,
    PRIMARY KEY (station_id, jti)
) STRICT, WITHOUT ROWID;
CREATE INDEX token_requests_by_end ON token_requests (until);

CREATE TABLE people (
    actor TEXT PRIMARY KEY,
    salt  BLOB NOT NULL CHECK (length(salt) = 16),
    hash  BLOB NOT NULL CHECK (length(hash) = 32),
    roles TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Kept for ever: operations are proven by a session long after its end.
CREATE TABLE sessions (
    sid       TEXT PRIMARY KEY,
    statement TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE applications (
    n              INTEGER PRIMARY KEY,
    application_id TEXT    NOT NULL UNIQUE,
    record_id      TEXT    NOT NULL UNIQUE,
    permit_num     TEXT    NOT NULL,
    etag           TEXT    NOT NULL,
    stage          TEXT    NOT NULL CHECK (stage IN ('Intake', 'PrelimReview', 'FeeEstimated', 'ConditionalApproval',
                                                     'Returned', 'Withdrawn', 'Voided')),
    payload        TEXT    NOT NULL,
    updated_at     INTEGER NOT NULL,
    -- Position in the order of changes; the last change of each application.
    changed        INTEGER NOT NULL UNIQUE
) STRICT;
CREATE INDEX applications_by_number ON applications (permit_num);

-- The numbers given out in a year.
CREATE TABLE numbers (
    year INTEGER PRIMARY KEY,
    last INTEGER NOT NULL
) STRICT;

-- A station's own numbers. The id is the station's, so that an answer that was lost is given again.
CREATE TABLE number_blocks (
    lease_id   TEXT PRIMARY KEY,
    station_id TEXT    NOT NULL,
    year       INTEGER NOT NULL,
    first      INTEGER NOT NULL,
    last       INTEGER NOT NULL CHECK (last >= first),
    leased_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX number_blocks_by_station ON number_blocks (station_id, year, first);

CREATE TABLE leased_numbers (
    permit_num TEXT PRIMARY KEY,
    lease_id   TEXT    NOT NULL REFERENCES number_blocks,
    n          INTEGER NOT NULL,
    voided_at  INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX leased_numbers_by_block ON leased_numbers (lease_id, n);

-- One row per effect: key, fingerprint and answer stand and fall with it.
CREATE TABLE operations (
    n              INTEGER PRIMARY KEY,
    key            BLOB    NOT NULL UNIQUE CHECK (length(key) = 32),
    operation_id   TEXT    NOT NULL UNIQUE,
    application_id TEXT    NOT NULL REFERENCES applications (application_id),
    kind           TEXT    NOT NULL,
    station_id     TEXT    NOT NULL,
    local_seq      INTEGER NOT NULL,
    actor          TEXT    NOT NULL,
    accepted_at    INTEGER NOT NULL,
    arrived_at     INTEGER NOT NULL,
    body_digest    BLOB    NOT NULL CHECK (length(body_digest) = 32),
    body           BLOB    NOT NULL,
    status         INTEGER NOT NULL,
    etag           TEXT    NOT NULL,
    answer         BLOB    NOT NULL
) STRICT;
CREATE INDEX operations_by_application ON operations (application_id, n);
CREATE INDEX operations_by_station ON operations (station_id, local_seq);

CREATE TABLE inspections (
    n              INTEGER PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (application_id),
    insp_type      TEXT NOT NULL,
    assignee       TEXT,
    date           TEXT NOT NULL,
    state          TEXT NOT NULL CHECK (state IN ('scheduled', 'done', 'voided')),
    payload        TEXT NOT NULL,
    operation_id   TEXT
) STRICT;
CREATE INDEX inspections_by_operation ON inspections (operation_id);
CREATE INDEX inspections_by_day ON inspections (date, assignee);
CREATE INDEX inspections_by_application ON inspections (application_id, insp_type, state);

-- Named by the operation that placed it, or by an id of their own where city hall placed it.
CREATE TABLE holds (
    n              INTEGER PRIMARY KEY,
    hold_id        TEXT    NOT NULL UNIQUE,
    application_id TEXT    NOT NULL REFERENCES applications (application_id),
    type           TEXT    NOT NULL CHECK (type IN ('stop-work', 'hold', 'notice')),
    reason         TEXT    NOT NULL,
    placed_by      TEXT    NOT NULL,
    placed_at      INTEGER NOT NULL,
    released_at    INTEGER
) STRICT;
CREATE INDEX holds_by_application ON holds (application_id, n);

CREATE TABLE entries (
    n              INTEGER PRIMARY KEY,
    operation_id   TEXT    NOT NULL UNIQUE,
    application_id TEXT    NOT NULL REFERENCES applications (application_id),
    kind           TEXT    NOT NULL CHECK (kind IN ('notice', 'fee', 'note', 'tag')),
    payload        TEXT    NOT NULL,
    actor          TEXT    NOT NULL,
    accepted_at    INTEGER NOT NULL,
    voided_at      INTEGER
) STRICT;
CREATE INDEX entries_by_application ON entries (application_id, n);
