-- Giving what was won, and the messages that tell those who give it.

ALTER TABLE prize_cards ADD COLUMN grant_how TEXT NOT NULL DEFAULT 'now'
    CHECK (grant_how IN ('now', 'at', 'by_hand'));
-- Not before then, where that is how.
ALTER TABLE prize_cards ADD COLUMN grant_at {int};
ALTER TABLE prize_cards ADD COLUMN claim_within_ms {int};
-- The pool that a code comes from.
ALTER TABLE prize_cards ADD COLUMN pool_id {int};

-- One prize on its way to its winner. A text that is granted at once has no row: it is given by being won.
CREATE TABLE fulfilments (
    -- The same as that of the win, or of the order.
    id              {int} PRIMARY KEY,
    source          TEXT NOT NULL CHECK (source IN ('win', 'shop', 'order')),
    user_id         {int} NOT NULL,
    activity_id     {int} NOT NULL,
    prize_id        {int} NOT NULL,
    kind            TEXT NOT NULL CHECK (kind IN ('text', 'code', 'coupon', 'parcel', 'points', 'chances')),
    -- Of points and chances; 1 of everything else.
    amount          {int} NOT NULL CHECK (amount >= 0),
    pool_id         {int},
    state           TEXT NOT NULL CHECK (state IN ('waiting', 'claimable', 'ready', 'to_ship', 'shipped', 'handed_over',
                                                   'given', 'unclaimed', 'voided', 'failed')),
    made_ms         {int} NOT NULL,
    changed_ms      {int} NOT NULL,
    -- When what waits is granted by the clock.
    due_ms          {int},
    claim_within_ms {int},
    claim_until_ms  {int},
    claimed_ms      {int},
    -- Where a parcel goes, sealed.
    address         {bytes},
    carrier         TEXT,
    tracking        TEXT,
    -- What the other system called it, or why it failed or was voided.
    note            TEXT
){strict};

CREATE INDEX fulfilments_user ON fulfilments (user_id, id);
-- The queues of operators; what is given leaves them.
CREATE INDEX fulfilments_open ON fulfilments (state, id) WHERE state <> 'given';
CREATE INDEX fulfilments_due ON fulfilments (due_ms, id) WHERE state = 'waiting' AND due_ms IS NOT NULL;
CREATE INDEX fulfilments_claims ON fulfilments (claim_until_ms, id)
    WHERE state = 'claimable' AND claim_until_ms IS NOT NULL;

-- Sealed anew after the key was rotated.
CREATE INDEX fulfilments_address ON fulfilments (id) WHERE address IS NOT NULL;

-- Messages that wait for their handler. An id belongs to one message among all lanes, for good: it is what a receiver
-- knows a delivery by.
CREATE TABLE outbox (
    lane     TEXT NOT NULL,
    due_ms   {int} NOT NULL,
    id       {int} NOT NULL,
    -- In one lane the messages of a user go in the order of their ids; 0 is nobody, and no order.
    user_id  {int} NOT NULL,
    attempts {int} NOT NULL CHECK (attempts >= 0),
    kind     TEXT NOT NULL,
    -- What it is about.
    subject  {int} NOT NULL,
    body     TEXT NOT NULL,
    made_ms  {int} NOT NULL,
    PRIMARY KEY (lane, due_ms, id)
){keyed};

-- Those that failed and wait for another try hold back later ones of the same user.
CREATE INDEX outbox_waiting ON outbox (lane, user_id, id) WHERE attempts > 0;

-- Failed attempts, while the message is not delivered.
CREATE TABLE outbox_attempts (
    message_id {int} NOT NULL,
    n          {int} NOT NULL CHECK (n > 0),
    at_ms      {int} NOT NULL,
    error      TEXT NOT NULL,
    PRIMARY KEY (message_id, n)
){keyed};

CREATE TABLE dead_letters (
    id       {int} PRIMARY KEY,
    lane     TEXT NOT NULL,
    user_id  {int} NOT NULL,
    attempts {int} NOT NULL CHECK (attempts > 0),
    kind     TEXT NOT NULL,
    subject  {int} NOT NULL,
    body     TEXT NOT NULL,
    made_ms  {int} NOT NULL,
    died_ms  {int} NOT NULL,
    error    TEXT NOT NULL
){strict};

CREATE INDEX dead_letters_lane ON dead_letters (lane, id);

-- Who works on a lane. A term only rises; nobody holds the lane while holder is null.
CREATE TABLE lanes (
    lane       TEXT NOT NULL PRIMARY KEY,
    term       {int} NOT NULL,
    holder     TEXT,
    lease_ends {int},
    CHECK ((holder IS NULL) = (lease_ends IS NULL))
){keyed};
