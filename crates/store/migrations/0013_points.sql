-- Points: accounts, the lots they are made of, and the statement that says why. The rows of a statement are added and
-- never changed, and a deleted user's stay.

-- What is judged under a lock: one row per account.
CREATE TABLE points_accounts (
    user_id     {int} PRIMARY KEY,
    -- The sum of the account's rows; below zero after a reversal of what was spent.
    balance     {int} NOT NULL,
    -- The number of the newest row.
    row_count   {int} NOT NULL CHECK (row_count >= 0),
    -- When the first of the lots expires; null when none does.
    next_expiry {int}
){strict};

CREATE INDEX points_accounts_expiry ON points_accounts (next_expiry, user_id) WHERE next_expiry IS NOT NULL;

-- Points that expire at the same moment. The greatest integer: never.
CREATE TABLE points_lots (
    user_id    {int} NOT NULL,
    expires    {int} NOT NULL,
    units_left {int} NOT NULL CHECK (units_left >= 0),
    -- What expired of them unused, less what a reversal took of that.
    lapsed     {int} NOT NULL CHECK (lapsed >= 0),
    PRIMARY KEY (user_id, expires)
){keyed};

CREATE TABLE points_rows (
    user_id  {int} NOT NULL,
    -- Counted per account from 1, without a gap.
    n        {int} NOT NULL CHECK (n > 0),
    kind     TEXT NOT NULL CHECK (kind IN ('credit', 'spend', 'reverse', 'expire')),
    delta    {int} NOT NULL,
    -- After this row.
    balance  {int} NOT NULL,
    -- What the row came of, once per account: the same key again adds nothing.
    idem_key TEXT NOT NULL,
    reason   TEXT NOT NULL,
    -- The row that this one takes back.
    reverses {int} CHECK (reverses < n),
    -- Of a credit: when its points expire; null when they do not.
    expires  {int},
    -- Of a spending: what it took from which lot, as expiry:points with commas.
    parts    TEXT NOT NULL DEFAULT '',
    at_ms    {int} NOT NULL,
    PRIMARY KEY (user_id, n)
){keyed};

CREATE UNIQUE INDEX points_rows_key ON points_rows (user_id, idem_key);
-- A row is taken back once, whatever happens.
CREATE UNIQUE INDEX points_rows_reverses ON points_rows (user_id, reverses) WHERE reverses IS NOT NULL;
