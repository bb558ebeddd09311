-- What needs an operator and was told to those outside, until it does not any more.

CREATE TABLE attention (
    kind     TEXT NOT NULL,
    -- The id or name of what it is about; empty where there is one of its kind.
    subject  TEXT NOT NULL,
    level    TEXT NOT NULL,
    name     TEXT NOT NULL,
    text     TEXT NOT NULL,
    text_zh  TEXT NOT NULL,
    since_ms {int} NOT NULL,
    PRIMARY KEY (kind, subject)
){keyed};

-- What a receiver reads: events, or a sentence for the people of a chat.
ALTER TABLE webhooks ADD COLUMN format TEXT NOT NULL DEFAULT 'event'
    CHECK (format IN ('event', 'slack', 'feishu', 'dingtalk', 'wecom'));
