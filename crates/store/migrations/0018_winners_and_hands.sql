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
