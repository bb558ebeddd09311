//! The words of an activity's form. Plain data; nothing is judged here but types and unknown fields.

use domain::activity::{ActivityKind, Game};
use domain::fulfilment::PrizeKind;
use domain::lottery::strategy::{Mode, TierBy, UnlockScope};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::granting::{GrantForm, Span};
use super::moment::Moment;
use super::sale::SaleForm;

/// An activity: when, for whom, what can be won and with which odds; or what is sold.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ActivityForm {
    #[schema(example = "春日大转盘")]
    pub name: String,
    /// For readers of English; everybody sees `name` where it is empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(example = "Spring wheel")]
    pub name_en: String,
    #[serde(default)]
    pub description: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description_en: String,
    /// Who runs it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub organiser: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub organiser_en: String,
    /// The rules in full, with lines.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rules: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rules_en: String,
    /// Whom to ask: a phone number, an address of mail or of a page.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub contact: String,
    /// Nobody draws before.
    pub from: Moment,
    /// Nobody draws from then on.
    pub until: Moment,
    /// The time zone in which its days and months begin.
    #[serde(default = "utc")]
    #[schema(example = "Asia/Shanghai")]
    pub zone: String,
    #[serde(default)]
    #[schema(value_type = String)]
    pub kind: ActivityKind,
    /// Which game players see first: `wheel`, `grid`, `reels` or `box`; one that fits unless said otherwise. A grid has 8 or
    /// 12 places. Instant only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub game: Option<Game>,
    /// Whether ten draws at a time are offered. Instant only.
    #[serde(default)]
    pub ten: bool,
    /// When the winners are drawn. Raffle only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_at: Option<Moment>,
    /// What the public value will be that goes into the drawing, in words. Raffle only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beacon: Option<String>,
    /// Draws of everybody together; without it they are not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<u64>,
    #[serde(default)]
    pub chances: ChancesForm,
    /// The id of the rule tree that says who may take part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    /// The parts that all odds are parts of; a million unless said otherwise.
    #[serde(default = "million")]
    pub whole: u64,
    #[serde(default)]
    #[schema(value_type = String)]
    pub mode: Mode,
    /// What can be won. Not for sales.
    #[serde(default)]
    pub prizes: Vec<PrizeForm>,
    /// What is sold, for how much. Sale only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sale: Option<SaleForm>,
    /// Other odds for those who have drawn more, or have spent more points in the shop. Below the first step the prizes' own odds hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tiers: Option<TiersForm>,
    /// The prize, by its id, of those on the block list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consolation: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<FallbackForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pity: Option<PityForm>,
    #[serde(default)]
    pub budget: BudgetForm,
    /// Where the wheel stops at no prize; the first place that no prize has, unless said otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub miss_slot: Option<u16>,
}

fn utc() -> String {
    "UTC".to_owned()
}

fn million() -> u64 {
    domain::lottery::strategy::PPM
}

/// Draws everybody has without being granted any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChancesForm {
    /// 0: none, one draws with granted chances only.
    #[serde(default)]
    pub total: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub month: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PrizeForm {
    /// Its place in the list, from 0, unless said otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u16>,
    pub name: String,
    /// For readers of English; everybody sees `name` where it is empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name_en: String,
    /// Where it is on the wheel; its place in the list unless said otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<u16>,
    /// Parts of the whole. Without odds it is given by a rule or a tier only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub odds: Option<u64>,
    /// How many there are; or `unlimited`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<u64>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub unlimited: bool,
    /// What one costs, in the smallest unit of money.
    #[serde(default)]
    pub cost_minor: u64,
    #[serde(default)]
    #[schema(value_type = String)]
    pub kind: PrizeKind,
    /// How many points or chances; for those kinds only. Whoever wins it as the fallback gets the amount that was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<u64>,
    #[serde(default)]
    pub details: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub details_en: String,
    /// An address or an emoji.
    #[serde(default)]
    pub picture: String,
    /// When it is granted: `now`, `by_hand`, or not before a moment.
    #[serde(default)]
    pub grant: GrantForm,
    /// How long its winner has to claim it. Without it nothing but a parcel has to be claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_within: Option<Span>,
    /// The id of the pool that a code comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unlock: Option<UnlockForm>,
    /// How often one user may win it in a round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win_cap: Option<u32>,
    /// Units that can be drawn from a moment on, in all. Empty: all of them at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub release: Vec<ReleaseForm>,
    /// Units given in one clock hour at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hourly_cap: Option<u32>,
    /// Risk labels: for whoever carries one of them (the fact `risk_labels`) it counts as gone. Instant only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(example = json!(["bot"]))]
    pub withdrawn_for: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// Can be won only from a user's N-th draw on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UnlockForm {
    pub draws: u32,
    #[serde(default)]
    #[schema(value_type = String)]
    pub scope: UnlockScope,
    /// Whether the draw itself is one of the N.
    #[serde(default = "yes")]
    pub current_counts: bool,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseForm {
    pub at: Moment,
    pub units: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TiersForm {
    #[serde(default)]
    #[schema(value_type = String)]
    pub by: TierBy,
    pub steps: Vec<TierForm>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TierForm {
    /// From so many finished draws, or points spent, on.
    pub from: u64,
    pub odds: Vec<OddsForm>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OddsForm {
    /// The prize's id.
    pub prize: u16,
    pub odds: u64,
}

/// Points for whoever hits what is gone: their amount is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FallbackForm {
    pub prize: u16,
    pub amount_min: u64,
    pub amount_max: u64,
    /// Given in the round at most, all together.
    pub budget_amount: u64,
}

/// A prize for certain after so many misses in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PityForm {
    pub prize: u16,
    pub misses: u32,
}

/// What all prizes together may cost, in the smallest unit of money.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_minor: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day_minor: Option<u64>,
}
