-- People: accounts and what belongs to them. Every table of a user's own things has user_id first in its key.
--
-- Placeholders, expanded per database: {int} is a 64-bit integer, {bytes} a byte string; {strict} ends a
-- table with a single integer as key, {keyed} one with any other key. Times are milliseconds since 1970.

CREATE TABLE users (
    id            {int} PRIMARY KEY,
    created       {int} NOT NULL,
    name          TEXT NOT NULL,
    -- The name in lower case, which is what a search looks at.
    name_folded   TEXT NOT NULL,
    avatar        TEXT NOT NULL DEFAULT '',
    level         {int} NOT NULL DEFAULT 1 CHECK (level >= 0),
    -- A keyed hash to find the phone by, and the phone itself, encrypted.
    phone_index   {bytes} UNIQUE CHECK (length(phone_index) = 32),
    phone_sealed  {bytes},
    password_hash TEXT,
    -- The company's own id of this user.
    external_id   TEXT UNIQUE,
    roles         {int} NOT NULL DEFAULT 0,
    -- No ban: all three are null. A ban without end: ban_until is the greatest integer.
    ban_reason    TEXT,
    ban_since     {int},
    ban_until     {int},
    -- Sessions carry the epoch they began in; raising it ends them all.
    epoch         {int} NOT NULL DEFAULT 0,
    deleted_at    {int},
    -- yyyymmdd in the site's zone.
    sign_up_day   {int} NOT NULL,
    posts         {int} NOT NULL DEFAULT 0 CHECK (posts >= 0),
    followers     {int} NOT NULL DEFAULT 0 CHECK (followers >= 0),
    following     {int} NOT NULL DEFAULT 0 CHECK (following >= 0),
    CHECK ((phone_index IS NULL) = (phone_sealed IS NULL)),
    CHECK ((ban_until IS NULL) = (ban_reason IS NULL) AND (ban_until IS NULL) = (ban_since IS NULL)),
    -- A deleted account keeps its id and nothing that leads to a person.
    CHECK (
        deleted_at IS NULL
        OR (
            phone_index IS NULL AND password_hash IS NULL AND external_id IS NULL
            AND roles = 0 AND avatar = ''
        )
    )
){strict};

-- Staff are few: who is an admin is answered without looking at every player.
CREATE INDEX users_staff ON users (id) WHERE roles <> 0;
CREATE INDEX users_banned ON users (id) WHERE ban_until IS NOT NULL;

CREATE TABLE sessions (
    user_id    {int} NOT NULL REFERENCES users (id),
    id         {int} NOT NULL UNIQUE,
    token_hash {bytes} NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    started    {int} NOT NULL,
    seen       {int} NOT NULL CHECK (seen >= started),
    epoch      {int} NOT NULL,
    agent      TEXT NOT NULL,
    address    TEXT NOT NULL,
    PRIMARY KEY (user_id, id)
){keyed};

CREATE INDEX sessions_seen ON sessions (seen);
CREATE INDEX sessions_started ON sessions (started);

-- The code of a phone for a purpose: a keyed hash, never the digits. A burnt code has no hash any more, but
-- still says when it was sent, so that the pause before the next one holds.
CREATE TABLE codes (
    phone_index {bytes} NOT NULL CHECK (length(phone_index) = 32),
    purpose     TEXT NOT NULL,
    hash        {bytes} CHECK (length(hash) = 32),
    sent        {int} NOT NULL,
    tries       {int} NOT NULL DEFAULT 0 CHECK (tries >= 0),
    PRIMARY KEY (phone_index, purpose)
){keyed};

CREATE INDEX codes_sent ON codes (sent);

-- Codes sent per day, to a phone and on behalf of an address. The day is first: past days go in one range.
CREATE TABLE send_counts (
    day     {int} NOT NULL,
    kind    TEXT NOT NULL CHECK (kind IN ('phone', 'ip')),
    subject {bytes} NOT NULL,
    sent    {int} NOT NULL CHECK (sent > 0),
    PRIMARY KEY (day, kind, subject)
){keyed};

CREATE TABLE addresses (
    user_id    {int} NOT NULL REFERENCES users (id),
    id         {int} NOT NULL,
    sealed     {bytes} NOT NULL,
    is_default {int} NOT NULL CHECK (is_default IN (0, 1)),
    created    {int} NOT NULL,
    PRIMARY KEY (user_id, id)
){keyed};

CREATE UNIQUE INDEX addresses_one_default ON addresses (user_id) WHERE is_default = 1;

-- What rule trees read. The value is JSON; its JSON type is the fact's type.
CREATE TABLE facts (
    user_id {int} NOT NULL REFERENCES users (id),
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    set_at  {int} NOT NULL,
    set_by  TEXT NOT NULL,
    PRIMARY KEY (user_id, name)
){keyed};
