-- Flash sales are activities of a third kind. The table is made anew, because neither database widens a check in a way
-- that the other knows.

CREATE TABLE activity_versions_wider (
    activity_id     {int} NOT NULL REFERENCES activities (id),
    number          {int} NOT NULL CHECK (number > 0),
    review          TEXT NOT NULL CHECK (review IN ('editing', 'in_review', 'refused', 'approved')),
    -- Goes up with every edit, so that nobody writes over or approves what they have not seen.
    edition         {int} NOT NULL CHECK (edition > 0),
    name            TEXT NOT NULL,
    description     TEXT NOT NULL,
    from_ms         {int} NOT NULL,
    until_ms        {int} NOT NULL CHECK (until_ms > from_ms),
    zone            TEXT NOT NULL,
    kind            TEXT NOT NULL CHECK (kind IN ('instant', 'raffle', 'sale')),
    -- Whether ten at a time are offered.
    ten             {int} CHECK (ten IN (0, 1)),
    draw_at         {int},
    beacon          TEXT,
    -- Null where they are not counted.
    entries         {int},
    chances_total   {int} NOT NULL,
    chances_month   {int},
    chances_day     {int},
    tree_id         {int},
    -- Fixed when the version is submitted.
    tree_version    {int},
    -- The strategy, the raffle's prizes or what is sold, in their published form.
    plan            {bytes} NOT NULL,
    made_by         TEXT NOT NULL,
    made_at         {int} NOT NULL,
    submitted_by    TEXT,
    submitted_at    {int},
    decided_by      TEXT,
    decided_at      {int},
    decision_reason TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (activity_id, number),
    CHECK ((kind = 'instant') = (ten IS NOT NULL) AND (kind = 'raffle') = (draw_at IS NOT NULL)),
    CHECK ((submitted_by IS NULL) = (submitted_at IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL))
){keyed};

INSERT INTO activity_versions_wider
    (activity_id, number, review, edition, name, description, from_ms, until_ms, zone, kind, ten, draw_at, beacon,
     entries, chances_total, chances_month, chances_day, tree_id, tree_version, plan, made_by, made_at, submitted_by,
     submitted_at, decided_by, decided_at, decision_reason)
SELECT activity_id, number, review, edition, name, description, from_ms, until_ms, zone, kind, ten, draw_at, beacon,
     entries, chances_total, chances_month, chances_day, tree_id, tree_version, plan, made_by, made_at, submitted_by,
     submitted_at, decided_by, decided_at, decision_reason
FROM activity_versions;

DROP TABLE activity_versions;
ALTER TABLE activity_versions_wider RENAME TO activity_versions;

-- What a version of a sale sells for. Written before the ledger hears of the version, so that whoever reads a hold of it
-- finds its price here. Never changed and never deleted.
CREATE TABLE sale_prices (
    activity_id  {int} NOT NULL,
    version      {int} NOT NULL,
    -- The pool of the ledger that its units are in: sale/<activity>.
    pool_id      {int} NOT NULL,
    name         TEXT NOT NULL,
    item         TEXT NOT NULL CHECK (item IN ('parcel', 'code', 'collectible')),
    -- Of codes: from which pool of codes.
    code_pool_id {int},
    price_minor  {int} NOT NULL CHECK (price_minor > 0),
    currency     TEXT NOT NULL CHECK (length(currency) = 3),
    policy       TEXT NOT NULL CHECK (policy IN ('at_order', 'at_payment')),
    -- Units that one person may have; 0 is no limit.
    per_user     {int} NOT NULL CHECK (per_user >= 0),
    hold_ms      {int} NOT NULL CHECK (hold_ms > 0),
    PRIMARY KEY (activity_id, version),
    CHECK ((item = 'code') = (code_pool_id IS NOT NULL))
){keyed};

CREATE INDEX sale_prices_pool ON sale_prices (pool_id, version);

-- Pictures that were uploaded, as they are shown: made anew in a few widths.
CREATE TABLE pictures (
    id       {int} PRIMARY KEY,
    -- Of what was uploaded, so that the same picture is kept once.
    digest   {bytes} NOT NULL CHECK (length(digest) = 32),
    -- Of the largest one.
    width    {int} NOT NULL CHECK (width > 0),
    height   {int} NOT NULL CHECK (height > 0),
    made_by  TEXT NOT NULL,
    made_ms  {int} NOT NULL
){strict};

CREATE UNIQUE INDEX pictures_digest ON pictures (digest);

CREATE TABLE picture_sizes (
    picture_id {int} NOT NULL REFERENCES pictures (id),
    width      {int} NOT NULL CHECK (width > 0),
    kind       TEXT NOT NULL CHECK (kind IN ('image/png', 'image/jpeg')),
    bytes      {bytes} NOT NULL,
    PRIMARY KEY (picture_id, width)
){keyed};

-- Whoever wants to be told before an activity starts.
CREATE TABLE reminders (
    activity_id {int} NOT NULL,
    user_id     {int} NOT NULL,
    made_ms     {int} NOT NULL,
    -- For which start they were told: once for each. Null before.
    told_from_ms {int},
    PRIMARY KEY (activity_id, user_id)
){keyed};

CREATE INDEX reminders_user ON reminders (user_id, activity_id);
