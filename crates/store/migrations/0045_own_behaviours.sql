-- For whom somebody did something of a kind last: what is done towards one author counts once a day.
CREATE TABLE social_acts (
    user_id   {int} NOT NULL REFERENCES users (id),
    kind      TEXT NOT NULL,
    author_id {int} NOT NULL,
    day       {int} NOT NULL,
    PRIMARY KEY (user_id, kind, author_id)
){keyed};
