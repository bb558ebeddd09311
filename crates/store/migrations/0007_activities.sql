-- Activities as people write and review them. What the ledger knows of them is projected into the play_ tables.

CREATE TABLE activities (
    id            {int} PRIMARY KEY,
    state         TEXT NOT NULL CHECK (state IN
        ('editing', 'in_review', 'refused', 'approved', 'running', 'paused', 'closed', 'reopened')),
    round         {int} NOT NULL CHECK (round > 0),
    -- The version in place; none before the first approval.
    live_version  {int},
    -- The version in the making, if there is one.
    draft_version {int},
    -- Goes up with every step of its life; what is sent to the ledger is known by it.
    step          {int} NOT NULL CHECK (step >= 0),
    -- Whether the ledger has yet to hear of the last step.
    carry         {int} NOT NULL CHECK (carry IN (0, 1)),
    -- When the clock asks for something next.
    look_at       {int},
    -- What the ledger was last known to have.
    ledger_round   {int} NOT NULL DEFAULT 0,
    ledger_version {int} NOT NULL DEFAULT 0,
    ledger_state   TEXT NOT NULL DEFAULT '' CHECK (ledger_state IN ('', 'open', 'paused', 'closed')),
    cloned_from   {int},
    created_by    TEXT NOT NULL,
    created_at    {int} NOT NULL,
    CHECK ((state IN ('editing', 'in_review', 'refused')) = (live_version IS NULL)),
    CHECK (live_version IS NOT NULL OR draft_version IS NOT NULL)
){strict};

CREATE INDEX activities_state ON activities (state, id);
CREATE INDEX activities_look_at ON activities (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX activities_carry ON activities (id) WHERE carry = 1;

CREATE TABLE activity_versions (
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
    kind            TEXT NOT NULL CHECK (kind IN ('instant', 'raffle')),
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
    -- The strategy or the raffle's prizes in their published form.
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

-- Who wrote a part of a version or submitted it: none of them decides about it.
CREATE TABLE activity_authors (
    activity_id {int} NOT NULL,
    number      {int} NOT NULL,
    user_id     {int} NOT NULL,
    PRIMARY KEY (activity_id, number, user_id)
){keyed};

-- Prizes as people see them.
CREATE TABLE prize_cards (
    activity_id {int} NOT NULL,
    number      {int} NOT NULL,
    -- The order in which they were written.
    place       {int} NOT NULL,
    prize       {int} NOT NULL,
    kind        TEXT NOT NULL,
    amount      {int},
    details     TEXT NOT NULL,
    picture     TEXT NOT NULL,
    PRIMARY KEY (activity_id, number, place)
){keyed};

-- How approvals change the activity's pools. A pool is opened once and changed by differences.
CREATE TABLE activity_stock (
    activity_id {int} NOT NULL,
    version     {int} NOT NULL,
    -- The prize; -1 for the entries.
    prize       {int} NOT NULL,
    opens       {int} NOT NULL CHECK (opens IN (0, 1)),
    change      {int} NOT NULL,
    -- Whether the ledger has it.
    done        {int} NOT NULL CHECK (done IN (0, 1)),
    PRIMARY KEY (activity_id, version, prize)
){keyed};

-- One secret per (activity, round, version), never replaced.
CREATE TABLE activity_secrets (
    activity_id   {int} NOT NULL,
    round         {int} NOT NULL,
    version       {int} NOT NULL,
    -- Encrypted under a key outside the database.
    sealed        {bytes} NOT NULL,
    commitment    {bytes} NOT NULL CHECK (length(commitment) = 32),
    strategy_hash {bytes} NOT NULL CHECK (length(strategy_hash) = 32),
    made_at       {int} NOT NULL,
    -- From here on it may be read.
    revealed_at   {int},
    PRIMARY KEY (activity_id, round, version)
){keyed};

CREATE INDEX activity_secrets_hidden ON activity_secrets (activity_id, round) WHERE revealed_at IS NULL;
