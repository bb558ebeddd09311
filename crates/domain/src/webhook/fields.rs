//! What the `data` of events says, member by member.

/// One member of an event's `data`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub shape: Shape,
    /// Whether it is in every event of its kind; otherwise it may be absent or `null`.
    pub always: bool,
    pub words: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A 64-bit id, as text.
    Id,
    Text,
    /// A whole number from 0 on.
    Count,
    /// A whole number, which may be below 0.
    Number,
    /// Milliseconds since 1970.
    Moment,
    /// A list of objects.
    List(&'static [Field]),
}

const fn field(name: &'static str, shape: Shape, words: &'static str) -> Field {
    Field { name, shape, always: true, words }
}

const fn maybe(name: &'static str, shape: Shape, words: &'static str) -> Field {
    Field { name, shape, always: false, words }
}

pub(super) const WIN: &[Field] = &[
    field("win_id", Shape::Id, "The win, and the prize on its way to the winner."),
    field("activity_id", Shape::Id, "The activity it was won in."),
    field("prize_id", Shape::Count, "The prize within the activity."),
    maybe("prize_name", Shape::Text, "What the prize is called."),
    maybe("prize_kind", Shape::Text, "`text`, `code`, `coupon`, `parcel`, `points` or `chances`."),
];

pub(super) const WIN_DRAW: &[Field] = &[
    field("round", Shape::Count, "The round of the activity."),
    field("version", Shape::Count, "The version of the activity."),
    field("draw", Shape::Count, "The number of the draw, or the place among the winners of a raffle."),
    maybe("points", Shape::Count, "Points that the fallback gave."),
];

pub(super) const NOTE: &[Field] =
    &[maybe("note", Shape::Text, "What the system that gives it calls it, or why it failed or went back.")];

pub(super) const PARCEL: &[Field] = &[
    maybe("carrier", Shape::Text, "Who carries the parcel."),
    maybe("tracking", Shape::Text, "The number of the parcel with its carrier."),
];

pub(super) const COUPON: &[Field] = &[
    field("win_id", Shape::Id, "The coupon: issue one per id."),
    maybe("source", Shape::Text, "`shop`, of one that was bought there."),
    maybe("activity_id", Shape::Id, "The activity it was won in."),
    maybe("prize_id", Shape::Count, "The prize within the activity."),
    maybe("order_id", Shape::Id, "The order in the shop."),
    maybe("offer_id", Shape::Id, "What was bought."),
    maybe("name", Shape::Text, "What the coupon is called."),
    field("redriven", Shape::Count, "How often it was tried once more."),
];

const LINE: &[Field] = &[
    field("name", Shape::Text, "What was bought, as it was called then."),
    maybe("sale_id", Shape::Id, "The sale."),
    maybe("offer_id", Shape::Id, "The offer in the shop."),
    field("quantity", Shape::Count, "How many."),
    maybe("price_minor", Shape::Count, "What one costs, in the smallest unit of the currency."),
];

pub(super) const ORDER: &[Field] = &[
    field("order_id", Shape::Id, "The order."),
    field("source", Shape::Text, "`sale` or `shop`."),
    field("state", Shape::Text, "The state of the order."),
    maybe("total_minor", Shape::Count, "What it costs, in the smallest unit of the currency."),
    maybe("currency", Shape::Text, "The currency of the total."),
    maybe("points", Shape::Count, "What it costs in points, in the shop."),
    field("lines", Shape::List(LINE), "What was bought."),
];

pub(super) const THING: &[Field] =
    &[field("fulfilment_id", Shape::Id, "The parcel among what is given for the order.")];

const HOLD_LINE: &[Field] = &[
    field("pool", Shape::Text, "The pool."),
    field("quantity", Shape::Count, "The units that are free again."),
];

pub(super) const HOLD: &[Field] = &[
    field("hold_id", Shape::Text, "The id that was given when it was reserved."),
    maybe("owner", Shape::Text, "Whom the units counted for."),
    field("lines", Shape::List(HOLD_LINE), "What was held."),
];

pub(super) const RAFFLE: &[Field] = &[
    field("activity_id", Shape::Id, "The raffle."),
    field("round", Shape::Count, "The round that was drawn."),
    field("winners", Shape::Count, "How many prizes found a winner."),
];

pub(super) const ACTIVITY: &[Field] = &[
    field("activity_id", Shape::Id, "The activity."),
    field("round", Shape::Count, "The round."),
    field("version", Shape::Count, "The version in place."),
];

pub(super) const STOCK: &[Field] = &[
    field("activity_id", Shape::Id, "The activity or sale."),
    maybe("prize_id", Shape::Count, "The prize; not of a sale."),
    field("left", Shape::Count, "Units that are left."),
    field("total", Shape::Count, "Units there were."),
];

pub(super) const CODE_POOL: &[Field] = &[
    field("code_pool_id", Shape::Id, "The pool."),
    field("name", Shape::Text, "What it is called."),
    field("left", Shape::Count, "Codes that are left."),
    field("imported", Shape::Count, "Codes there were."),
];

pub(super) const POINTS: &[Field] = &[
    field("row", Shape::Count, "The number of the row in the user's statement."),
    field("change", Shape::Text, "`credit`, `spend`, `reverse` or `expire`."),
    field("delta", Shape::Number, "By how much."),
    field("balance", Shape::Number, "What there is afterwards."),
    maybe("reason", Shape::Text, "What for."),
];

pub(super) const REMINDER: &[Field] = &[
    field("activity_id", Shape::Id, "What starts."),
    field("name", Shape::Text, "What it is called."),
    field("from_ms", Shape::Moment, "When it starts."),
];

pub(super) const SWITCHED_OFF: &[Field] = &[
    field("webhook_id", Shape::Id, "The webhook that is off now."),
    field("name", Shape::Text, "What it is called."),
    maybe("failing_since_ms", Shape::Moment, "Since when it only failed."),
    field("failures", Shape::Count, "How often it failed."),
];

pub(super) const TEST: &[Field] = &[field("webhook_id", Shape::Id, "The webhook.")];
