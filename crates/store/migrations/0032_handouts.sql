-- What was counted for somebody's day may be chances or pieces.
ALTER TABLE audit_intents RENAME COLUMN chances TO counted;
ALTER TABLE audit_intents ADD COLUMN counted_kind TEXT NOT NULL DEFAULT 'chances';
