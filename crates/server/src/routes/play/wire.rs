//! How tickets, draws and chances are written in JSON.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::hex::hex;
use domain::lottery::chain::Receipt;
use engine::activity_cache::Title;
use engine::draws::{ChancesLeft, DrawAnswer, DrawView, TicketSummary};
use serde::Serialize;
use utoipa::ToSchema;

/// What came of a request to draw or to enter.
#[derive(Debug, Serialize, ToSchema)]
pub struct DrawResponse {
    #[serde(flatten)]
    pub ticket: TicketBody,
    pub chances: ChancesBody,
}

/// One ticket: one or ten draws, or entries to a raffle.
#[derive(Debug, Serialize, ToSchema)]
pub struct TicketBody {
    /// Windfall's own name for it.
    #[schema(example = "5f0c9f2d8a4b1c3e5f0c9f2d8a4b1c3e")]
    pub ticket: String,
    #[schema(example = "7318349394477056")]
    pub activity: String,
    pub round: u32,
    /// The strategy's; absent for entries to a raffle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The number of its first draw or entry among yours in this round, from 0, and how many there are.
    pub first: u32,
    pub count: u32,
    /// Milliseconds since 1970.
    pub at_ms: i64,
    pub draws: Vec<DrawBody>,
    /// Its place in the chain of all tickets: keep it, and nobody can drop or change it unseen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<ReceiptBody>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReceiptBody {
    /// From 1.
    pub place: u64,
    /// SHA-256, in hexadecimal.
    pub link: String,
}

/// One draw. Without a prize it is a miss, which is a result too.
#[derive(Debug, Serialize, ToSchema)]
pub struct DrawBody {
    pub n: u32,
    /// Where the wheel stops.
    pub slot: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prize: Option<PrizeBody>,
    /// How it came out: `won`, `pity` (the guarantee after so many misses), `fallback` (instead of what is gone) or `miss`.
    pub why: &'static str,
}

/// A prize as people see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct PrizeBody {
    pub id: u16,
    pub name: String,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name_en: String,
    /// What kind of prize it is.
    pub kind: &'static str,
    /// How many points or chances. Of a fallback, what was drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<u64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub details: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub details_en: String,
    /// An address or an emoji.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub picture: String,
}

/// How often you may still draw.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChancesBody {
    /// Now: what was granted to you and what the limits leave.
    pub left: u32,
    /// Granted to you and not used: no limit but their number.
    pub granted: u32,
    /// Of what everybody has: in all, this month, today. Absent where there is no such limit.
    pub total: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub month: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<u32>,
    /// The limit that ends first: `total`, `month` or `day`.
    pub bound_by: &'static str,
    /// Draws so far, in this round; in a raffle, your entries.
    pub drawn: u32,
}

/// How often you may still draw, and who you are in what is published.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyChancesBody {
    #[serde(flatten)]
    pub chances: ChancesBody,
    /// Your number in this round, by which records, rolls and exports name you; absent before your first draw or entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<u32>,
}

impl From<ChancesLeft> for ChancesBody {
    fn from(left: ChancesLeft) -> Self {
        let ChancesLeft { now, granted, total, month, day, drawn, bound_by } = left;
        Self { left: now, granted, total, month, day, bound_by: bound_by.name(), drawn }
    }
}

impl From<Title> for PrizeBody {
    fn from(title: Title) -> Self {
        Self {
            id: title.prize.number(),
            name: title.name,
            name_en: title.name_en,
            kind: title.gift.kind().name(),
            amount: title.gift.amount(),
            details: title.details,
            details_en: title.details_en,
            picture: title.picture,
        }
    }
}

impl PrizeBody {
    /// As somebody won it: with the points that came with the fallback, if any did.
    pub fn won(title: Title, points: u64) -> Self {
        let body = Self::from(title);
        if points > 0 { Self { amount: Some(points), ..body } } else { body }
    }
}

impl From<DrawView> for DrawBody {
    fn from(draw: DrawView) -> Self {
        let DrawView { n, slot, prize, points, why } = draw;
        Self { n, slot, prize: prize.map(|title| PrizeBody::won(title, points)), why }
    }
}

impl From<Receipt> for ReceiptBody {
    fn from(receipt: Receipt) -> Self {
        Self { place: receipt.place, link: hex(&receipt.link.0) }
    }
}

impl From<TicketSummary> for TicketBody {
    fn from(ticket: TicketSummary) -> Self {
        Self {
            ticket: format!("{:032x}", ticket.key),
            activity: ticket.activity.to_string(),
            round: ticket.round,
            version: ticket.version,
            first: ticket.first,
            count: ticket.count,
            at_ms: ticket.at.0,
            draws: ticket.draws.into_iter().map(DrawBody::from).collect(),
            receipt: ticket.receipt.map(ReceiptBody::from),
        }
    }
}

/// 201 the first time, 200 when the same id is asked again.
pub(super) fn told(told: DrawAnswer) -> Response {
    let status = if told.again { StatusCode::OK } else { StatusCode::CREATED };
    let body = DrawResponse { ticket: told.ticket.into(), chances: told.chances.into() };
    (status, Json(body)).into_response()
}
