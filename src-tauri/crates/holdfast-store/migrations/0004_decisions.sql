-- What a person's decision about a waiting operation needs to know.

-- For a move: where its application stood before it, as it was accepted or as a void before it has left it. So a move can
-- be taken back, whoever recorded what was before it.
ALTER TABLE operation ADD COLUMN stage_before TEXT
  CHECK (stage_before IN ('Intake', 'PrelimReview', 'FeeEstimated', 'ConditionalApproval', 'Committed', 'Returned',
                          'Withdrawn', 'Voided'));

-- Until now every application was taken in here, so its moves tell all of it.
UPDATE operation SET stage_before = coalesce((
    SELECT CASE moves.arrives WHEN 'Intake' THEN 'Returned' ELSE moves.arrives END
    FROM (SELECT local_seq, application_id, json_extract(CAST(body AS TEXT), '$.payload.to') AS arrives
            FROM operation WHERE kind = 'stage'
          UNION ALL
          SELECT local_seq, application_id, json_extract(CAST(body AS TEXT), '$.payload.to')
            FROM operation_archive WHERE kind = 'stage' AND state = 'committed') AS moves
    WHERE moves.application_id = operation.application_id AND moves.local_seq < operation.local_seq
    ORDER BY moves.local_seq DESC LIMIT 1), 'Intake')
WHERE kind = 'stage';

-- What waits by the hour of its acceptance. None of its columns changes with an attempt, so that sending does not pay for it.
CREATE INDEX operation_hour ON operation (substr(accepted_at, 1, 13)) WHERE quarantine_reason IS NULL;
