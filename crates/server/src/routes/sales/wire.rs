//! Sales in JSON.

use domain::activity::LifeState;
use domain::sale::{Policy, SalePlan};
use domain::time::{SECOND_MS, Timestamp};
use engine::sales::queries::SaleView;
use engine::sales::reports::SaleLive;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::imprint::ImprintBody;
use super::super::pictures;

/// A sale: what, for how much, how many are left, and when.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleBody {
    #[schema(example = "7318349394477056")]
    pub id: String,
    /// Of the sale.
    pub name: String,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name_en: String,
    pub description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description_en: String,
    pub item: SaleItemBody,
    /// What one unit costs, in the smallest unit of money.
    #[schema(example = 9_900)]
    pub price_minor: u64,
    /// What one unit costs otherwise; absent where nothing is struck through.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 12_900)]
    pub list_price_minor: Option<u64>,
    #[schema(example = "CNY")]
    pub currency: String,
    /// Units there are in all, with those that were added since.
    pub units: u64,
    /// Units that are free.
    pub left: u64,
    /// Nothing is free. Units come back while some are ordered and not paid.
    pub sold_out: bool,
    /// Units that one person may have; absent without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_user: Option<u32>,
    /// Seconds for which ordered units are kept until they are paid.
    pub hold_s: i64,
    /// `at_order` (held when ordered) or `at_payment` (taken when paid, and the money back if they are gone).
    pub policy: &'static str,
    pub gate: SaleGateBody,
    /// `approved` or `reopened` (it will start), `running`, `paused` or `closed`.
    pub state: &'static str,
    pub from_ms: i64,
    pub until_ms: i64,
    pub round: u32,
    /// Which version says so.
    pub version: u32,
    /// The server's clock when this was answered.
    pub server_ms: i64,
    /// Who runs it, its rules and whom to ask.
    pub imprint: ImprintBody,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleItemBody {
    /// `parcel`, `code` or `collectible`.
    pub kind: &'static str,
    pub name: String,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name_en: String,
    pub details: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub details_en: String,
    /// Addresses of pictures, or an emoji. Those that begin with `/api/v1/pictures/` take `?width=320`.
    pub pictures: Vec<String>,
}

/// What stands between a buyer and the order.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleGateBody {
    /// A picture has to be read.
    pub captcha: bool,
    /// People wait in line.
    pub room: bool,
}

/// What changes while people look at a sale.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleLiveBody {
    /// Units there are in all.
    pub units: u64,
    /// Units that are free.
    pub left: u64,
    pub sold_out: bool,
    /// `approved` or `reopened` (it will start), `running`, `paused` or `closed`.
    pub state: &'static str,
    pub until_ms: i64,
    /// Another one has another price, or another end.
    pub version: u32,
    /// The server's clock when this was told.
    pub server_ms: i64,
}

impl SaleLiveBody {
    pub fn of(live: SaleLive, now: Timestamp) -> Self {
        Self {
            units: live.total,
            left: live.left,
            sold_out: is_sold_out(live.left, live.state),
            state: live.state.name(),
            until_ms: live.until.0,
            version: live.version,
            server_ms: now.0,
        }
    }
}

/// What is over is not sold out.
fn is_sold_out(left: u64, state: LifeState) -> bool {
    left == 0 && state != LifeState::Closed
}

impl From<&SaleView> for SaleBody {
    fn from(told: &SaleView) -> Self {
        let SaleView { live, plan, units, state, now } = told;
        let configuration = &live.content.configuration;
        let (window, texts) = (configuration.window(), configuration.presentation());
        Self {
            id: live.activity.to_string(),
            name: configuration.name().to_owned(),
            name_en: texts.name_en.clone(),
            description: configuration.description().to_owned(),
            description_en: texts.description_en.clone(),
            item: item(plan),
            price_minor: plan.price.minor,
            list_price_minor: plan.list_price_minor,
            currency: plan.price.currency.to_string(),
            units: units.total,
            left: units.left,
            sold_out: is_sold_out(units.left, *state),
            per_user: Some(plan.per_user).filter(|units| *units > 0),
            hold_s: plan.hold_ms / SECOND_MS,
            policy: Policy::name(plan.policy),
            gate: SaleGateBody { captcha: plan.gate.captcha, room: plan.gate.room.is_some() },
            state: state.name(),
            from_ms: window.from.0,
            until_ms: window.until.0,
            round: live.life.round,
            version: live.version,
            server_ms: now.0,
            imprint: texts.into(),
        }
    }
}

/// The address of a picture, or the emoji that is its picture.
pub fn picture_address(picture: &str) -> String {
    match picture.parse::<i64>() {
        Ok(id) => pictures::src(id),
        Err(_) => picture.to_owned(),
    }
}

fn item(plan: &SalePlan) -> SaleItemBody {
    SaleItemBody {
        kind: plan.item.name(),
        name: plan.name.clone(),
        name_en: plan.name_en.clone(),
        details: plan.details.clone(),
        details_en: plan.details_en.clone(),
        pictures: plan.pictures.iter().map(|picture| picture_address(picture)).collect(),
    }
}
