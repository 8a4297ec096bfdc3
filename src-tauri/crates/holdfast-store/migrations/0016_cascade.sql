-- Two endpoints whose receipts commit: where an operation is in doubt, whose fault its wait is, and who recorded it. NULL
-- everywhere is the primary, as in every row from before.

-- Where it is in doubt, or on its way; means nothing where it is neither.
ALTER TABLE operation ADD COLUMN doubt_at TEXT CHECK (doubt_at IN ('primary', 'mirror'));
-- The endpoint that its wait is charged to.
ALTER TABLE operation ADD COLUMN wait_at TEXT CHECK (wait_at IN ('primary', 'mirror'));
-- The endpoint where it failed last.
ALTER TABLE operation ADD COLUMN failed_at TEXT CHECK (failed_at IN ('primary', 'mirror'));
UPDATE operation SET doubt_at = 'primary' WHERE doubt <> 'none';
CREATE INDEX operation_in_doubt ON operation (doubt_at, lane_rank, place, revision)
  WHERE doubt_at IS NOT NULL AND head = 1 AND state = 'pending';

ALTER TABLE operation_archive ADD COLUMN doubt_at TEXT CHECK (doubt_at IN ('primary', 'mirror'));
-- Whose receipt committed it.
ALTER TABLE operation_archive ADD COLUMN recorder TEXT CHECK (recorder IN ('primary', 'mirror'));
CREATE INDEX operation_archive_elsewhere ON operation_archive (recorder) WHERE recorder = 'mirror';
