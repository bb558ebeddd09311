-- Raffles: the roll of a round, fixed and public before anybody can know the winners, and the winners.

-- A row is there from the moment the roll is public, and says the same of it ever after.
CREATE TABLE raffles (
    activity_id    {int} NOT NULL,
    round          {int} NOT NULL CHECK (round > 0),
    -- The version in place when the round was closed: its prizes, time and beacon hold.
    version        {int} NOT NULL,
    -- The version whose secret is drawn with: the first of the round, committed to before anybody entered.
    secret_version {int} NOT NULL,
    draw_at        {int} NOT NULL,
    roll_hash      {bytes} NOT NULL CHECK (length(roll_hash) = 32),
    -- Of the encoded roll.
    roll_bytes     {int} NOT NULL CHECK (roll_bytes > 0),
    entrants       {int} NOT NULL CHECK (entrants >= 0),
    entries        {int} NOT NULL CHECK (entries >= entrants),
    published_at   {int} NOT NULL,
    -- What the public value is called; null where the winners follow from secret and roll alone.
    beacon         TEXT,
    beacon_value   TEXT,
    beacon_by      TEXT,
    beacon_at      {int},
    drawn_at       {int},
    winners        {int} NOT NULL DEFAULT 0 CHECK (winners BETWEEN 0 AND entrants),
    PRIMARY KEY (activity_id, round),
    CHECK (beacon IS NOT NULL OR beacon_value IS NULL),
    CHECK ((beacon_value IS NULL) = (beacon_by IS NULL) AND (beacon_value IS NULL) = (beacon_at IS NULL)),
    CHECK (drawn_at IS NULL OR drawn_at >= draw_at),
    CHECK (drawn_at IS NULL OR beacon IS NULL OR beacon_value IS NOT NULL)
){keyed};

-- The encoded roll in pieces, written one by one before the roll is public: no statement carries all of it.
CREATE TABLE raffle_rolls (
    activity_id {int} NOT NULL,
    round       {int} NOT NULL,
    piece       {int} NOT NULL CHECK (piece >= 0),
    bytes       {bytes} NOT NULL,
    PRIMARY KEY (activity_id, round, piece)
){strict};

CREATE TABLE raffle_winners (
    activity_id {int} NOT NULL,
    round       {int} NOT NULL,
    -- The order in which they were drawn, from 0.
    nth         {int} NOT NULL CHECK (nth >= 0),
    -- The prize by its place on the roll, from 0, and by its id.
    prize       {int} NOT NULL CHECK (prize >= 0),
    prize_id    {int} NOT NULL,
    -- Which unit of the prize, from 0.
    place       {int} NOT NULL CHECK (place >= 0),
    user_id     {int} NOT NULL,
    -- The same as a row of wins.
    win_id      {int} NOT NULL,
    PRIMARY KEY (activity_id, round, nth)
){keyed};

-- Nobody wins twice in a round, and no unit is won twice, whatever happens.
CREATE UNIQUE INDEX raffle_winners_user ON raffle_winners (activity_id, round, user_id);
CREATE UNIQUE INDEX raffle_winners_unit ON raffle_winners (activity_id, round, prize, place);

-- Wins of raffles have ids far above those of draws: somebody's wins are in the order of time.
DROP INDEX wins_user;
CREATE INDEX wins_user ON wins (user_id, at_ms, id);
