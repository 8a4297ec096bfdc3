-- Drafts, and what finding and listing need.
--
-- Columns are only added. An older program that writes here leaves them empty; they are filled at the next start.

-- What is being filled in. Nothing of it was judged.
CREATE TABLE draft (
  operation_id   TEXT PRIMARY KEY CHECK (length(operation_id) = 36),
  kind           TEXT NOT NULL CHECK (kind IN ('application', 'stage', 'inspection', 'correction', 'void', 'hold',
                                               'notice', 'fee', 'note', 'tag', 'attachment')),
  application_id TEXT CHECK (length(application_id) = 36),
  actor          TEXT NOT NULL,
  typed          TEXT NOT NULL CHECK (json_valid(typed)),
  opened_at      TEXT NOT NULL,
  saved_at       TEXT NOT NULL
) STRICT;
CREATE INDEX draft_actor ON draft (actor, saved_at);

-- Receipt number of the intake, when it was taken in here; when it was last copied from the SoR.
ALTER TABLE application ADD COLUMN receipt_no TEXT;
ALTER TABLE application ADD COLUMN copied_at TEXT;
CREATE INDEX application_copied ON application (copied_at) WHERE copied_at IS NOT NULL;
-- Everything that a search looks at, so that it reads no payload.
CREATE INDEX application_search ON application (changed, search, receipt_no, permit_num);
-- Those that no search finds yet.
CREATE INDEX application_unsearched ON application (changed) WHERE search IS NULL;

-- Who accepted an operation: read from the bytes that were accepted, never written beside them.
ALTER TABLE operation ADD COLUMN actor TEXT GENERATED ALWAYS AS
  (CASE WHEN json_valid(CAST(body AS TEXT)) THEN json_extract(CAST(body AS TEXT), '$.actor') END) VIRTUAL;
ALTER TABLE operation_archive ADD COLUMN actor TEXT GENERATED ALWAYS AS
  (CASE WHEN json_valid(CAST(body AS TEXT)) THEN json_extract(CAST(body AS TEXT), '$.actor') END) VIRTUAL;
CREATE INDEX operation_actor ON operation (actor, local_seq);
CREATE INDEX operation_archive_actor ON operation_archive (actor, local_seq);
CREATE INDEX operation_quarantined ON operation (actor, local_seq) WHERE state = 'quarantined';
CREATE INDEX operation_archive_committed ON operation_archive (committed_at) WHERE committed_at IS NOT NULL;
