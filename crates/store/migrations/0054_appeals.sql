-- What moderators removed, and appeals against it.

CREATE TABLE decisions (
    -- Whose text it was.
    user_id      {int} NOT NULL REFERENCES users (id),
    id           {int} NOT NULL UNIQUE,
    subject      TEXT NOT NULL CHECK (subject IN ('post', 'comment')),
    subject_id   {int} NOT NULL,
    moderator_id {int} REFERENCES users (id),
    reason       TEXT NOT NULL,
    decided_ms   {int} NOT NULL,
    -- Since when it is not in effect any more.
    over_ms      {int},
    PRIMARY KEY (user_id, id)
){keyed};

CREATE INDEX decisions_in_effect ON decisions (subject, subject_id) WHERE over_ms IS NULL;

CREATE TABLE appeals (
    user_id     {int} NOT NULL REFERENCES users (id),
    decision_id {int} NOT NULL UNIQUE REFERENCES decisions (id),
    text        TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('open', 'granted', 'denied')),
    made_ms     {int} NOT NULL,
    answer      TEXT NOT NULL DEFAULT '',
    closed_ms   {int},
    PRIMARY KEY (user_id, decision_id)
){keyed};

CREATE INDEX appeals_newest ON appeals (state, made_ms, decision_id);
