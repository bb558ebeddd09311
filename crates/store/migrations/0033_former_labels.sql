-- Risk labels of a deleted account, as the fact had them: they come back with the limits and are swept with the mark.
ALTER TABLE former_accounts ADD COLUMN labels TEXT;
