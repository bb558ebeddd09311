-- Administrative acts that the ledger carries out: the line is written before the ledger is asked and moves into the audit log
-- when it has answered. What a crash leaves here is looked up in the ledger's rows by its command, and told or dropped.
CREATE TABLE audit_intents (
    -- The line's id.
    id          {int} PRIMARY KEY,
    command_key {bytes} NOT NULL CHECK (length(command_key) = 16),
    made        {int} NOT NULL,
    actor       TEXT NOT NULL,
    action      TEXT NOT NULL,
    subject     TEXT NOT NULL,
    reason      TEXT NOT NULL,
    before_json TEXT NOT NULL,
    after_json  TEXT NOT NULL,
    request_id  TEXT NOT NULL,
    -- Chances that were counted for somebody's day, and which; given back when nothing came of it.
    who         TEXT NOT NULL,
    day         {int} NOT NULL,
    chances     {int} NOT NULL CHECK (chances >= 0)
){strict};

CREATE INDEX audit_intents_made ON audit_intents (made);

-- Whose chances were granted with which words: they go with the account.
CREATE INDEX play_commands_user ON play_commands (user_id) WHERE user_id IS NOT NULL;
