-- Numbered things: of how many, when it was paid; and since when it is not its buyer's any more. A number that was taken
-- back is given to nobody else.

ALTER TABLE collectibles ADD COLUMN of_units {int};
ALTER TABLE collectibles ADD COLUMN taken_back_ms {int};
