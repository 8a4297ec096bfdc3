-- Copies at a mirror that holds them. A copy is no commit: the operation that it is of stays as it is.

-- What the mirror holds, or may hold: it is entered before the mirror is asked, so that nothing is left lying there.
CREATE TABLE custody (
  local_seq       INTEGER PRIMARY KEY CHECK (local_seq > 0),
  operation_id    TEXT NOT NULL UNIQUE CHECK (length(operation_id) = 36),
  idempotency_key TEXT NOT NULL UNIQUE CHECK (length(idempotency_key) = 64),
  -- Asked for; held; to be released, since the operation is disposed of.
  state           TEXT NOT NULL CHECK (state IN ('asked', 'held', 'leaving')),
  held_at         TEXT,
  CHECK (state <> 'held' OR held_at IS NOT NULL)
) STRICT;
CREATE INDEX custody_state ON custody (state, local_seq);

-- What became of its copy, for as long as it is not disposed of; none when there is none yet.
ALTER TABLE operation ADD COLUMN copy TEXT CHECK (copy IN ('held', 'refused'));
-- With all that is asked of a row, so that counting looks at no row.
CREATE INDEX operation_uncopied ON operation (urgency, local_seq, copy, out_of_lane)
  WHERE copy IS NULL AND out_of_lane = 0;
CREATE INDEX operation_copy_refused ON operation (copy) WHERE copy = 'refused';
