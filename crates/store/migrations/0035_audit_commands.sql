-- A line about a command of the ledger names it: however often the command is repeated around a crash, it has one line.
ALTER TABLE audit ADD COLUMN command_key {bytes};
CREATE UNIQUE INDEX audit_command ON audit (command_key) WHERE command_key IS NOT NULL;
