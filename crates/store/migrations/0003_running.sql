-- Running the place: answers kept for idempotency, recurring jobs, node ids.

-- What this installation remembers about itself, such as which key file it was made with.
CREATE TABLE installation (
    name  TEXT PRIMARY KEY,
    value {bytes} NOT NULL
){keyed};

-- The first answer under an idempotency key.
CREATE TABLE answers (
    principal   TEXT NOT NULL,
    idem_key    TEXT NOT NULL,
    fingerprint {bytes} NOT NULL CHECK (length(fingerprint) = 32),
    made        {int} NOT NULL,
    -- The id of what was created.
    reference   {int} NOT NULL,
    -- What the answer carried and no table keeps, encrypted.
    sealed      {bytes},
    PRIMARY KEY (principal, idem_key)
){keyed};

CREATE INDEX answers_made ON answers (made);

CREATE TABLE jobs (
    name       TEXT NOT NULL PRIMARY KEY,
    schedule   TEXT NOT NULL,
    parameters TEXT NOT NULL,
    paused     {int} NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
    next_due   {int} NOT NULL,
    -- Asked for by hand: due at once, paused or not.
    run_now    {int} NOT NULL DEFAULT 0 CHECK (run_now IN (0, 1)),
    -- Where the last run stopped.
    position   TEXT NOT NULL DEFAULT '',
    -- The lease. A term only rises; nobody holds the job while holder is null.
    term       {int} NOT NULL DEFAULT 0,
    holder     TEXT,
    lease_ends {int},
    CHECK ((holder IS NULL) = (lease_ends IS NULL))
){keyed};

CREATE TABLE job_runs (
    id       {int} PRIMARY KEY,
    job      TEXT NOT NULL REFERENCES jobs (name),
    term     {int} NOT NULL,
    started  {int} NOT NULL,
    -- Both null while it runs, and for good when its worker died.
    finished {int},
    outcome  TEXT CHECK (outcome IN ('done', 'more', 'failed')),
    handled  {int} NOT NULL DEFAULT 0,
    detail   TEXT NOT NULL DEFAULT '',
    CHECK ((finished IS NULL) = (outcome IS NULL))
){strict};

CREATE INDEX job_runs_job ON job_runs (job, id);
CREATE INDEX job_runs_started ON job_runs (started);

-- Node ids for making ids, each leased by one process at a time.
CREATE TABLE nodes (
    node   {int} PRIMARY KEY CHECK (node >= 0),
    holder TEXT NOT NULL UNIQUE,
    term   {int} NOT NULL,
    ends   {int} NOT NULL
){strict};
