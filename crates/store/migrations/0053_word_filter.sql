-- Words that a text is refused, held or masked for, and texts that wait for a moderator.

CREATE TABLE word_filter (
    id      {int} PRIMARY KEY CHECK (id = 1),
    -- One more with every change.
    version {int} NOT NULL
){strict};

INSERT INTO word_filter (id, version) VALUES (1, 0);

CREATE TABLE filter_words (
    id     {int} PRIMARY KEY,
    -- As texts are compared with it: two spellings are one word.
    folded TEXT NOT NULL UNIQUE,
    word   TEXT NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('mask', 'hold', 'reject'))
){strict};

-- What each version changed. Before or after is null where the word was not, or is not any more, in the list.
CREATE TABLE filter_changes (
    version      {int} NOT NULL,
    folded       TEXT NOT NULL,
    word         TEXT NOT NULL,
    before       TEXT,
    after        TEXT,
    changed_ms   {int} NOT NULL,
    moderator_id {int} REFERENCES users (id),
    PRIMARY KEY (version, folded)
){keyed};

CREATE TABLE held_texts (
    subject    TEXT NOT NULL CHECK (subject IN ('post', 'comment')),
    subject_id {int} NOT NULL,
    author_id  {int} NOT NULL REFERENCES users (id),
    -- Words of the list, a line each.
    words      TEXT NOT NULL,
    held_ms    {int} NOT NULL,
    PRIMARY KEY (subject, subject_id)
){keyed};

CREATE INDEX held_texts_newest ON held_texts (held_ms, subject_id);

-- Whether others ever saw it: what its publishing causes happens once, when it is first released.
ALTER TABLE posts ADD COLUMN shown {int} NOT NULL DEFAULT 1 CHECK (shown IN (0, 1));
ALTER TABLE comments ADD COLUMN shown {int} NOT NULL DEFAULT 1 CHECK (shown IN (0, 1));
