-- What players are shown in English beside the first text, who runs an activity, its rules and whom to ask; where an order
-- is sent; and which terms a user agreed to.

ALTER TABLE activity_versions ADD COLUMN name_en TEXT NOT NULL DEFAULT '';
ALTER TABLE activity_versions ADD COLUMN description_en TEXT NOT NULL DEFAULT '';
ALTER TABLE activity_versions ADD COLUMN organiser TEXT NOT NULL DEFAULT '';
ALTER TABLE activity_versions ADD COLUMN organiser_en TEXT NOT NULL DEFAULT '';
ALTER TABLE activity_versions ADD COLUMN rules TEXT NOT NULL DEFAULT '';
ALTER TABLE activity_versions ADD COLUMN rules_en TEXT NOT NULL DEFAULT '';
ALTER TABLE activity_versions ADD COLUMN contact TEXT NOT NULL DEFAULT '';

ALTER TABLE prize_cards ADD COLUMN name_en TEXT NOT NULL DEFAULT '';
ALTER TABLE prize_cards ADD COLUMN details_en TEXT NOT NULL DEFAULT '';

ALTER TABLE sale_prices ADD COLUMN name_en TEXT NOT NULL DEFAULT '';

ALTER TABLE offers ADD COLUMN name_en TEXT NOT NULL DEFAULT '';
ALTER TABLE offers ADD COLUMN text_en TEXT NOT NULL DEFAULT '';

-- Where the parcels of an order go once it is paid: an entry of its buyer's address book. An entry that is deleted
-- meanwhile is asked for again.
CREATE TABLE order_addresses (
    order_id   {int} PRIMARY KEY REFERENCES orders (id),
    address_id {int} NOT NULL
){strict};

-- Which terms a user agreed to, by the name of their text, and when first.
CREATE TABLE consents (
    user_id {int} NOT NULL REFERENCES users (id),
    terms   TEXT NOT NULL,
    at_ms   {int} NOT NULL,
    PRIMARY KEY (user_id, terms)
){keyed};
