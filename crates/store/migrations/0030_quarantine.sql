-- After a restore a pool of codes gives nothing until somebody has looked: the live installation may have given codes
-- after the backup was made. Messages in quarantine need no column: their due_ms is beyond every clock.

ALTER TABLE code_pools ADD COLUMN quarantined_since {int};
