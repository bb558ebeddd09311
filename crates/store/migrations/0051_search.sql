-- What can be found by its words. The index follows the rows through the outbox and can be made anew from them; who may see
-- what was found is asked of the rows.

-- What is in the index.
CREATE TABLE search_documents (
    kind   TEXT NOT NULL CHECK (kind IN ('post', 'person', 'activity', 'sale', 'offer')),
    id     {int} NOT NULL,
    -- Of its terms: the same are not written again.
    digest {bytes} NOT NULL,
    PRIMARY KEY (kind, id)
){keyed};

-- The terms of each, by its id. They are made by the program; the databases only look for them.
{sqlite}CREATE VIRTUAL TABLE search_post USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
{sqlite}CREATE VIRTUAL TABLE search_activity USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
{sqlite}CREATE VIRTUAL TABLE search_sale USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
{sqlite}CREATE VIRTUAL TABLE search_offer USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
-- Names are kept beside the index, so that one that is deleted is taken out of the file at once.
{sqlite}CREATE VIRTUAL TABLE search_person USING fts5(terms, detail=none, tokenize='ascii');
{sqlite}INSERT INTO search_person (search_person, rank) VALUES ('secure-delete', 1);
{postgres}CREATE TABLE search_post (id BIGINT PRIMARY KEY, terms TSVECTOR NOT NULL);
{postgres}CREATE INDEX search_post_terms ON search_post USING GIN (terms) WITH (fastupdate = off);
{postgres}CREATE TABLE search_person (id BIGINT PRIMARY KEY, terms TSVECTOR NOT NULL);
{postgres}CREATE INDEX search_person_terms ON search_person USING GIN (terms) WITH (fastupdate = off);
{postgres}CREATE TABLE search_activity (id BIGINT PRIMARY KEY, terms TSVECTOR NOT NULL);
{postgres}CREATE INDEX search_activity_terms ON search_activity USING GIN (terms) WITH (fastupdate = off);
{postgres}CREATE TABLE search_sale (id BIGINT PRIMARY KEY, terms TSVECTOR NOT NULL);
{postgres}CREATE INDEX search_sale_terms ON search_sale USING GIN (terms) WITH (fastupdate = off);
{postgres}CREATE TABLE search_offer (id BIGINT PRIMARY KEY, terms TSVECTOR NOT NULL);
{postgres}CREATE INDEX search_offer_terms ON search_offer USING GIN (terms) WITH (fastupdate = off);
