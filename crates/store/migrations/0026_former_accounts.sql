-- Limits outlive the account: the mark of a phone or of the company's own id leads back to the id of a deleted account,
-- so that whoever returns goes on with the limits they left. A mark is a keyed hash; nothing else of the person is kept.

CREATE TABLE former_accounts (
    mark     {bytes} NOT NULL PRIMARY KEY CHECK (length(mark) = 32),
    user_id  {int} NOT NULL UNIQUE REFERENCES users (id),
    -- From then on the mark leads nowhere and is swept.
    until_ms {int} NOT NULL
){keyed};

CREATE INDEX former_accounts_until ON former_accounts (until_ms);

-- When the account came back after a deletion: its owner sees nothing from before. Null: it never left.
ALTER TABLE users ADD COLUMN revived_at {int};
