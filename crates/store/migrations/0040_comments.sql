-- Comments: trees on posts, activities and people.

-- What is commented on. The row is locked by whoever comments, so that keys rise in the order of commits.
CREATE TABLE comment_threads (
    subject    TEXT NOT NULL CHECK (subject IN ('post', 'activity', 'person')),
    subject_id {int} NOT NULL,
    -- Comments that can be read.
    comments   {int} NOT NULL DEFAULT 0 CHECK (comments >= 0),
    -- The key of the newest one.
    time_ms    {int} NOT NULL DEFAULT 0,
    comment_id {int} NOT NULL DEFAULT 0,
    PRIMARY KEY (subject, subject_id)
){keyed};

CREATE TABLE comments (
    id          {int} PRIMARY KEY,
    subject     TEXT NOT NULL CHECK (subject IN ('post', 'activity', 'person')),
    subject_id  {int} NOT NULL,
    author_id   {int} NOT NULL REFERENCES users (id),
    author_gone {int} NOT NULL DEFAULT 0 CHECK (author_gone IN (0, 1)),
    state       TEXT NOT NULL CHECK (state IN ('visible', 'held', 'removed', 'deleted')),
    -- Null for a comment on the thing itself.
    root_id     {int} REFERENCES comments (id),
    parent_id   {int} REFERENCES comments (id),
    depth       {int} NOT NULL CHECK (depth BETWEEN 1 AND 8),
    -- The comment that it replies to; beyond the greatest depth that is not its parent.
    reply_to    {int} REFERENCES comments (id),
    body        TEXT NOT NULL,
    made_ms     {int} NOT NULL,
    likes       {int} NOT NULL DEFAULT 0 CHECK (likes >= 0),
    -- Visible ones under it, at any depth.
    replies     {int} NOT NULL DEFAULT 0 CHECK (replies >= 0),
    CHECK ((root_id IS NULL) = (depth = 1) AND (parent_id IS NULL) = (depth = 1))
){strict};

CREATE INDEX comments_roots ON comments (subject, subject_id, made_ms, id) WHERE root_id IS NULL;
CREATE INDEX comments_liked ON comments (subject, subject_id, likes, id) WHERE root_id IS NULL;
CREATE INDEX comments_under ON comments (root_id, made_ms, id) WHERE root_id IS NOT NULL;
CREATE INDEX comments_by ON comments (author_id);

CREATE TABLE comment_likes (
    user_id    {int} NOT NULL REFERENCES users (id),
    comment_id {int} NOT NULL REFERENCES comments (id),
    at_ms      {int} NOT NULL,
    PRIMARY KEY (user_id, comment_id)
){keyed};
