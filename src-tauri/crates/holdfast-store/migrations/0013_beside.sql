-- The endpoints beside the primary that this station was set up with.

CREATE TABLE endpoint_address (
  name     TEXT PRIMARY KEY,
  part     TEXT NOT NULL CHECK (part IN ('authoritative', 'custody', 'board', 'gis')),
  url      TEXT NOT NULL,
  identity TEXT NOT NULL
) STRICT, WITHOUT ROWID;
