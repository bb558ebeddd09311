-- How often a prize was tried once more: what a late report speaks of is told by it.
ALTER TABLE fulfilments ADD COLUMN redriven {int} NOT NULL DEFAULT 0 CHECK (redriven >= 0);

-- From a thing to the order it is given for.
CREATE INDEX shop_things_thing ON shop_things (fulfilment_id);

-- When a grant was given: until then its message is under way.
ALTER TABLE grants ADD COLUMN given_ms {int};
UPDATE grants SET given_ms = made_ms;
