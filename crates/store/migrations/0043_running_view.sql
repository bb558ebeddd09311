-- What is seen of an activity while it runs and after: which game players see, when it ended, and its first hours by minute.

-- Null where the players' page chooses one that fits.
ALTER TABLE activity_versions ADD COLUMN game TEXT CHECK (game IN ('wheel', 'grid', 'reels', 'box'));

-- When its round ended, by hand or by the clock. Null while it is not closed, and for rounds that were closed before this
-- column was there.
ALTER TABLE activities ADD COLUMN ended_ms {int};
CREATE INDEX activities_ended ON activities (ended_ms) WHERE ended_ms IS NOT NULL;

-- What was drawn, minute by minute, in the first hours of a round.
CREATE TABLE draw_minutes (
    activity_id {int} NOT NULL,
    round       {int} NOT NULL,
    -- Minutes since 1970.
    minute      {int} NOT NULL,
    draws       {int} NOT NULL CHECK (draws > 0),
    wins        {int} NOT NULL CHECK (wins BETWEEN 0 AND draws),
    PRIMARY KEY (activity_id, round, minute)
){keyed};
