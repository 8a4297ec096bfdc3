-- What a person carries: copies of the SoR's inspections. Copied records stand among the applications (copied_at).

-- One copy per person, whole; when it was asked for, by both clocks.
CREATE TABLE visit_copy (
  assignee   TEXT PRIMARY KEY,
  asked_wall TEXT NOT NULL,
  asked_boot INTEGER NOT NULL CHECK (asked_boot >= 0)
) STRICT;

CREATE TABLE visit (
  assignee       TEXT NOT NULL REFERENCES visit_copy (assignee) ON DELETE CASCADE,
  inspection_id  TEXT NOT NULL,
  application_id TEXT NOT NULL REFERENCES application (application_id),
  date           TEXT NOT NULL CHECK (length(date) = 10),
  state          TEXT NOT NULL CHECK (state IN ('scheduled', 'done')),
  payload        TEXT NOT NULL CHECK (json_valid(payload)),
  PRIMARY KEY (assignee, inspection_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX visit_application ON visit (application_id);
