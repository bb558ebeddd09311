-- How often a prize was tried once more: what a late report speaks of is told by it.
ALTER TABLE fulfilments ADD COLUMN redriven {int} NOT NULL DEFAULT 0 CHECK (redriven >= 0);

-- From a thing to the order it is given for.
CREATE INDEX shop_things_thing ON shop_things (fulfilment_id);
