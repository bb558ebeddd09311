-- A code belongs to a holder: a device its owner has signed in from, a person who is signed in, or all strangers together
-- (no bytes). Wrong tries are counted by where they come from, so that one who guesses does not use up another's tries.
-- Codes live for two minutes: those of before are asked for again.
DROP TABLE codes;

CREATE TABLE codes (
    phone_index {bytes} NOT NULL CHECK (length(phone_index) = 32),
    purpose     TEXT NOT NULL,
    holder      {bytes} NOT NULL CHECK (length(holder) IN (0, 32)),
    hash        {bytes} CHECK (length(hash) = 32),
    sent        {int} NOT NULL,
    PRIMARY KEY (phone_index, purpose, holder)
){keyed};

CREATE INDEX codes_sent ON codes (sent);

CREATE TABLE code_tries (
    phone_index {bytes} NOT NULL,
    purpose     TEXT NOT NULL,
    holder      {bytes} NOT NULL,
    source      {bytes} NOT NULL CHECK (length(source) BETWEEN 1 AND 64),
    tries       {int} NOT NULL CHECK (tries > 0),
    PRIMARY KEY (phone_index, purpose, holder, source),
    FOREIGN KEY (phone_index, purpose, holder) REFERENCES codes (phone_index, purpose, holder) ON DELETE CASCADE
){keyed};

-- Codes sent per day: to a phone, to a phone on behalf of one network, to a phone's owner as known, on behalf of a network,
-- and by the whole site.
ALTER TABLE send_counts RENAME TO send_counts_before;

CREATE TABLE send_counts (
    day     {int} NOT NULL,
    kind    TEXT NOT NULL CHECK (kind IN ('phone', 'phone_from', 'owner', 'ip', 'site')),
    subject {bytes} NOT NULL,
    sent    {int} NOT NULL CHECK (sent > 0),
    PRIMARY KEY (day, kind, subject)
){keyed};

INSERT INTO send_counts (day, kind, subject, sent) SELECT day, kind, subject, sent FROM send_counts_before;
DROP TABLE send_counts_before;
