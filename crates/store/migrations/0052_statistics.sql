-- Statistics: how many came on a day, never who. A day is a date of the site's zone, counted from 1970-01-01.

-- How many different visitors or people a step of a campaign had, or the whole site: hashes under a key outside the database,
-- or what is left of them when there are many. Rows of several days are united. No row is longer than nine kilobytes.
CREATE TABLE visit_counts (
    -- 0 is the whole site, in round 0.
    activity_id {int} NOT NULL CHECK (activity_id >= 0),
    round       {int} NOT NULL CHECK (round >= 0),
    step        TEXT NOT NULL CHECK (step IN ('visitors', 'signed_in', 'attempted')),
    day         {int} NOT NULL,
    counted     {bytes} NOT NULL CHECK (length(counted) BETWEEN 1 AND 9000),
    PRIMARY KEY (activity_id, step, round, day)
){keyed};

CREATE INDEX visit_counts_day ON visit_counts (day);

-- The number of everybody who was active, from 1 on without gaps. It goes with the account, and is never given again: the bits
-- of a deleted account lead to nobody.
CREATE TABLE active_people (
    user_id {int} PRIMARY KEY REFERENCES users (id),
    number  {int} NOT NULL UNIQUE CHECK (number > 0)
){strict};

CREATE TABLE active_people_last (
    id     {int} PRIMARY KEY CHECK (id = 1),
    number {int} NOT NULL CHECK (number >= 0)
){strict};

INSERT INTO active_people_last (id, number) VALUES (1, 0);

-- Who was active on a day, and who was for the first time: a bit for each number, in chunks of 32,768.
CREATE TABLE active_days (
    day    {int} NOT NULL,
    kind   TEXT NOT NULL CHECK (kind IN ('active', 'new')),
    chunk  {int} NOT NULL CHECK (chunk >= 0),
    -- The bits that are set.
    people {int} NOT NULL CHECK (people > 0),
    bits   {bytes} NOT NULL CHECK (length(bits) BETWEEN 1 AND 4096),
    PRIMARY KEY (day, kind, chunk)
){keyed};

-- Draws of a day, over all activities.
CREATE INDEX draw_hours_hour ON draw_hours (hour);
