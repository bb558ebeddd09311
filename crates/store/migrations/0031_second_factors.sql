-- The second factor of staff: an authenticator's secret, encrypted, and recovery codes as keyed hashes.

CREATE TABLE second_factors (
    user_id      {int} PRIMARY KEY REFERENCES users (id),
    sealed       {bytes} NOT NULL,
    -- Null until its owner has shown that the app works; before that it is asked of nobody.
    confirmed_at {int},
    -- The step of time whose digits were used last: each is good once.
    last_step    {int} NOT NULL DEFAULT 0,
    made         {int} NOT NULL
){strict};

CREATE TABLE recovery_codes (
    user_id {int} NOT NULL REFERENCES users (id),
    hash    {bytes} NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (user_id, hash)
){keyed};
