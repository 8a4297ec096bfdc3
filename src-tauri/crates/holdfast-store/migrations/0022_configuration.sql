-- The configuration as it was last told of in the audit: one row at most.
CREATE TABLE configuration_told (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    -- JSON: every key with its value, those of an endpoint as endpoint.NAME.KEY.
    settings TEXT NOT NULL CHECK (json_valid(settings)),
    told_at  TEXT NOT NULL
) STRICT;
