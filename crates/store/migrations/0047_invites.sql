-- Invitations: the code of everybody who asked for one, and who was invited by whom.
CREATE TABLE invite_codes (
    user_id {int} PRIMARY KEY REFERENCES users (id),
    code    TEXT NOT NULL UNIQUE
){strict};

CREATE TABLE invitations (
    invitee_id   {int} PRIMARY KEY REFERENCES users (id),
    inviter_id   {int} NOT NULL REFERENCES users (id),
    made_ms      {int} NOT NULL,
    -- When the one who was invited did something that counts for the first time.
    qualified_ms {int}
){strict};

CREATE INDEX invitations_by ON invitations (inviter_id);

-- Phones that were invited: a keyed hash each, which outlives the account, so that a phone is invited once.
CREATE TABLE invited_phones (
    mark    {bytes} NOT NULL PRIMARY KEY CHECK (length(mark) = 32),
    made_ms {int} NOT NULL
){keyed};
