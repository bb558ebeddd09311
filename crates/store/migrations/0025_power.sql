-- Who answers for a key, what waits for a second person before it works, and what one person has given out in a day.

-- The person who made it; null for a key of the command line.
ALTER TABLE api_keys ADD COLUMN maker {int};
-- The request that has to be approved before the key works; null once it does.
ALTER TABLE api_keys ADD COLUMN approval {int};
CREATE INDEX api_keys_maker ON api_keys (maker) WHERE maker IS NOT NULL;

-- The request that has to be approved before the rule gives anything; null while it gives.
ALTER TABLE grant_rules ADD COLUMN approval {int};

-- What one person has moved on one day, by kind: points, chances, refunds of a currency. The newest day they did.
CREATE TABLE by_hand (
    who   TEXT NOT NULL,
    kind  TEXT NOT NULL,
    day   {int} NOT NULL,
    moved {int} NOT NULL CHECK (moved >= 0),
    PRIMARY KEY (who, kind)
){keyed};

INSERT INTO by_hand (who, kind, day, moved) SELECT actor, 'points', day, moved FROM points_by_hand;
DROP TABLE points_by_hand;
