-- Private messages between two people.

CREATE TABLE conversations (
    id         {int} PRIMARY KEY,
    low_id     {int} NOT NULL REFERENCES users (id),
    high_id    {int} NOT NULL REFERENCES users (id),
    begun_by   {int} NOT NULL REFERENCES users (id),
    -- The day of the site's zone on which it began.
    begun_day  {int} NOT NULL,
    -- Messages so far: the number of the last one.
    messages   {int} NOT NULL DEFAULT 0,
    UNIQUE (low_id, high_id),
    CHECK (low_id < high_id)
){strict};

CREATE INDEX conversations_begun ON conversations (begun_by, begun_day);

-- A conversation as one of the two sees it.
CREATE TABLE conversation_sides (
    user_id         {int} NOT NULL REFERENCES users (id),
    conversation_id {int} NOT NULL REFERENCES conversations (id),
    other_id        {int} NOT NULL REFERENCES users (id),
    -- Messages that this person sent.
    sent            {int} NOT NULL DEFAULT 0,
    -- Before this number nothing is seen: the account was deleted meanwhile.
    from_n          {int} NOT NULL DEFAULT 1,
    read_n          {int} NOT NULL DEFAULT 0,
    unread          {int} NOT NULL DEFAULT 0 CHECK (unread >= 0),
    newest_ms       {int} NOT NULL,
    PRIMARY KEY (user_id, conversation_id)
){keyed};

CREATE INDEX conversation_sides_newest ON conversation_sides (user_id, newest_ms, conversation_id);
CREATE INDEX conversation_sides_unread ON conversation_sides (user_id) WHERE unread > 0;

CREATE TABLE private_messages (
    conversation_id {int} NOT NULL REFERENCES conversations (id),
    -- Counted from 1.
    n               {int} NOT NULL CHECK (n > 0),
    sender_id       {int} NOT NULL REFERENCES users (id),
    -- The text; null once the account of its sender was deleted.
    sealed          {bytes},
    sent_ms         {int} NOT NULL,
    PRIMARY KEY (conversation_id, n)
){keyed};

CREATE INDEX private_messages_sender ON private_messages (sender_id);
