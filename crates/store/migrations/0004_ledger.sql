-- The ledger's projection: what the journal says, as rows, with the position reached in the same transaction.
--
-- The journal is the truth and one projector writes here, in order. So there are no foreign keys (each would cost a
-- look-up per row); what can go wrong between a counter and its rows is refused by CHECKs instead. Tables that grow
-- have event numbers first in their key: new rows go to the end, whatever the size.

-- How far the projection of each shard has come. The term only rises: an older projector is refused.
CREATE TABLE ledger_position (
    shard {int} PRIMARY KEY CHECK (shard >= 0),
    seq   {int} NOT NULL CHECK (seq >= 0),
    term  {int} NOT NULL CHECK (term >= 0),
    -- The time of the event at seq: the ledger's clock goes on from here.
    at_ms {int} NOT NULL
){strict};

INSERT INTO ledger_position (shard, seq, term, at_ms) VALUES (0, 0, 0, 0);

CREATE TABLE pools (
    id    {int} PRIMARY KEY,
    -- The current round.
    round {int} NOT NULL CHECK (round > 0)
){strict};

-- One life of a pool. Counters change by deltas only.
CREATE TABLE pool_rounds (
    pool_id   {int} NOT NULL,
    round     {int} NOT NULL CHECK (round > 0),
    state     TEXT NOT NULL CHECK (state IN ('open', 'frozen', 'closed')),
    -- Units one owner may have; 0 is no limit.
    owner_max {int} NOT NULL CHECK (owner_max >= 0),
    total     {int} NOT NULL CHECK (total >= 0),
    available {int} NOT NULL CHECK (available >= 0),
    held      {int} NOT NULL CHECK (held >= 0),
    taken     {int} NOT NULL CHECK (taken >= 0),
    PRIMARY KEY (pool_id, round),
    CHECK (total = available + held + taken)
){keyed};

-- Units an owner holds or has taken, for limits. The owner is a digest; the text is with the holds.
CREATE TABLE pool_owners (
    pool_id  {int} NOT NULL,
    round    {int} NOT NULL,
    owner_id {int} NOT NULL,
    units    {int} NOT NULL CHECK (units > 0),
    PRIMARY KEY (pool_id, round, owner_id)
){keyed};

-- A hold, keyed by the event that made it. 'spent' is an id that was cancelled before its hold arrived.
CREATE TABLE holds (
    made_seq    {int} PRIMARY KEY,
    hold_key    {bytes} NOT NULL CHECK (length(hold_key) = 16),
    -- The first eight bytes of the key, as a signed integer.
    fingerprint {int} NOT NULL,
    id          TEXT NOT NULL,
    caller      {int} NOT NULL,
    owner       TEXT,
    body        {int} NOT NULL,
    made        {int} NOT NULL,
    due         {int} NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('held', 'confirmed', 'cancelled', 'expired', 'spent')),
    -- Both null while it is open.
    ended_seq   {int},
    ended       {int},
    -- The number of the event that made it, or once it has ended of the one that ended it, without its lower bits:
    -- see the indexes.
    era         {int} NOT NULL,
    CHECK ((state = 'held') = (ended_seq IS NULL) AND (ended_seq IS NULL) = (ended IS NULL))
){strict};

-- A hold is found by its fingerprint, era by era. Fingerprints come in no order: in one index over all holds each new
-- entry would dirty a page of its own, and the more the larger the index. An era's part of it stays small.
CREATE INDEX holds_open ON holds (era, fingerprint) WHERE state = 'held';
CREATE INDEX holds_ended ON holds (era, fingerprint) WHERE state <> 'held';

CREATE TABLE hold_lines (
    made_seq {int} NOT NULL,
    line     {int} NOT NULL CHECK (line BETWEEN 0 AND 1023),
    pool_id  {int} NOT NULL,
    round    {int} NOT NULL,
    units    {int} NOT NULL CHECK (units > 0),
    taken    {int} NOT NULL DEFAULT 0 CHECK (taken BETWEEN 0 AND units),
    PRIMARY KEY (made_seq, line)
){keyed};

CREATE TABLE hold_extensions (
    made_seq   {int} NOT NULL,
    seq        {int} NOT NULL,
    at_ms      {int} NOT NULL,
    due_before {int} NOT NULL,
    due        {int} NOT NULL CHECK (due > due_before),
    PRIMARY KEY (made_seq, seq)
){keyed};

-- Every change of a pool's counters or settings, one row per event and pool.
CREATE TABLE movements (
    seq             {int} NOT NULL,
    line            {int} NOT NULL CHECK (line BETWEEN 0 AND 1023),
    at_ms           {int} NOT NULL,
    pool_id         {int} NOT NULL,
    round           {int} NOT NULL,
    kind            TEXT NOT NULL,
    delta_total     {int} NOT NULL,
    delta_available {int} NOT NULL,
    delta_held      {int} NOT NULL,
    delta_taken     {int} NOT NULL,
    -- The limit per owner that was set, when one was.
    owner_max       {int},
    -- The hold's made_seq, when a hold moved it.
    hold            {int},
    note            TEXT,
    PRIMARY KEY (seq, line),
    CHECK (delta_total = delta_available + delta_held + delta_taken)
){keyed};

CREATE INDEX movements_pool ON movements (pool_id, seq);

-- Commands to pools are done at once. Their keys are kept so that a repetition hears the same.
CREATE TABLE pool_commands (
    seq         {int} PRIMARY KEY,
    command_key {bytes} NOT NULL CHECK (length(command_key) = 16),
    fingerprint {int} NOT NULL,
    body        {int} NOT NULL,
    pool_id     {int} NOT NULL
){strict};

CREATE INDEX pool_commands_fingerprint ON pool_commands (fingerprint);

-- The fingerprints of everything that finished, eight bytes each, packed by batch: a start reads megabytes, not rows.
CREATE TABLE finished_ids (
    last_seq     {int} PRIMARY KEY,
    fingerprints {bytes} NOT NULL CHECK (length(fingerprints) > 0)
){strict};
