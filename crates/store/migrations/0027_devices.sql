-- Browsers that somebody has signed in from: each has an allowance of its own for wrong tries. Only a hash is kept.

CREATE TABLE devices (
    user_id    {int} NOT NULL REFERENCES users (id),
    token_hash {bytes} NOT NULL CHECK (length(token_hash) = 32),
    seen       {int} NOT NULL,
    PRIMARY KEY (user_id, token_hash)
){keyed};

CREATE INDEX devices_seen ON devices (seen);

-- Codes sent per day: to a phone, on behalf of a network, and by the whole site.
ALTER TABLE send_counts RENAME TO send_counts_before;

CREATE TABLE send_counts (
    day     {int} NOT NULL,
    kind    TEXT NOT NULL CHECK (kind IN ('phone', 'ip', 'site')),
    subject {bytes} NOT NULL,
    sent    {int} NOT NULL CHECK (sent > 0),
    PRIMARY KEY (day, kind, subject)
){keyed};

INSERT INTO send_counts (day, kind, subject, sent) SELECT day, kind, subject, sent FROM send_counts_before;
DROP TABLE send_counts_before;
