-- What people call a pool, and when it was first opened: pools are listed the newest first.
ALTER TABLE pools ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE pools ADD COLUMN opened_seq {int} NOT NULL DEFAULT 0;

-- Who changed a pool: a person or an API key; 0 is Windfall itself.
ALTER TABLE movements ADD COLUMN by_id {int} NOT NULL DEFAULT 0;

CREATE INDEX pools_opened ON pools (opened_seq);
