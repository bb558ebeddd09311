-- Prizes of which little is left, from the notice until they are restocked.

CREATE TABLE low_stock (
    activity_id {int} NOT NULL,
    prize_id    {int} NOT NULL,
    -- When it was noticed: units that were free, and of how many.
    units_left  {int} NOT NULL CHECK (units_left >= 0),
    units_total {int} NOT NULL CHECK (units_total >= units_left),
    since       {int} NOT NULL,
    PRIMARY KEY (activity_id, prize_id)
){keyed};
