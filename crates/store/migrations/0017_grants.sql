-- Grants by rule: what a behaviour is worth, what people did, and what they were given for it.

CREATE TABLE grant_rules (
    id          {int} PRIMARY KEY,
    name        TEXT NOT NULL,
    -- Of one activity; null is the whole site.
    campaign_id {int},
    behaviour   TEXT NOT NULL,
    gives       TEXT NOT NULL CHECK (gives IN ('chances', 'points')),
    -- Whose chances.
    activity_id {int},
    -- When points expire, if not as the site says.
    expiry      TEXT,
    amount      {int} NOT NULL CHECK (amount > 0),
    period      TEXT NOT NULL CHECK (period IN ('once', 'day', 'month', 'each')),
    zone        TEXT NOT NULL,
    times       {int} NOT NULL CHECK (times > 0),
    cap_user    {int},
    cap_total   {int},
    from_ms     {int},
    until_ms    {int},
    is_on       {int} NOT NULL,
    edition     {int} NOT NULL CHECK (edition > 0),
    made_ms     {int} NOT NULL,
    -- Points or chances so far. It is never lowered: what is reversed does not come back to the budget.
    given       {int} NOT NULL DEFAULT 0 CHECK (given >= 0),
    CHECK ((gives = 'chances') = (activity_id IS NOT NULL))
){strict};

CREATE INDEX grant_rules_behaviour ON grant_rules (behaviour, id);

-- What somebody did, under the key of whoever told it: once among those of its kind.
CREATE TABLE behaviours (
    kind      TEXT NOT NULL,
    idem_key  TEXT NOT NULL,
    user_id   {int} NOT NULL,
    object    TEXT,
    at_ms     {int} NOT NULL,
    made_ms   {int} NOT NULL,
    -- Rules that gave nothing, and why: rule:why with spaces.
    passed    TEXT NOT NULL,
    undone_ms {int},
    PRIMARY KEY (kind, idem_key)
){keyed};

CREATE TABLE grants (
    id             {int} PRIMARY KEY,
    rule_id        {int} NOT NULL REFERENCES grant_rules (id),
    user_id        {int} NOT NULL,
    -- '' for once, a day, a month, or the behaviour's key.
    period         TEXT NOT NULL,
    n              {int} NOT NULL CHECK (n > 0),
    behaviour_kind TEXT NOT NULL,
    behaviour_key  TEXT NOT NULL,
    -- Whose chances; null for points.
    activity_id    {int},
    amount         {int} NOT NULL CHECK (amount > 0),
    -- Of points: when they expire. The greatest integer: never.
    expires        {int},
    at_ms          {int} NOT NULL,
    made_ms        {int} NOT NULL,
    reversed_ms    {int},
    -- How much could be taken back.
    taken          {int} CHECK (taken BETWEEN 0 AND amount),
    reason         TEXT,
    CHECK ((activity_id IS NULL) <> (expires IS NULL)),
    CHECK ((reversed_ms IS NULL) = (taken IS NULL) AND (reversed_ms IS NULL) = (reason IS NULL))
){strict};

-- A place is taken once, whatever happens.
CREATE UNIQUE INDEX grants_place ON grants (rule_id, user_id, period, n);
CREATE INDEX grants_user ON grants (user_id, id);
CREATE INDEX grants_rule ON grants (rule_id, id);
CREATE INDEX grants_behaviour ON grants (behaviour_kind, behaviour_key);

-- Points or chances that a rule gave to one user.
CREATE TABLE grant_users (
    rule_id {int} NOT NULL,
    user_id {int} NOT NULL,
    given   {int} NOT NULL CHECK (given > 0),
    PRIMARY KEY (rule_id, user_id)
){keyed};
