-- Activities whose list of winners is for everybody, with masked names.
CREATE TABLE published_winners (
    activity_id  {int} PRIMARY KEY,
    published_ms {int} NOT NULL
){strict};

-- Points that somebody has moved by hand on one day: the newest day they did.
CREATE TABLE points_by_hand (
    actor TEXT NOT NULL PRIMARY KEY,
    day   {int} NOT NULL,
    moved {int} NOT NULL CHECK (moved >= 0)
){keyed};

-- Of what was voided after it had been given: how much could be taken back.
CREATE TABLE taken_back (
    fulfilment_id {int} PRIMARY KEY,
    units         {int} NOT NULL CHECK (units >= 0)
){strict};

-- Whoever deletes their account is found in the log of what receivers were told, and among what they were not.
CREATE INDEX deliveries_user ON deliveries (user_id) WHERE user_id <> 0;
CREATE INDEX dead_letters_user ON dead_letters (user_id);
