-- The digest of the log's block that holds the last projected event. Empty where the log does not chain its blocks.

ALTER TABLE ledger_position ADD COLUMN digest {bytes};
