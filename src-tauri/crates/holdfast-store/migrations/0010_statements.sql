-- Every session that was opened here, as the SoR stated it: an SoR that came back from an older copy has forgotten those
-- since, and what was accepted under them is proven by its own statement.
CREATE TABLE statement (
  sid       TEXT PRIMARY KEY CHECK (length(sid) = 36),
  signed    TEXT NOT NULL CHECK (json_valid(signed)),
  opened_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX statement_opened ON statement (opened_at);

INSERT INTO statement (sid, signed, opened_at)
  SELECT json_extract(signed, '$.statement.sid'), signed, opened_at FROM session
  WHERE length(json_extract(signed, '$.statement.sid')) = 36;
