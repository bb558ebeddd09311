-- Waiting rooms of sales: how many numbers of a round were taken, so that none is given twice. Who waits is in memory, and
-- in the signed places that people keep.

CREATE TABLE sale_rooms (
    activity_id {int} NOT NULL,
    round       {int} NOT NULL CHECK (round > 0),
    taken       {int} NOT NULL CHECK (taken > 0),
    PRIMARY KEY (activity_id, round)
){keyed};
