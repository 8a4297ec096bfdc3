-- The outage register in full: why an outage began, what was tried in it, who held the endpoint, and what belongs to it.

ALTER TABLE outage ADD COLUMN cause TEXT
  CHECK (cause IN ('failures', 'announced', 'probes_failed', 'probes_slow', 'held'));
-- Until when the endpoint said last that it would be away.
ALTER TABLE outage ADD COLUMN announced_until TEXT;
-- How many tries there were, those of which no row is left included.
ALTER TABLE outage ADD COLUMN tries INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0);

-- The first tries of an outage and the latest ones.
CREATE TABLE outage_try (
  outage_id   TEXT NOT NULL REFERENCES outage (outage_id),
  n           INTEGER NOT NULL CHECK (n > 0),
  at          TEXT NOT NULL,
  what        TEXT NOT NULL CHECK (what IN ('operation', 'look_up', 'probe')),
  outcome     TEXT NOT NULL,
  next_try_at TEXT,
  PRIMARY KEY (outage_id, n)
) STRICT, WITHOUT ROWID;

-- When a person held the endpoint.
CREATE TABLE outage_hold (
  outage_id TEXT NOT NULL REFERENCES outage (outage_id),
  n         INTEGER NOT NULL CHECK (n > 0),
  held_at   TEXT NOT NULL,
  until     TEXT NOT NULL,
  held_by   TEXT NOT NULL,
  reason    TEXT NOT NULL,
  ended_at  TEXT,
  PRIMARY KEY (outage_id, n)
) STRICT, WITHOUT ROWID;

-- The last operation that had been accepted before the first of the failures that the breaker counts at the moment.
ALTER TABLE endpoint ADD COLUMN first_failure_after INTEGER CHECK (first_failure_after >= 0);
-- The wait between a breaker's closing and the first that is sent.
ALTER TABLE endpoint ADD COLUMN first_drain TEXT CHECK (json_valid(first_drain));

-- The outage whose books an operation is in although its bytes do not name it: it was accepted between the first failure
-- and the trip, when nobody knew yet that there was one.
ALTER TABLE operation ADD COLUMN counted_in TEXT REFERENCES outage (outage_id);
ALTER TABLE operation_archive ADD COLUMN counted_in TEXT REFERENCES outage (outage_id);
