-- Redeem codes: pools of them, kept encrypted in chunks, and which of them was given for what.

CREATE TABLE code_pools (
    id        {int} PRIMARY KEY,
    name      TEXT NOT NULL UNIQUE,
    -- Operators are told when fewer are left; 0 is never.
    low_below {int} NOT NULL CHECK (low_below >= 0),
    made_ms   {int} NOT NULL,
    imported  {int} NOT NULL DEFAULT 0 CHECK (imported >= 0),
    -- The pool's cursor: codes are given in the order of their numbers, so that so many are given and no others.
    given     {int} NOT NULL DEFAULT 0 CHECK (given BETWEEN 0 AND imported),
    -- Since when fewer are left than that.
    low_since {int}
){strict};

-- Up to a thousand codes together. They have the numbers from first_number on in their pool.
CREATE TABLE code_chunks (
    pool_id      {int} NOT NULL,
    first_number {int} NOT NULL CHECK (first_number >= 0),
    codes        {int} NOT NULL CHECK (codes > 0),
    -- Dense, in the order in which chunks of all pools were added.
    seq          {int} NOT NULL CHECK (seq > 0),
    -- Eight bytes of each code's keyed hash, in the order of their values: says which codes are here to nobody without
    -- the key file. It stands before the codes so that reading it does not read them.
    prints       {bytes} NOT NULL CHECK (length(prints) = codes * 8),
    sealed       {bytes} NOT NULL,
    PRIMARY KEY (pool_id, first_number)
){strict};

CREATE UNIQUE INDEX code_chunks_seq ON code_chunks (seq);

-- A code is given once, ever, and a fulfilment has one.
CREATE TABLE given_codes (
    fulfilment_id {int} PRIMARY KEY,
    pool_id       {int} NOT NULL,
    number        {int} NOT NULL CHECK (number >= 0),
    given_ms      {int} NOT NULL
){strict};

CREATE UNIQUE INDEX given_codes_number ON given_codes (pool_id, number);
