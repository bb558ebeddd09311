-- Activities as the ledger knows them, the chances of their players, and tickets. Projected like pools and holds.

CREATE TABLE play_activities (
    id    {int} PRIMARY KEY,
    -- The current round.
    round {int} NOT NULL CHECK (round > 0)
){strict};

CREATE TABLE play_rounds (
    activity_id {int} NOT NULL,
    round       {int} NOT NULL CHECK (round > 0),
    state       TEXT NOT NULL CHECK (state IN ('open', 'paused', 'closed')),
    from_ms     {int} NOT NULL,
    until_ms    {int} NOT NULL,
    -- The pool that entries are counted in; 0 is none.
    entries     {int} NOT NULL,
    -- Chances everybody has: in all, and per month and day where that is not 0.
    total_max   {int} NOT NULL CHECK (total_max >= 0),
    month_max   {int} NOT NULL CHECK (month_max >= 0),
    day_max     {int} NOT NULL CHECK (day_max >= 0),
    PRIMARY KEY (activity_id, round)
){keyed};

-- One player in one round; without a row nothing was used and nothing granted.
CREATE TABLE players (
    user_id     {int} NOT NULL,
    activity_id {int} NOT NULL,
    round       {int} NOT NULL,
    -- Granted and not yet used.
    bonus       {int} NOT NULL CHECK (bonus >= 0),
    -- Used of what everybody has: in all, in the month and on the day last played.
    used        {int} NOT NULL CHECK (used >= 0),
    month_used  {int} NOT NULL CHECK (month_used BETWEEN 0 AND used),
    day_used    {int} NOT NULL CHECK (day_used BETWEEN 0 AND month_used),
    -- The last day played, as yyyymmdd.
    day         {int} NOT NULL,
    draws       {int} NOT NULL CHECK (draws >= 0),
    PRIMARY KEY (user_id, activity_id, round)
){keyed};

CREATE TABLE tickets (
    made_seq    {int} PRIMARY KEY,
    ticket_key  {bytes} NOT NULL CHECK (length(ticket_key) = 16),
    fingerprint {int} NOT NULL,
    body        {int} NOT NULL,
    user_id     {int} NOT NULL,
    activity_id {int} NOT NULL,
    round       {int} NOT NULL,
    -- The number of its first draw, and how many there are.
    first_draw  {int} NOT NULL CHECK (first_draw >= 0),
    draws       {int} NOT NULL CHECK (draws BETWEEN 1 AND 10),
    made        {int} NOT NULL,
    -- All null while it is open.
    settled_seq {int},
    settled     {int},
    settlement  {bytes},
    -- As with holds: where the index by fingerprint has it.
    era         {int} NOT NULL,
    CHECK ((settled_seq IS NULL) = (settled IS NULL) AND (settled_seq IS NULL) = (settlement IS NULL))
){strict};

-- A player has one open ticket at most, whatever happens.
CREATE UNIQUE INDEX tickets_open ON tickets (user_id, activity_id, round) WHERE settled_seq IS NULL;
CREATE INDEX tickets_fingerprint ON tickets (era, fingerprint);

-- Openings, state changes and grants, done at once; kept so that a repetition hears the same.
CREATE TABLE play_commands (
    seq         {int} PRIMARY KEY,
    command_key {bytes} NOT NULL CHECK (length(command_key) = 16),
    fingerprint {int} NOT NULL,
    body        {int} NOT NULL,
    activity_id {int} NOT NULL,
    round       {int} NOT NULL,
    kind        TEXT NOT NULL CHECK (kind IN ('opened', 'state', 'granted')),
    -- Whose chances were granted, and how many.
    user_id     {int},
    chances     {int},
    at_ms       {int} NOT NULL,
    by_id       {int} NOT NULL,
    note        TEXT,
    era         {int} NOT NULL,
    CHECK ((kind = 'granted') = (user_id IS NOT NULL) AND (user_id IS NULL) = (chances IS NULL))
){strict};

CREATE INDEX play_commands_fingerprint ON play_commands (era, fingerprint);
