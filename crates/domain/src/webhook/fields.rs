//! What the `data` of events says, member by member.

/// One member of an event's `data`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub shape: FieldShape,
    /// Whether it is in every event of its kind; otherwise it may be absent or `null`.
    pub always: bool,
    pub words: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldShape {
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

const fn field(name: &'static str, shape: FieldShape, words: &'static str) -> Field {
    Field { name, shape, always: true, words }
}

const fn maybe(name: &'static str, shape: FieldShape, words: &'static str) -> Field {
    Field { name, shape, always: false, words }
}

pub(super) const WIN: &[Field] = &[
    field("win_id", FieldShape::Id, "The win, and the prize on its way to the winner."),
    field("activity_id", FieldShape::Id, "The activity it was won in."),
    field("prize_id", FieldShape::Count, "The prize within the activity."),
    maybe("prize_name", FieldShape::Text, "What the prize is called."),
    maybe("prize_kind", FieldShape::Text, "What kind of prize it is, as in the form of an activity."),
];

pub(super) const WIN_DRAW: &[Field] = &[
    field("round", FieldShape::Count, "The round of the activity."),
    field("version", FieldShape::Count, "The version of the activity."),
    field("draw", FieldShape::Count, "The number of the draw, or the place among the winners of a raffle."),
    maybe("points", FieldShape::Count, "Points that the fallback gave."),
];

pub(super) const NOTE: &[Field] = &[maybe(
    "note",
    FieldShape::Text,
    "What the system that gives it calls it, or why it failed or went back.",
)];

pub(super) const PARCEL: &[Field] = &[
    maybe("carrier", FieldShape::Text, "Who carries the parcel."),
    maybe("tracking", FieldShape::Text, "The number of the parcel with its carrier."),
];

pub(super) const COUPON: &[Field] = &[
    field("win_id", FieldShape::Id, "The coupon: issue one per id."),
    maybe("source", FieldShape::Text, "`shop`, of one that was bought there."),
    maybe("activity_id", FieldShape::Id, "The activity it was won in."),
    maybe("prize_id", FieldShape::Count, "The prize within the activity."),
    maybe("order_id", FieldShape::Id, "The order in the shop."),
    maybe("offer_id", FieldShape::Id, "What was bought."),
    maybe("name", FieldShape::Text, "What the coupon is called."),
    field("redriven", FieldShape::Count, "How often it was tried once more."),
];

pub(super) const COMMENT: &[Field] = &[
    field("comment_id", FieldShape::Id, "The comment."),
    field("on", FieldShape::Text, "`post`, `activity` or `person`."),
    field("subject_id", FieldShape::Id, "What it is about."),
    maybe("reply_to", FieldShape::Id, "The comment that it replies to."),
];

pub(super) const POST: &[Field] = &[field("post_id", FieldShape::Id, "The post.")];

pub(super) const POST_TEXT: &[Field] = &[
    field("title", FieldShape::Text, "Its title."),
    field("published_ms", FieldShape::Moment, "When it was published: with the id, its place in every list."),
];

const LINE: &[Field] = &[
    field("name", FieldShape::Text, "What was bought, as it was called then."),
    maybe("sale_id", FieldShape::Id, "The sale."),
    maybe("offer_id", FieldShape::Id, "The offer in the shop."),
    field("quantity", FieldShape::Count, "How many."),
    maybe("price_minor", FieldShape::Count, "What one costs, in the smallest unit of the currency."),
];

pub(super) const ORDER: &[Field] = &[
    field("order_id", FieldShape::Id, "The order."),
    field("source", FieldShape::Text, "`sale` or `shop`."),
    field("state", FieldShape::Text, "The state of the order."),
    maybe("total_minor", FieldShape::Count, "What it costs, in the smallest unit of the currency."),
    maybe("currency", FieldShape::Text, "The currency of the total."),
    maybe("points", FieldShape::Count, "What it costs in points, in the shop."),
    field("lines", FieldShape::List(LINE), "What was bought."),
];

pub(super) const THING: &[Field] =
    &[field("fulfilment_id", FieldShape::Id, "The parcel among what is given for the order.")];

const HOLD_LINE: &[Field] = &[
    field("pool", FieldShape::Text, "The pool."),
    field("quantity", FieldShape::Count, "The units that are free again."),
];

pub(super) const HOLD: &[Field] = &[
    field("hold_id", FieldShape::Text, "The id that was given when it was reserved."),
    maybe("owner", FieldShape::Text, "Whom the units counted for."),
    field("lines", FieldShape::List(HOLD_LINE), "What was held."),
];

pub(super) const RAFFLE: &[Field] = &[
    field("activity_id", FieldShape::Id, "The raffle."),
    field("round", FieldShape::Count, "The round that was drawn."),
    field("winners", FieldShape::Count, "How many prizes found a winner."),
];

pub(super) const ACTIVITY: &[Field] = &[
    field("activity_id", FieldShape::Id, "The activity."),
    field("round", FieldShape::Count, "The round."),
    field("version", FieldShape::Count, "The version in place."),
];

pub(super) const STOCK: &[Field] = &[
    field("activity_id", FieldShape::Id, "The activity or sale."),
    maybe("prize_id", FieldShape::Count, "The prize; not of a sale."),
    field("left", FieldShape::Count, "Units that are left."),
    field("total", FieldShape::Count, "Units there were."),
];

pub(super) const CODE_POOL: &[Field] = &[
    field("code_pool_id", FieldShape::Id, "The pool."),
    field("name", FieldShape::Text, "What it is called."),
    field("left", FieldShape::Count, "Codes that are left."),
    field("imported", FieldShape::Count, "Codes there were."),
];

pub(super) const ATTENTION: &[Field] = &[
    field("attention", FieldShape::Text, "What is the matter, as `GET /admin/attention` names it."),
    field("level", FieldShape::Text, "`urgent` or `soon`."),
    field(
        "about",
        FieldShape::Text,
        "The id or name of what it is about; empty where there is one of its kind.",
    ),
    maybe("name", FieldShape::Text, "What people call it."),
    field("text", FieldShape::Text, "The same in a sentence."),
    field("text_zh", FieldShape::Text, "The same in Chinese."),
];

pub(super) const ATTENTION_NOW: &[Field] = &[
    field("count", FieldShape::Count, "How many are concerned, or are left."),
    maybe("of", FieldShape::Count, "Of how many."),
];

pub(super) const POINTS: &[Field] = &[
    field("row", FieldShape::Count, "The number of the row in the user's statement."),
    field("change", FieldShape::Text, "`credit`, `spend`, `reverse` or `expire`."),
    field("delta", FieldShape::Number, "By how much."),
    field("balance", FieldShape::Number, "What there is afterwards."),
    maybe("reason", FieldShape::Text, "What for."),
];

pub(super) const REMINDER: &[Field] = &[
    field("activity_id", FieldShape::Id, "What starts."),
    field("name", FieldShape::Text, "What it is called."),
    field("from_ms", FieldShape::Moment, "When it starts."),
];

pub(super) const SWITCHED_OFF: &[Field] = &[
    field("webhook_id", FieldShape::Id, "The webhook that is off now."),
    field("name", FieldShape::Text, "What it is called."),
    maybe("failing_since_ms", FieldShape::Moment, "Since when it only failed."),
    field("failures", FieldShape::Count, "How often it failed."),
];

pub(super) const TEST: &[Field] = &[field("webhook_id", FieldShape::Id, "The webhook.")];
