-- Who is signed in, for each user of this computer: a folder that is shared with a group has one session for each member.
-- A session from before has the number -1 until the folder is opened for writing: it was its maker's.
CREATE TABLE user_session (
  os_uid    INTEGER PRIMARY KEY CHECK (os_uid BETWEEN -1 AND 4294967295),
  signed    TEXT NOT NULL CHECK (json_valid(signed)),
  opened_at TEXT NOT NULL
) STRICT;

-- The private key of each of them.
CREATE TABLE user_session_key (
  os_uid INTEGER PRIMARY KEY CHECK (os_uid BETWEEN -1 AND 4294967295),
  secret BLOB NOT NULL
) STRICT;

INSERT INTO user_session (os_uid, signed, opened_at) SELECT -1, signed, opened_at FROM session;
INSERT INTO user_session_key (os_uid, secret) SELECT -1, secret FROM secret WHERE name = 'session_key';
DELETE FROM session;
DELETE FROM secret WHERE name = 'session_key';

-- Which user of this computer opened it; of those from before it is not known.
ALTER TABLE statement ADD COLUMN os_uid INTEGER CHECK (os_uid BETWEEN 0 AND 4294967295);
