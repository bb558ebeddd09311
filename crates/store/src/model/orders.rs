//! Orders of sales, and the money that comes for them. Units are the ledger's: what is here is written beside its decisions,
//! in one transaction with the messages that carry the rest out.

use domain::access::DailyAllowance;
use domain::ids::{ActivityId, AddressId, ApprovalId, CodePoolId, FulfilmentId, OrderId, PaymentId, UserId};
use domain::ledger::Key;
use domain::sale::{Currency, ItemKind, Money, OrderState, PaymentState, Policy, RefundReason, state_at};
use domain::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::{AuditStamp, SecondPerson};

/// The lane in which orders are settled with money that came, and the kind of its messages: their subject is a payment.
pub const ORDERS: &str = "orders";
/// The lane in which money goes back, and the kind of its messages: their subject is a payment.
pub const REFUNDS: &str = "refunds";
/// The lane in which the sandbox pays late, and the kind of its messages: their subject is an order.
pub const SANDBOX: &str = "sandbox";

/// Payments that are listed of one order.
pub const PAYMENTS_LISTED_MAX: u32 = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaleOrder {
    pub id: OrderId,
    pub user: UserId,
    pub policy: Policy,
    pub state: OrderState,
    pub total: Money,
    /// What its hold is known by; where nothing is held, what the request was known by.
    pub hold: Key,
    pub made: Timestamp,
    /// The first moment at which it is too late to pay.
    pub due: Timestamp,
    pub changed: Timestamp,
    /// The one payment that settles it.
    pub payment: Option<PaymentId>,
    pub note: Option<String>,
    /// Where its parcels go: an entry of its buyer's address book.
    pub address: Option<AddressId>,
    pub lines: Vec<OrderLine>,
    /// What is given for it, of parcels and codes.
    pub things: Vec<FulfilmentId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderLine {
    pub sale: ActivityId,
    /// Of the sale, as it was sold then.
    pub version: u32,
    /// What it was called then.
    pub name: String,
    /// The same for readers of English; empty where it is the same.
    pub name_en: String,
    pub item: ItemKind,
    pub quantity: u32,
    /// Of one.
    pub price_minor: u64,
}

/// Says where the parcels of an unpaid order go.
#[derive(Clone, Copy, Debug)]
pub struct OrderAddressSet {
    pub order: OrderId,
    pub user: UserId,
    pub address: AddressId,
    pub now: Timestamp,
}

impl SaleOrder {
    pub fn state_at(&self, now: Timestamp) -> OrderState {
        state_at(self.state, self.due, self.payment.is_some(), now)
    }
}

impl OrderLine {
    pub fn code_pool(&self) -> Option<CodePoolId> {
        self.item.pool()
    }

    /// How many fulfilments and numbered things it needs, each with an id of its own.
    pub fn things(&self) -> u32 {
        match self.item {
            ItemKind::Parcel => 1,
            ItemKind::Code { .. } | ItemKind::Collectible => self.quantity,
        }
    }
}

/// An order of a sale that deducts at payment: nothing is held for it.
#[derive(Clone, Debug)]
pub struct OrderOpen {
    pub id: OrderId,
    pub user: UserId,
    pub key: Key,
    pub line: OrderLine,
    pub total: Money,
    /// Units of that sale which one person may have in orders that are open or were paid; 0 is no limit.
    pub per_user: u32,
    pub now: Timestamp,
    pub due: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedOrder {
    pub order: OrderId,
    /// It was there before.
    pub replayed: bool,
}

/// Money that came.
#[derive(Clone, Debug)]
pub struct PaymentArrive {
    pub id: PaymentId,
    /// Of the message that settles the order, or gives the money back.
    pub message: i64,
    pub provider: String,
    pub reference: String,
    pub order: OrderId,
    pub money: Money,
    pub now: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentRow {
    pub id: PaymentId,
    pub provider: String,
    pub reference: String,
    pub order: OrderId,
    pub money: Money,
    pub state: PaymentState,
    pub made: Timestamp,
    pub changed: Timestamp,
    /// Why it goes back, and when it had.
    pub back: Option<(RefundReason, Option<Timestamp>)>,
}

/// How an order is settled with its payment.
#[derive(Clone, Debug)]
pub struct PaymentSettle {
    pub payment: PaymentId,
    /// The ledger took the units; or why they were not to be had.
    pub taken: Result<(), String>,
    /// How many there are now of each sale whose things are numbered.
    pub totals: Vec<(ActivityId, u64)>,
    /// For what is given: as many as all lines need.
    pub ids: Vec<i64>,
    /// Of the message that gives the money back, if it does.
    pub message: i64,
    pub now: Timestamp,
}

/// An operator gives the money of a paid order back.
#[derive(Clone, Debug)]
pub struct RefundAsk {
    pub order: OrderId,
    pub message: i64,
    /// What one person may refund in a day, of each currency.
    pub alone: DailyAllowance,
    pub second: SecondPerson,
    pub signed: AuditStamp,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefundOutcome {
    Due(SaleOrder),
    /// It is more than one person may refund in a day: another has to approve it.
    Waits(ApprovalId),
}

/// Which orders are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderSearch {
    pub state: Option<OrderState>,
    pub sale: Option<ActivityId>,
    pub user: Option<UserId>,
}

/// A numbered thing that somebody has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collectible {
    pub id: i64,
    pub user: UserId,
    pub sale: ActivityId,
    pub edition: u64,
    /// Of so many, when it was paid; more that came later do not change it.
    pub of: Option<u64>,
    pub order: OrderId,
    pub version: u32,
    pub made: Timestamp,
}

/// Rows of a sale's hours that are read at once.
pub const SALE_HOURS_MAX: u32 = 10_000;

/// Orders that were made and paid in one minute of the first hours of a sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SaleMinute {
    /// Minutes since 1970.
    pub minute: i64,
    pub orders: u64,
    pub paid: u64,
}

/// What happened in one hour of a sale, in one currency: a version may have another than the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SaleHour {
    /// Hours since 1970.
    pub hour: i64,
    pub currency: Currency,
    pub happened: SaleSums,
}

/// Orders with a line of the sale, each where it happened; sums of money are of those lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SaleSums {
    /// Made, with so many units.
    pub orders: u64,
    pub units: u64,
    /// Money came that settles them, whatever became of it.
    pub paid: u64,
    /// Let go of, and not paid since.
    pub cancelled: u64,
    /// Not paid in time, nor since.
    pub expired: u64,
    /// That money went back.
    pub refunded: u64,
    pub taken_minor: u64,
    pub refunded_minor: u64,
}

impl std::ops::AddAssign for SaleSums {
    fn add_assign(&mut self, more: Self) {
        self.orders += more.orders;
        self.units += more.units;
        self.paid += more.paid;
        self.cancelled += more.cancelled;
        self.expired += more.expired;
        self.refunded += more.refunded;
        self.taken_minor = self.taken_minor.saturating_add(more.taken_minor);
        self.refunded_minor = self.refunded_minor.saturating_add(more.refunded_minor);
    }
}

/// What a message says that settles an order or gives money back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentMessage {
    pub order: OrderId,
}
