-- What people hear about: each once, and the groups in which pages show them.

CREATE TABLE notifications (
    user_id   {int} NOT NULL REFERENCES users (id),
    kind      TEXT NOT NULL CHECK (kind IN ('comment', 'reply', 'mention', 'like', 'follow', 'win', 'shipping',
                                            'moderation', 'message', 'reminder')),
    -- 0 is nobody: the site itself.
    actor_id  {int} NOT NULL,
    object_id {int} NOT NULL,
    about     TEXT NOT NULL CHECK (about IN ('post', 'comment', 'person', 'activity', 'parcel')),
    about_id  {int} NOT NULL,
    made_ms   {int} NOT NULL,
    id        {int} NOT NULL,
    PRIMARY KEY (user_id, kind, actor_id, object_id)
){keyed};

CREATE INDEX notifications_of_group ON notifications (user_id, kind, about, about_id, made_ms, id);
CREATE INDEX notifications_of_actor ON notifications (user_id, kind, about, about_id, actor_id);
CREATE INDEX notifications_oldest ON notifications (made_ms);

-- Everything of one kind about one thing.
CREATE TABLE notification_groups (
    user_id   {int} NOT NULL REFERENCES users (id),
    kind      TEXT NOT NULL,
    about     TEXT NOT NULL,
    about_id  {int} NOT NULL,
    -- The key of the newest one in it.
    newest_ms {int} NOT NULL,
    newest_id {int} NOT NULL,
    -- How many, by how many people, and how many that were not seen yet.
    times     {int} NOT NULL CHECK (times > 0),
    people    {int} NOT NULL CHECK (people >= 0),
    unread    {int} NOT NULL CHECK (unread >= 0),
    PRIMARY KEY (user_id, kind, about, about_id)
){keyed};

CREATE INDEX notification_groups_newest ON notification_groups (user_id, newest_ms, newest_id);
CREATE INDEX notification_groups_unread ON notification_groups (user_id) WHERE unread > 0;
CREATE INDEX notification_groups_oldest ON notification_groups (newest_ms);

-- Kinds that somebody switched off.
CREATE TABLE notification_switches (
    user_id {int} NOT NULL REFERENCES users (id),
    kind    TEXT NOT NULL,
    PRIMARY KEY (user_id, kind)
){keyed};

-- People and threads that somebody does not want to hear of.
CREATE TABLE notification_mutes (
    user_id  {int} NOT NULL REFERENCES users (id),
    muted    TEXT NOT NULL CHECK (muted IN ('person', 'post')),
    muted_id {int} NOT NULL,
    at_ms    {int} NOT NULL,
    PRIMARY KEY (user_id, muted, muted_id)
){keyed};

-- Who is named in a post or a comment, by the name as it was written there.
CREATE TABLE mentions (
    about       TEXT NOT NULL CHECK (about IN ('post', 'comment')),
    about_id    {int} NOT NULL,
    name_folded TEXT NOT NULL,
    mentioned_id {int} NOT NULL REFERENCES users (id),
    PRIMARY KEY (about, about_id, name_folded)
){keyed};

CREATE INDEX mentions_of ON mentions (mentioned_id);
CREATE INDEX users_by_name ON users (name_folded);
