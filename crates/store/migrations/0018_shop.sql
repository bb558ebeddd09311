-- The shop: what points buy, and what people bought. Stock is a pool of the ledger, shop/<offer>.

CREATE TABLE offers (
    id          {int} PRIMARY KEY,
    name        TEXT NOT NULL,
    text        TEXT NOT NULL,
    kind        TEXT NOT NULL CHECK (kind IN ('text', 'code', 'coupon', 'parcel', 'chances')),
    -- Of chances: whose, and how many a piece is.
    activity_id {int},
    chances     {int},
    -- Of codes: from which pool of codes.
    pool_id     {int},
    price       {int} NOT NULL CHECK (price > 0),
    -- Pieces that one user may have; 0 is no limit.
    user_limit  {int} NOT NULL CHECK (user_limit >= 0),
    from_ms     {int},
    until_ms    {int},
    state       TEXT NOT NULL CHECK (state IN ('draft', 'on', 'off')),
    edition     {int} NOT NULL CHECK (edition > 0),
    made_ms     {int} NOT NULL,
    CHECK ((kind = 'chances') = (activity_id IS NOT NULL) AND (kind = 'chances') = (chances IS NOT NULL)),
    CHECK ((kind = 'code') = (pool_id IS NOT NULL))
){strict};

-- The id is that of the first thing that is given for it.
CREATE TABLE shop_orders (
    id         {int} PRIMARY KEY,
    user_id    {int} NOT NULL,
    -- Of whoever asked, once per user.
    idem_key   TEXT NOT NULL,
    offer_id   {int} NOT NULL REFERENCES offers (id),
    name       TEXT NOT NULL,
    quantity   {int} NOT NULL CHECK (quantity > 0),
    cost       {int} NOT NULL CHECK (cost > 0),
    -- The row of the user's statement that paid for it.
    points_row {int} NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('placed', 'done', 'reversed')),
    -- The id of the hold in the ledger.
    hold       TEXT NOT NULL,
    made_ms    {int} NOT NULL,
    changed_ms {int} NOT NULL,
    -- Why it was reversed.
    note       TEXT
){strict};

CREATE UNIQUE INDEX shop_orders_key ON shop_orders (user_id, idem_key);
CREATE INDEX shop_orders_user ON shop_orders (user_id, id);

-- What is given for an order.
CREATE TABLE shop_things (
    order_id      {int} NOT NULL REFERENCES shop_orders (id),
    fulfilment_id {int} NOT NULL,
    PRIMARY KEY (order_id, fulfilment_id)
){keyed};
