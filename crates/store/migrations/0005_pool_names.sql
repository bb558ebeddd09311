-- What people call a pool, and when it was first opened: pools are listed the newest first.
ALTER TABLE pools ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE pools ADD COLUMN opened_seq {int} NOT NULL DEFAULT 0;

CREATE INDEX pools_opened ON pools (opened_seq);
