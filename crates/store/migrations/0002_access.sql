-- Access: keys of the company's backend, sign-in links, approvals by a second person, the audit log.

CREATE TABLE api_keys (
    id             {int} PRIMARY KEY,
    name           TEXT NOT NULL,
    scopes         {int} NOT NULL,
    secret_hash    {bytes} NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    -- The secret before the last rotation, good until its overlap ends.
    previous_hash  {bytes} UNIQUE CHECK (length(previous_hash) = 32),
    previous_until {int},
    created        {int} NOT NULL,
    last_used      {int},
    revoked        {int},
    CHECK ((previous_hash IS NULL) = (previous_until IS NULL)),
    CHECK (revoked IS NULL OR previous_hash IS NULL)
){strict};

CREATE TABLE links (
    token_hash {bytes} NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
    user_id    {int} NOT NULL REFERENCES users (id),
    expires    {int} NOT NULL
){keyed};

CREATE INDEX links_user ON links (user_id);
CREATE INDEX links_expires ON links (expires);

CREATE TABLE approvals (
    id              {int} PRIMARY KEY,
    kind            TEXT NOT NULL,
    -- What was asked for, as JSON; its members depend on the kind.
    request         TEXT NOT NULL,
    state           TEXT NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn')),
    asked_by        TEXT NOT NULL,
    asked_at        {int} NOT NULL,
    reason          TEXT NOT NULL,
    decided_by      TEXT,
    decided_at      {int},
    decision_reason TEXT NOT NULL DEFAULT '',
    CHECK ((state = 'waiting') = (decided_by IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL))
){strict};

CREATE INDEX approvals_state ON approvals (state, id);

-- Who did what: written in the same transaction, never changed.
CREATE TABLE audit (
    id          {int} PRIMARY KEY,
    made        {int} NOT NULL,
    actor       TEXT NOT NULL,
    action      TEXT NOT NULL,
    subject     TEXT NOT NULL,
    reason      TEXT NOT NULL,
    before_json TEXT NOT NULL,
    after_json  TEXT NOT NULL,
    request_id  TEXT NOT NULL
){strict};

CREATE INDEX audit_actor ON audit (actor, id);
CREATE INDEX audit_action ON audit (action, id);
CREATE INDEX audit_subject ON audit (subject, id);
