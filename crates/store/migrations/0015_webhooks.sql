-- Subscriptions to events, and what was delivered.

CREATE TABLE webhooks (
    id             {int} PRIMARY KEY,
    name           TEXT NOT NULL,
    url            TEXT NOT NULL,
    -- Sealed; the one before signs too while it is there and its time is not over.
    secret         {bytes} NOT NULL,
    previous       {bytes},
    previous_until {int},
    created_ms     {int} NOT NULL,
    -- Why and since when nothing is delivered.
    off_why        TEXT CHECK (off_why IN ('by_hand', 'failing')),
    off_ms         {int},
    -- Since the last delivery that was taken.
    failing_since  {int},
    failures       {int} NOT NULL DEFAULT 0 CHECK (failures >= 0),
    -- Gone for everybody; its messages and its log are cleared away step by step, then it.
    removed_ms     {int},
    CHECK ((off_why IS NULL) = (off_ms IS NULL)),
    CHECK ((previous IS NULL) = (previous_until IS NULL))
){strict};

-- Which kinds a subscription wants; '*' is every kind that is for listeners.
CREATE TABLE webhook_kinds (
    webhook_id {int} NOT NULL REFERENCES webhooks (id),
    kind       TEXT NOT NULL,
    PRIMARY KEY (webhook_id, kind)
){keyed};

-- One attempt each.
CREATE TABLE deliveries (
    webhook_id   {int} NOT NULL,
    id           {int} NOT NULL,
    -- The message's id: the same in every attempt.
    delivery_id  {int} NOT NULL,
    user_id      {int} NOT NULL,
    kind         TEXT NOT NULL,
    subject      {int} NOT NULL,
    attempt      {int} NOT NULL CHECK (attempt > 0),
    at_ms        {int} NOT NULL,
    took_ms      {int} NOT NULL,
    came         TEXT NOT NULL CHECK (came IN ('done', 'again', 'dead')),
    status       {int},
    error        TEXT,
    request_head TEXT NOT NULL,
    request_body TEXT NOT NULL,
    answer       TEXT NOT NULL,
    -- Put back after this attempt.
    replayed_ms  {int},
    PRIMARY KEY (webhook_id, id)
){keyed};

CREATE INDEX deliveries_of ON deliveries (webhook_id, delivery_id, id);
