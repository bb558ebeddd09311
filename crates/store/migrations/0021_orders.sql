-- Orders of sales, the money that came for them, and what was given. An order that deducts at order is written by the
-- projection, with its hold.

CREATE TABLE orders (
    -- The same as that of the attempt it came of.
    id          {int} PRIMARY KEY,
    user_id     {int} NOT NULL,
    policy      TEXT NOT NULL CHECK (policy IN ('at_order', 'at_payment')),
    state       TEXT NOT NULL CHECK (state IN ('unpaid', 'paid', 'fulfilled', 'cancelled', 'expired', 'refund_due',
                                               'refunded')),
    currency    TEXT NOT NULL,
    total_minor {int} NOT NULL CHECK (total_minor >= 0),
    -- What its hold is known by in the ledger; where nothing is held, what the request was known by.
    hold_key    {bytes} NOT NULL,
    made_ms     {int} NOT NULL,
    -- The first moment at which it is too late to pay.
    due_ms      {int} NOT NULL,
    changed_ms  {int} NOT NULL,
    -- The one payment that settles it.
    payment_id  {int},
    -- Why its money goes back.
    note        TEXT
){strict};

CREATE INDEX orders_user ON orders (user_id, id);
-- What somebody has to do something about.
CREATE INDEX orders_open ON orders (state, id) WHERE state IN ('paid', 'refund_due');
-- Nothing is held for them, so the ledger does not tell when their time is over.
CREATE INDEX orders_due ON orders (due_ms, id) WHERE state = 'unpaid' AND policy = 'at_payment' AND payment_id IS NULL;
CREATE UNIQUE INDEX orders_asked ON orders (hold_key) WHERE policy = 'at_payment';

CREATE TABLE order_lines (
    order_id     {int} NOT NULL REFERENCES orders (id),
    line         {int} NOT NULL,
    sale_id      {int} NOT NULL,
    -- Of the sale, as it was sold then.
    version      {int} NOT NULL,
    name         TEXT NOT NULL,
    item         TEXT NOT NULL CHECK (item IN ('parcel', 'code', 'collectible')),
    -- The pool that codes come from.
    code_pool_id {int},
    quantity     {int} NOT NULL CHECK (quantity > 0),
    price_minor  {int} NOT NULL CHECK (price_minor >= 0),
    PRIMARY KEY (order_id, line)
){keyed};

CREATE INDEX order_lines_sale ON order_lines (sale_id, order_id);

-- What is given for an order.
CREATE TABLE order_things (
    order_id      {int} NOT NULL REFERENCES orders (id),
    fulfilment_id {int} NOT NULL,
    PRIMARY KEY (order_id, fulfilment_id)
){keyed};

CREATE INDEX order_things_fulfilment ON order_things (fulfilment_id);

-- Money that came. A reference is its provider's own, once.
CREATE TABLE payments (
    id           {int} PRIMARY KEY,
    provider     TEXT NOT NULL,
    reference    TEXT NOT NULL,
    order_id     {int} NOT NULL REFERENCES orders (id),
    amount_minor {int} NOT NULL CHECK (amount_minor >= 0),
    currency     TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('arrived', 'used', 'back_due', 'back')),
    made_ms      {int} NOT NULL,
    changed_ms   {int} NOT NULL
){strict};

CREATE UNIQUE INDEX payments_reference ON payments (provider, reference);
CREATE INDEX payments_order ON payments (order_id, id);

-- Money that goes back, or went: a payment goes back whole, and once.
CREATE TABLE refunds (
    payment_id {int} PRIMARY KEY REFERENCES payments (id),
    order_id   {int} NOT NULL,
    why        TEXT NOT NULL CHECK (why IN ('paid_twice', 'amount_wrong', 'gone', 'by_hand')),
    note       TEXT,
    made_ms    {int} NOT NULL,
    done_ms    {int}
){strict};

CREATE INDEX refunds_due ON refunds (payment_id) WHERE done_ms IS NULL;

-- Numbered things: edition n of a sale.
CREATE TABLE collectibles (
    id       {int} PRIMARY KEY,
    user_id  {int} NOT NULL,
    sale_id  {int} NOT NULL,
    edition  {int} NOT NULL CHECK (edition > 0),
    order_id {int} NOT NULL,
    version  {int} NOT NULL,
    made_ms  {int} NOT NULL
){strict};

CREATE UNIQUE INDEX collectibles_edition ON collectibles (sale_id, edition);
CREATE INDEX collectibles_user ON collectibles (user_id, id);

-- How many editions of a sale were given.
CREATE TABLE editions (
    sale_id {int} PRIMARY KEY,
    given   {int} NOT NULL CHECK (given >= 0)
){strict};
