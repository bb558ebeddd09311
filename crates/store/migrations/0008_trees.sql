-- Rule trees, as nodes and edges, and block lists.

CREATE TABLE rule_trees (
    id          {int} PRIMARY KEY,
    -- The newest version's name, and the same in lower case, which is what a search looks at.
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    purpose     TEXT NOT NULL CHECK (purpose IN ('routing', 'admission')),
    newest      {int} NOT NULL CHECK (newest > 0),
    created_by  TEXT NOT NULL,
    created_at  {int} NOT NULL,
    changed_at  {int} NOT NULL
){strict};

-- What was saved is never changed: a draw names the version it was judged by.
CREATE TABLE rule_tree_versions (
    tree_id  {int} NOT NULL REFERENCES rule_trees (id),
    version  {int} NOT NULL CHECK (version > 0),
    name     TEXT NOT NULL,
    -- Of the bytes that are published; what is read back has to have it again.
    hash     {bytes} NOT NULL CHECK (length(hash) = 32),
    saved_by TEXT NOT NULL,
    saved_at {int} NOT NULL,
    PRIMARY KEY (tree_id, version)
){keyed};

CREATE TABLE rule_tree_nodes (
    tree_id     {int} NOT NULL,
    version     {int} NOT NULL,
    -- In the order in which it was drawn up.
    place       {int} NOT NULL CHECK (place >= 0),
    node_id     {int} NOT NULL CHECK (node_id >= 0),
    is_root     {int} NOT NULL CHECK (is_root IN (0, 1)),
    name        TEXT NOT NULL,
    -- A decision has a fact and its type, a leaf has where it leads.
    fact        TEXT,
    fact_type   TEXT,
    leaf        TEXT CHECK (leaf IN ('allow', 'deny', 'activity')),
    activity_id {int},
    PRIMARY KEY (tree_id, version, place),
    FOREIGN KEY (tree_id, version) REFERENCES rule_tree_versions (tree_id, version),
    CHECK ((fact IS NULL) = (fact_type IS NULL) AND (fact IS NULL) = (leaf IS NOT NULL)),
    CHECK ((activity_id IS NOT NULL) = (leaf IS NOT NULL AND leaf = 'activity'))
){keyed};

CREATE TABLE rule_tree_edges (
    tree_id    {int} NOT NULL,
    version    {int} NOT NULL,
    node_place {int} NOT NULL,
    -- Edges are tried in this order.
    place      {int} NOT NULL CHECK (place >= 0),
    symbol     TEXT NOT NULL,
    -- What the fact is compared with: a JSON list, whose JSON types are the types of the values.
    operands   TEXT NOT NULL,
    to_node    {int} NOT NULL CHECK (to_node >= 0),
    PRIMARY KEY (tree_id, version, node_place, place),
    FOREIGN KEY (tree_id, version, node_place) REFERENCES rule_tree_nodes (tree_id, version, place)
){keyed};

-- Users who get the consolation and nothing else.
CREATE TABLE block_list (
    activity_id {int} NOT NULL,
    user_id     {int} NOT NULL REFERENCES users (id),
    reason      TEXT NOT NULL,
    added_by    TEXT NOT NULL,
    added_at    {int} NOT NULL,
    PRIMARY KEY (activity_id, user_id)
){keyed};

CREATE INDEX block_list_user ON block_list (user_id);

-- Goes up with every change, so that whoever keeps a list in memory can tell that it is old.
CREATE TABLE block_list_changes (
    activity_id {int} PRIMARY KEY,
    changes     {int} NOT NULL CHECK (changes > 0)
){strict};
