-- The configuration as it was last told of in the audit: one row at most.
CREATE TABLE configuration_told (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    -- JSON: every key with its value, those of an endpoint as endpoint.NAME.KEY.
    settings TEXT NOT NULL CHECK (json_valid(settings)),
    -- JSON: what lies there since and was not taken.
    refused  TEXT CHECK (refused IS NULL OR json_valid(refused)),
    told_at  TEXT NOT NULL
) STRICT;
