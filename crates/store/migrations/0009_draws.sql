-- Draws in one step: what a round has come to, what it gave to whom, and where each record stands in its chain.
--
-- The tables of activities are made anew: nothing but tests has written to them so far.

DROP TABLE play_rounds;
DROP TABLE players;
DROP TABLE tickets;
DROP TABLE play_commands;

-- The one switch that stops every activity.
CREATE TABLE play_switch (
    id     {int} PRIMARY KEY CHECK (id = 1),
    halted {int} NOT NULL CHECK (halted IN (0, 1))
){strict};

INSERT INTO play_switch (id, halted) VALUES (1, 0);

CREATE TABLE play_rounds (
    activity_id  {int} NOT NULL,
    round        {int} NOT NULL CHECK (round > 0),
    state        TEXT NOT NULL CHECK (state IN ('open', 'paused', 'closed')),
    version      {int} NOT NULL CHECK (version >= 0),
    from_ms      {int} NOT NULL,
    until_ms     {int} NOT NULL,
    -- The pool that entries are counted in; 0 is none.
    entries      {int} NOT NULL,
    -- Chances everybody has: in all, and per month and day where that is not 0.
    total_max    {int} NOT NULL CHECK (total_max >= 0),
    month_max    {int} NOT NULL CHECK (month_max >= 0),
    day_max      {int} NOT NULL CHECK (day_max >= 0),
    -- Where the chain of this version's draws begins (null for a raffle), and where it has come to.
    begin_link   {bytes} CHECK (length(begin_link) = 32),
    chain_place  {int} NOT NULL CHECK (chain_place >= 0),
    chain_link   {bytes} NOT NULL CHECK (length(chain_link) = 32),
    -- What the prizes cost, in all and on the last day that gave any (as yyyymmdd), and points of the fallback.
    spent_total  {int} NOT NULL CHECK (spent_total >= 0),
    spent_day    {int} NOT NULL CHECK (spent_day >= 0),
    spent_day_no {int} NOT NULL,
    spent_points {int} NOT NULL CHECK (spent_points >= 0),
    -- Draws and entries; those who made any; those who won anything; prizes won.
    draws        {int} NOT NULL CHECK (draws >= 0),
    players      {int} NOT NULL CHECK (players BETWEEN 0 AND draws),
    winners      {int} NOT NULL CHECK (winners BETWEEN 0 AND players),
    wins         {int} NOT NULL CHECK (wins >= winners),
    PRIMARY KEY (activity_id, round)
){keyed};

-- What one prize of a round has come to; without a row nothing is known of it.
CREATE TABLE play_prizes (
    activity_id {int} NOT NULL,
    round       {int} NOT NULL,
    prize_id    {int} NOT NULL,
    given       {int} NOT NULL CHECK (given >= 0),
    -- Units given in the last hour that gave any: hours since 1970, and how many.
    hour        {int} NOT NULL,
    in_hour     {int} NOT NULL CHECK (in_hour BETWEEN 0 AND given),
    -- Taken back by an operator.
    withdrawn   {int} NOT NULL CHECK (withdrawn IN (0, 1)),
    PRIMARY KEY (activity_id, round, prize_id)
){keyed};

-- One player in one round; without a row nothing was used and nothing granted. By round first: a ledger starts from
-- the current ones, and a raffle's roll is one stretch of it.
CREATE TABLE players (
    activity_id {int} NOT NULL,
    round       {int} NOT NULL,
    user_id     {int} NOT NULL,
    -- Granted and not yet used.
    bonus       {int} NOT NULL CHECK (bonus >= 0),
    -- Used of what everybody has: in all, in the month and on the day last played.
    used        {int} NOT NULL CHECK (used >= 0),
    month_used  {int} NOT NULL CHECK (month_used BETWEEN 0 AND used),
    day_used    {int} NOT NULL CHECK (day_used BETWEEN 0 AND month_used),
    -- The last day played, as yyyymmdd.
    day         {int} NOT NULL,
    draws       {int} NOT NULL CHECK (draws >= 0),
    day_draws   {int} NOT NULL CHECK (day_draws BETWEEN 0 AND draws),
    -- Draws without a prize since the last prize, and prizes won.
    misses      {int} NOT NULL CHECK (misses >= 0),
    won         {int} NOT NULL CHECK (won BETWEEN 0 AND draws),
    -- The event that made the last ticket, from where the player's tickets lead back one by one; 0 before the first.
    last_seq    {int} NOT NULL,
    -- The player's own share of the luck, where one was given.
    client      {bytes} CHECK (length(client) = 16),
    PRIMARY KEY (activity_id, round, user_id)
){keyed};

-- Wins of prizes with a cap per player.
CREATE TABLE player_wins (
    activity_id {int} NOT NULL,
    round       {int} NOT NULL,
    user_id     {int} NOT NULL,
    prize_id    {int} NOT NULL,
    units       {int} NOT NULL CHECK (units > 0),
    PRIMARY KEY (activity_id, round, user_id, prize_id)
){keyed};

-- Those who won the most in a round, a hundred at most. Wins only grow, so whoever is to be here is here already or
-- wins in the batch at hand.
CREATE TABLE leaders (
    activity_id {int} NOT NULL,
    round       {int} NOT NULL,
    user_id     {int} NOT NULL,
    won         {int} NOT NULL CHECK (won > 0),
    PRIMARY KEY (activity_id, round, user_id)
){keyed};

CREATE TABLE tickets (
    made_seq    {int} PRIMARY KEY,
    ticket_key  {bytes} NOT NULL CHECK (length(ticket_key) = 16),
    fingerprint {int} NOT NULL,
    body        {int} NOT NULL,
    user_id     {int} NOT NULL,
    activity_id {int} NOT NULL,
    round       {int} NOT NULL,
    version     {int} NOT NULL,
    -- The number of its first draw, and how many there are.
    first_draw  {int} NOT NULL CHECK (first_draw >= 0),
    draws       {int} NOT NULL CHECK (draws BETWEEN 1 AND 10),
    made        {int} NOT NULL,
    -- The player's ticket before this one; 0 for the first.
    before_seq  {int} NOT NULL CHECK (before_seq BETWEEN 0 AND made_seq - 1),
    -- All null while it is open.
    settled_seq {int},
    settled     {int},
    settlement  {bytes},
    -- Where its record stands in the chain of its version; null for what was not drawn in one step.
    place       {int} CHECK (place > 0),
    link        {bytes} CHECK (length(link) = 32),
    -- As with holds: where the index by fingerprint has it.
    era         {int} NOT NULL,
    CHECK ((settled_seq IS NULL) = (settled IS NULL) AND (settled_seq IS NULL) = (settlement IS NULL)),
    CHECK ((place IS NULL) = (link IS NULL) AND (place IS NULL OR settled_seq IS NOT NULL))
){strict};

-- A player has one open ticket at most, whatever happens; a round's open tickets stand together.
CREATE UNIQUE INDEX tickets_open ON tickets (activity_id, round, user_id) WHERE settled_seq IS NULL;
CREATE INDEX tickets_fingerprint ON tickets (era, fingerprint);
-- Always added to at the end of a chain. No place is taken twice, whatever happens.
CREATE UNIQUE INDEX tickets_chain ON tickets (activity_id, round, version, place) WHERE place IS NOT NULL;

-- One prize won in one draw.
CREATE TABLE wins (
    -- The event that made the ticket, times 16, and which draw of the ticket it was.
    id          {int} PRIMARY KEY,
    user_id     {int} NOT NULL,
    activity_id {int} NOT NULL,
    round       {int} NOT NULL,
    version     {int} NOT NULL,
    -- The number of the draw among the player's of the round.
    draw_no     {int} NOT NULL CHECK (draw_no >= 0),
    prize_id    {int} NOT NULL,
    points      {int} NOT NULL CHECK (points >= 0),
    cost_minor  {int} NOT NULL CHECK (cost_minor >= 0),
    at_ms       {int} NOT NULL
){strict};

CREATE INDEX wins_user ON wins (user_id, id);
CREATE INDEX wins_activity ON wins (activity_id, id);

-- What was drawn, hour by hour.
CREATE TABLE draw_hours (
    activity_id {int} NOT NULL,
    round       {int} NOT NULL,
    -- Hours since 1970.
    hour        {int} NOT NULL,
    -- -1 is no prize.
    prize_id    {int} NOT NULL CHECK (prize_id >= -1),
    draws       {int} NOT NULL CHECK (draws > 0),
    cost_minor  {int} NOT NULL CHECK (cost_minor >= 0),
    points      {int} NOT NULL CHECK (points >= 0),
    PRIMARY KEY (activity_id, round, hour, prize_id)
){keyed};

-- What is done at once and makes no ticket; kept so that a repetition hears the same.
CREATE TABLE play_commands (
    seq         {int} PRIMARY KEY,
    command_key {bytes} NOT NULL CHECK (length(command_key) = 16),
    fingerprint {int} NOT NULL,
    body        {int} NOT NULL,
    -- 0 for what is about all of them.
    activity_id {int} NOT NULL,
    round       {int} NOT NULL,
    kind        TEXT NOT NULL CHECK (kind IN ('opened', 'terms', 'state', 'prize', 'halted', 'granted')),
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
