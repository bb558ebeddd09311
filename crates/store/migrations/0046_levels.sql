-- Levels: what an account has ever earned, without credits that were taken back, and the points at which levels begin.
ALTER TABLE points_accounts ADD COLUMN earned {int} NOT NULL DEFAULT 0;

UPDATE points_accounts SET earned = (
    SELECT CAST(COALESCE(SUM(c.delta), 0) AS BIGINT) FROM points_rows c
    WHERE c.user_id = points_accounts.user_id AND c.kind = 'credit' AND NOT EXISTS (
        SELECT 1 FROM points_rows r WHERE r.user_id = c.user_id AND r.reverses = c.n)
);

-- As the configuration says; written at start. Level 1 begins at nothing and has no row.
CREATE TABLE level_steps (
    level  {int} PRIMARY KEY CHECK (level > 1),
    points {int} NOT NULL CHECK (points > 0)
){strict};
