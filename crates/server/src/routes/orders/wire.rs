//! Attempts, orders and payments as they are written on the wire.

use std::collections::HashMap;

use domain::ids::UserId;
use domain::sale::AttemptState;
use engine::sales::attempts::AttemptView;
use engine::sales::orders::{ItemView, OrderView};
use serde::Serialize;
use store::model::already_given;
use store::model::{OrderLine, PaymentRow};
use utoipa::ToSchema;

use super::super::fulfilment::mine::ThingBody;
use crate::context::Context;
use crate::problem::ProblemBody;

/// An attempt to buy, as it stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct AttemptBody {
    /// The same as that of the order that comes of it.
    #[schema(example = "117093590311632896")]
    pub id: String,
    /// `queued`, `ordered` or `refused`. What is not `queued` is final.
    #[schema(example = "queued")]
    pub state: &'static str,
    /// For integrators of older systems: `0` queued, above 0 the order, `-1` refused.
    #[schema(example = "0")]
    pub code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ProblemBody>,
    /// How many attempts wait for a decision, while this one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<u64>,
    /// When to ask again, spread over the crowd; or ask with `wait_ms`, or follow the stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask_again_ms: Option<u64>,
}

impl AttemptBody {
    pub fn of(told: AttemptView, context: &Context) -> Self {
        let AttemptView { id, state, waiting, ask_again_ms } = told;
        let problem = match &state {
            AttemptState::Refused(rejection) => Some(ProblemBody::of(rejection, context)),
            AttemptState::Queued | AttemptState::Ordered(_) => None,
        };
        let order = match &state {
            AttemptState::Ordered(order) => Some(order.to_string()),
            AttemptState::Queued | AttemptState::Refused(_) => None,
        };
        Self {
            id: id.to_string(),
            state: state.name(),
            code: state.classic().to_string(),
            order,
            problem,
            waiting: (!state.is_final()).then_some(waiting),
            ask_again_ms,
        }
    }
}

/// What somebody ordered.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleOrderBody {
    #[schema(example = "117093590311632896")]
    pub id: String,
    /// `unpaid`, `paid`, `fulfilled`, `cancelled`, `expired`, `refund_due` or `refunded`.
    #[schema(example = "unpaid")]
    pub state: &'static str,
    /// `at_order` (units are held) or `at_payment` (they are taken when it is paid, if there are any left).
    pub policy: &'static str,
    #[schema(example = "CNY")]
    pub currency: String,
    /// In the currency's smallest unit.
    pub total_minor: u64,
    pub made_at_ms: i64,
    /// The first moment at which it is too late to pay.
    pub due_ms: i64,
    pub changed_at_ms: i64,
    /// Whether money has come and is being settled.
    pub paying: bool,
    /// Why its money goes back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The entry of the address book that its parcels go to, once one was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_id: Option<String>,
    pub lines: Vec<SaleOrderLineBody>,
    pub things: Vec<ThingBody>,
    /// What its buyer has of it, money back or not: `code_given`, `parcel_shipped`, `parcel_given`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(example = json!(["code_given"]))]
    pub already_given: Vec<String>,
    pub payments: Vec<PaymentBody>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleOrderLineBody {
    pub sale: String,
    /// Of the sale, as it was sold then.
    pub version: u32,
    /// What it was called then.
    pub name: String,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name_en: String,
    /// `parcel`, `code` or `collectible`.
    pub item: &'static str,
    pub quantity: u32,
    /// Of one.
    pub price_minor: u64,
}

impl From<OrderLine> for SaleOrderLineBody {
    fn from(line: OrderLine) -> Self {
        Self {
            sale: line.sale.to_string(),
            version: line.version,
            name: line.name,
            name_en: line.name_en,
            item: line.item.name(),
            quantity: line.quantity,
            price_minor: line.price_minor,
        }
    }
}

/// Money that came for an order.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentBody {
    pub id: String,
    pub provider: String,
    /// The provider's own name for it.
    pub reference: String,
    pub amount_minor: u64,
    pub currency: String,
    /// `arrived`, `used` (it paid for the order), `back_due` or `back`.
    pub state: &'static str,
    pub made_at_ms: i64,
    /// Why it goes back: `paid_twice`, `amount_wrong`, `gone` or `by_hand`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back_why: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back_at_ms: Option<i64>,
}

impl From<PaymentRow> for PaymentBody {
    fn from(row: PaymentRow) -> Self {
        Self {
            id: row.id.to_string(),
            provider: row.provider,
            reference: row.reference,
            amount_minor: row.money.minor,
            currency: row.money.currency.to_string(),
            state: row.state.name(),
            made_at_ms: row.made.0,
            back_why: row.back.map(|(why, _)| why.name()),
            back_at_ms: row.back.and_then(|(_, done)| done).map(|done| done.0),
        }
    }
}

impl From<OrderView> for SaleOrderBody {
    fn from(OrderView { order, things, payments }: OrderView) -> Self {
        let already_given = already_given(things.iter().map(|thing| &thing.row));
        Self {
            already_given,
            id: order.id.to_string(),
            state: order.state.name(),
            policy: order.policy.name(),
            currency: order.total.currency.to_string(),
            total_minor: order.total.minor,
            made_at_ms: order.made.0,
            due_ms: order.due.0,
            changed_at_ms: order.changed.0,
            paying: order.payment.is_some() && order.state.can_be_paid(),
            reason: order.note,
            address_id: order.address.map(|address| address.to_string()),
            lines: order.lines.into_iter().map(SaleOrderLineBody::from).collect(),
            things: things.into_iter().map(ThingBody::from).collect(),
            payments: payments.into_iter().map(PaymentBody::from).collect(),
        }
    }
}

/// An order as operators see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleOrderStaffBody {
    pub user_id: String,
    /// Your own id of the buyer, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    #[serde(flatten)]
    pub order: SaleOrderBody,
}

impl SaleOrderStaffBody {
    pub fn of(told: OrderView, known: &HashMap<UserId, String>) -> Self {
        let user = told.order.user;
        Self { user_id: user.to_string(), external_id: known.get(&user).cloned(), order: told.into() }
    }
}

/// A numbered thing of one's own: edition n of so many.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemBody {
    pub id: String,
    pub sale: String,
    pub order: String,
    pub name: String,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name_en: String,
    pub edition: u64,
    /// As many as the sale had in all when it was paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    pub made_at_ms: i64,
}

impl From<ItemView> for ItemBody {
    fn from(ItemView { item, name, name_en }: ItemView) -> Self {
        Self {
            id: item.id.to_string(),
            sale: item.sale.to_string(),
            order: item.order.to_string(),
            name,
            name_en,
            edition: item.edition,
            of: item.of,
            made_at_ms: item.made.0,
        }
    }
}
