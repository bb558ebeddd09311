-- Checking in: a row for each day of the site's calendar, counted from 1970-01-01. A date that is kept never moves, whatever zone
-- the site is in later.
CREATE TABLE check_ins (
    user_id     {int} NOT NULL REFERENCES users (id),
    day         {int} NOT NULL,
    -- When it was done: a made-up day later than that day.
    at_ms       {int} NOT NULL,
    -- The day on which it was made up; null where somebody checked in.
    made_up_day {int} CHECK (made_up_day > day),
    PRIMARY KEY (user_id, day)
){keyed};

CREATE INDEX check_ins_made_up ON check_ins (user_id, made_up_day) WHERE made_up_day IS NOT NULL;

-- A streak of so many days was rewarded: once per account, also when it is deleted and comes back.
CREATE TABLE check_in_milestones (
    user_id {int} NOT NULL REFERENCES users (id),
    days    {int} NOT NULL CHECK (days > 0),
    points  {int} NOT NULL CHECK (points > 0),
    at_ms   {int} NOT NULL,
    PRIMARY KEY (user_id, days)
){keyed};
