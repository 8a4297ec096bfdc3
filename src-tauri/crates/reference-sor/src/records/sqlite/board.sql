-- What each station told last of itself, and the highest head of its audit. No value of a form has a place here.
CREATE TABLE IF NOT EXISTS board (
    station_id TEXT PRIMARY KEY REFERENCES stations,
    heard_at   INTEGER NOT NULL,
    head       TEXT    NOT NULL,
    report     TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
