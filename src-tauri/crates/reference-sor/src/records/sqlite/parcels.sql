-- The city's parcels; bounds are JSON, times milliseconds.

CREATE TABLE IF NOT EXISTS parcels (
  pin        TEXT PRIMARY KEY,
  address    TEXT,
  zoning     TEXT NOT NULL,
  overlays   TEXT NOT NULL,
  bounds     TEXT,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS parcels_changed ON parcels (updated_at);
