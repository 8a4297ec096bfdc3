-- Applications that look alike. A digest says what one is compared by; it never leaves this file.

CREATE TABLE likeness (
  digest         TEXT NOT NULL CHECK (length(digest) = 64),
  filed_at       TEXT NOT NULL,
  application_id TEXT NOT NULL REFERENCES application (application_id),
  PRIMARY KEY (digest, filed_at, application_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX likeness_application ON likeness (application_id);

-- A mark beside two of them, until a person has looked: then it stays as who kept both, and when.
CREATE TABLE resemblance (
  application_id TEXT NOT NULL REFERENCES application (application_id),
  earlier_id     TEXT NOT NULL REFERENCES application (application_id),
  noticed_at     TEXT NOT NULL,
  kept_at        TEXT,
  kept_by        TEXT,
  PRIMARY KEY (application_id, earlier_id),
  CHECK (application_id <> earlier_id),
  CHECK ((kept_at IS NULL) = (kept_by IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX resemblance_earlier ON resemblance (earlier_id);
CREATE INDEX resemblance_open ON resemblance (noticed_at) WHERE kept_at IS NULL;
