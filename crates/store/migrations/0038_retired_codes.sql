-- Codes that nobody shall get: a heading that was imported as a code, codes that their issuer took back.

CREATE TABLE retired_codes (
    pool_id    {int} NOT NULL REFERENCES code_pools (id),
    number     {int} NOT NULL CHECK (number >= 0),
    retired_ms {int} NOT NULL,
    PRIMARY KEY (pool_id, number)
){keyed};

-- Retired ones that the cursor has not reached yet, and those it has passed.
ALTER TABLE code_pools ADD COLUMN retired {int} NOT NULL DEFAULT 0 CHECK (retired >= 0);
ALTER TABLE code_pools ADD COLUMN passed {int} NOT NULL DEFAULT 0 CHECK (passed >= 0);
