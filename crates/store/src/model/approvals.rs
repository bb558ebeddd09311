//! Requests that wait for a second person. What is asked for is carried out by the step that approves it,
//! in the same transaction, so an approved request is never left undone.

use domain::access::{ApprovalState, Decider, Decision, Roles, Scopes};
use domain::ids::{ApprovalId, FulfilmentId, GrantRuleId, KeyId, OfferId, OrderId, ShopOrderId, UserId};
use domain::sale::Money;
use domain::time::Timestamp;

use super::{Actor, AuditStamp, Once};

/// What may be asked for. A new kind is a new variant, and the compiler lists what it must touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Replace a user's roles.
    SetRoles { user: UserId, roles: Roles },
    /// Take away the second factor of somebody who has lost it.
    ResetSecondFactor { user: UserId },
    /// Void a prize that was won and is not given.
    VoidFulfilment { fulfilment: FulfilmentId },
    /// More points for a user, or fewer when it is below zero.
    AdjustPoints { user: UserId, points: i64 },
    /// Take a row of a user's statement back.
    ReversePoints { user: UserId, n: i64 },
    /// Give the points of an order in the shop back.
    RefundShopOrder { order: ShopOrderId },
    /// Give the money of a sale's order back.
    RefundOrder { order: OrderId, user: UserId, money: Money },
    /// Let a key work that may do everything.
    ActivateKey { key: KeyId, name: String, scopes: Scopes },
    /// Let a rule give that could give more than one person may allow.
    ActivateGrantRule { rule: GrantRuleId, edition: u32, terms: RuleSummary },
    /// More pieces of an offer than one person may put out. `command` is the ledger's word for it.
    RestockOffer { offer: OfferId, command: String, delta: i64, terms: OfferSummary },
    /// A lower price for more pieces than one person may put out.
    RepriceOffer { offer: OfferId, price: i64, left: i64, terms: OfferSummary },
}

/// What somebody approves of an offer: what one piece is, and what it costs now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferSummary {
    pub name: String,
    /// `text`, `code`, `coupon`, `parcel` or `chances`.
    pub gives: String,
    /// Chances of one piece.
    pub chances: Option<i64>,
    pub price: i64,
}

/// What somebody approves of a grant rule: what it can give, to whom, how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSummary {
    pub name: String,
    pub behaviour: String,
    /// `points` or `chances`.
    pub gives: String,
    pub amount: i64,
    /// `once`, `day`, `month` or `each`.
    pub period: String,
    pub times: u32,
    pub cap_user: Option<i64>,
    pub cap_total: Option<i64>,
}

/// The ids that a step needs to ask a second person, should it find that it has to.
#[derive(Clone, Copy, Debug)]
pub struct SecondPerson {
    pub approval: ApprovalId,
    /// Of the line in the audit log that says so.
    pub audit_id: i64,
}

#[derive(Clone, Debug)]
pub struct ApprovalAsk {
    pub id: ApprovalId,
    pub request: Request,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

#[derive(Clone, Debug)]
pub struct ApprovalDecide {
    pub id: ApprovalId,
    pub decision: Decision,
    pub decider: Decider,
    /// Of the decision itself.
    pub signed: AuditStamp,
    /// The id of the second audit line: what an approval carried out.
    pub effect_audit_id: i64,
    /// When points expire that are given now.
    pub points_expire: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalRow {
    pub id: ApprovalId,
    pub request: Request,
    pub state: ApprovalState,
    pub asked_by: Actor,
    pub asked_at: Timestamp,
    pub reason: String,
    pub decided_by: Option<Actor>,
    pub decided_at: Option<Timestamp>,
    pub decision_reason: String,
}
