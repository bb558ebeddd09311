-- What is published names players by their number in the round, never by their account.

-- Given with the first ticket; null before it.
ALTER TABLE players ADD COLUMN seat {int} CHECK (seat > 0);

-- As on the roll.
ALTER TABLE raffle_winners ADD COLUMN seat {int} NOT NULL DEFAULT 0;
