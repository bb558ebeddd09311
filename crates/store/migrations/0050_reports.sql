-- What people bring before the moderators.

CREATE TABLE report_cases (
    id         {int} PRIMARY KEY,
    subject    TEXT NOT NULL CHECK (subject IN ('post', 'comment', 'person', 'message')),
    -- Of a message its conversation, and its number in it; 0 for everything else.
    subject_id {int} NOT NULL,
    n          {int} NOT NULL DEFAULT 0,
    -- Whose it is.
    author_id  {int} NOT NULL REFERENCES users (id),
    state      TEXT NOT NULL CHECK (state IN ('open', 'upheld', 'dismissed')),
    -- Since it was last open.
    reports    {int} NOT NULL CHECK (reports >= 0),
    newest_ms  {int} NOT NULL,
    decided_ms {int},
    UNIQUE (subject, subject_id, n)
){strict};

CREATE INDEX report_cases_newest ON report_cases (state, newest_ms, id);
CREATE INDEX report_cases_most ON report_cases (state, reports, id);
CREATE INDEX report_cases_author ON report_cases (author_id);

CREATE TABLE reports (
    user_id {int} NOT NULL REFERENCES users (id),
    case_id {int} NOT NULL REFERENCES report_cases (id),
    reason  TEXT NOT NULL,
    text    TEXT NOT NULL,
    made_ms {int} NOT NULL,
    PRIMARY KEY (user_id, case_id)
){keyed};

CREATE INDEX reports_of_case ON reports (case_id, made_ms);
CREATE INDEX reports_by ON reports (user_id, made_ms);
