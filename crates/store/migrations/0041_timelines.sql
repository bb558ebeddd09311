-- What has to be known about timelines that are kept outside the database.

-- Rises whenever somebody follows one more person or one fewer: a timeline that was filled before is of other follows.
ALTER TABLE users ADD COLUMN follows_version {int} NOT NULL DEFAULT 0;

-- Posts that are not delivered to every timeline yet, and the follower up to whom they are. Until then they are merged into
-- timelines at read.
CREATE TABLE post_fan_outs (
    post_id      {int} PRIMARY KEY REFERENCES posts (id),
    author_id    {int} NOT NULL REFERENCES users (id),
    published_ms {int} NOT NULL,
    -- The follow that was delivered to last: its moment and its follower.
    after_ms     {int} NOT NULL DEFAULT 0,
    after_id     {int} NOT NULL DEFAULT 0
){strict};

CREATE INDEX post_fan_outs_newest ON post_fan_outs (published_ms, post_id);

-- Authors of posts that are merged into timelines at read.
CREATE TABLE merged_authors (
    author_id {int} PRIMARY KEY REFERENCES users (id)
){strict};

INSERT INTO merged_authors (author_id) SELECT DISTINCT author_id FROM posts WHERE merged = 1;

CREATE INDEX posts_merged ON posts (author_id, published_ms, id) WHERE merged = 1;
