-- The community: posts, likes and votes, and who follows or blocks whom.

-- The key of the newest post. It is read and raised under its lock in the transaction that publishes, so that keys are
-- assigned in the order of commits.
CREATE TABLE community_clock (
    id      {int} PRIMARY KEY CHECK (id = 1),
    time_ms {int} NOT NULL,
    post_id {int} NOT NULL
){strict};

INSERT INTO community_clock (id, time_ms, post_id) VALUES (1, 0, 0);

CREATE TABLE posts (
    id           {int} PRIMARY KEY,
    author_id    {int} NOT NULL REFERENCES users (id),
    -- The account was deleted after this was written: it is by nobody, also when the account comes back.
    author_gone  {int} NOT NULL DEFAULT 0 CHECK (author_gone IN (0, 1)),
    state        TEXT NOT NULL CHECK (state IN ('visible', 'held', 'removed', 'deleted')),
    title        TEXT NOT NULL,
    link         TEXT,
    -- Markdown, as it was written.
    body         TEXT NOT NULL,
    excerpt      TEXT NOT NULL,
    -- Counted from 1; every edit is one more.
    version      {int} NOT NULL DEFAULT 1 CHECK (version > 0),
    published_ms {int} NOT NULL,
    edited_ms    {int},
    likes        {int} NOT NULL DEFAULT 0 CHECK (likes >= 0),
    votes        {int} NOT NULL DEFAULT 0 CHECK (votes >= 0),
    comments     {int} NOT NULL DEFAULT 0 CHECK (comments >= 0),
    score        {int} NOT NULL,
    pinned       {int} NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    featured     {int} NOT NULL DEFAULT 0 CHECK (featured IN (0, 1)),
    locked       {int} NOT NULL DEFAULT 0 CHECK (locked IN (0, 1)),
    -- The author had so many followers that timelines merge it at read instead of having it delivered.
    merged       {int} NOT NULL DEFAULT 0 CHECK (merged IN (0, 1))
){strict};

CREATE INDEX posts_latest ON posts (published_ms, id) WHERE state = 'visible';
CREATE INDEX posts_featured ON posts (published_ms, id) WHERE state = 'visible' AND featured = 1;
CREATE INDEX posts_hot ON posts (pinned, score, id) WHERE state = 'visible';
CREATE INDEX posts_by_author ON posts (author_id, published_ms, id);

-- What a post said before it was edited.
CREATE TABLE post_versions (
    post_id {int} NOT NULL REFERENCES posts (id),
    version {int} NOT NULL CHECK (version > 0),
    title   TEXT NOT NULL,
    link    TEXT,
    body    TEXT NOT NULL,
    -- Until when it said so.
    until_ms {int} NOT NULL,
    PRIMARY KEY (post_id, version)
){keyed};

CREATE TABLE post_likes (
    user_id {int} NOT NULL REFERENCES users (id),
    post_id {int} NOT NULL REFERENCES posts (id),
    at_ms   {int} NOT NULL,
    PRIMARY KEY (user_id, post_id)
){keyed};

CREATE INDEX post_likes_newest ON post_likes (post_id, at_ms, user_id);

CREATE TABLE post_votes (
    user_id {int} NOT NULL REFERENCES users (id),
    post_id {int} NOT NULL REFERENCES posts (id),
    at_ms   {int} NOT NULL,
    PRIMARY KEY (user_id, post_id)
){keyed};

CREATE INDEX post_votes_of ON post_votes (post_id);

CREATE TABLE follows (
    user_id     {int} NOT NULL REFERENCES users (id),
    followed_id {int} NOT NULL REFERENCES users (id),
    at_ms       {int} NOT NULL,
    PRIMARY KEY (user_id, followed_id),
    CHECK (user_id <> followed_id)
){keyed};

CREATE INDEX follows_newest ON follows (user_id, at_ms, followed_id);
CREATE INDEX follows_followers ON follows (followed_id, at_ms, user_id);

CREATE TABLE blocks (
    user_id    {int} NOT NULL REFERENCES users (id),
    blocked_id {int} NOT NULL REFERENCES users (id),
    at_ms      {int} NOT NULL,
    PRIMARY KEY (user_id, blocked_id),
    CHECK (user_id <> blocked_id)
){keyed};

CREATE INDEX blocks_of ON blocks (blocked_id, user_id);
CREATE INDEX blocks_newest ON blocks (user_id, at_ms, blocked_id);

-- How often somebody did something on a day of the site's zone. Only a day's own row is ever read.
CREATE TABLE community_days (
    user_id {int} NOT NULL REFERENCES users (id),
    act     TEXT NOT NULL CHECK (act IN ('post', 'comment', 'like', 'follow', 'edit')),
    day     {int} NOT NULL,
    done    {int} NOT NULL CHECK (done > 0),
    PRIMARY KEY (user_id, act)
){keyed};
