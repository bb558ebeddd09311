//! Many commands in one request, each with its own outcome, in order.
//!
//! One step of the ledger and one request against the caller's allowance. A command that is malformed is its own outcome
//! and does not spoil the others. It is no transaction: whatever must happen together is one hold with several lines.

use std::fmt;

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use domain::ledger::PoolState;
use domain::rejection::FieldProblem;
use engine::inventory::{
    BATCH_MAX, GivenLine, InventoryAnswer, InventoryItem, InventoryRequest, Wish, ask_many,
};
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::wire::{HoldBody, LineRequest, PoolBody, status};
use crate::app::App;
use crate::auth::StockKeeper;
use crate::body::BatchBody;
use crate::context::Context;
use crate::json::parse;
use crate::problem::{Problem, ProblemBody, counted};

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchRequest {
    /// 1 to 1,000.
    #[serde(deserialize_with = "one_too_many")]
    #[schema(value_type = Vec<BatchCommand>, min_items = 1, max_items = 1_000)]
    pub commands: Vec<Box<RawValue>>,
}

/// Keeps one command more than a batch may have, which is enough to refuse it, and skips the rest.
fn one_too_many<'de, D: Deserializer<'de>>(json: D) -> Result<Vec<Box<RawValue>>, D::Error> {
    struct Commands;
    impl<'de> Visitor<'de> for Commands {
        type Value = Vec<Box<RawValue>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of commands")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut commands = Vec::new();
            while commands.len() <= BATCH_MAX {
                match list.next_element()? {
                    Some(command) => commands.push(command),
                    None => return Ok(commands),
                }
            }
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok(commands)
        }
    }
    json.deserialize_seq(Commands)
}

/// One command: the fields are those of the route that does the same, besides `pool`, which stands in the address there.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchCommand {
    /// `open`, `reopen`, `restock`, `adjust`, `limit`, `freeze`, `thaw`, `close`, `reserve`, `confirm`, `cancel` or `extend`.
    #[serde(rename = "do")]
    #[schema(required, value_type = String, example = "reserve")]
    verb: Option<String>,
    /// The command's own id, or the hold's.
    #[schema(required, value_type = String)]
    id: Option<String>,
    /// `open`: the new pool's name.
    name: Option<String>,
    /// `reopen`, `restock`, `adjust`, `limit`, `freeze`, `thaw`, `close`: the pool's name.
    pool: Option<String>,
    /// `open`, `reopen`.
    total: Option<i64>,
    /// `reopen`.
    round: Option<i64>,
    /// `open`, `reopen`, `limit`.
    owner_max: Option<i64>,
    /// `restock`.
    quantity: Option<i64>,
    /// `adjust`.
    delta: Option<i64>,
    /// Every command to a pool.
    reason: Option<String>,
    /// `reserve`, `confirm`.
    lines: Option<Vec<LineRequest>>,
    /// `reserve`.
    owner: Option<String>,
    /// `reserve`.
    ttl_ms: Option<i64>,
    /// `extend`.
    until_ms: Option<i64>,
}

const VERBS: &str =
    "open, reopen, restock, adjust, limit, freeze, thaw, close, reserve, confirm, cancel, extend";

impl BatchCommand {
    /// Takes what the command needs; whatever is left over was not meant for it.
    fn ask(mut self) -> Result<InventoryRequest, Rejection> {
        let verb = need("do", self.verb.take())?;
        let id = need("id", self.id.take())?;
        let wish = match verb.as_str() {
            "open" => Wish::Open {
                name: need("name", self.name.take())?,
                round: 1,
                total: need("total", self.total.take())?,
                owner_max: self.owner_max.take().unwrap_or(0),
                reason: self.reason.take().unwrap_or_default(),
            },
            "reopen" => Wish::Open {
                name: need("pool", self.pool.take())?,
                round: need("round", self.round.take())?,
                total: need("total", self.total.take())?,
                owner_max: need("owner_max", self.owner_max.take())?,
                reason: self.reason.take().unwrap_or_default(),
            },
            "restock" => Wish::Restock {
                pool: need("pool", self.pool.take())?,
                quantity: need("quantity", self.quantity.take())?,
                reason: need("reason", self.reason.take())?,
            },
            "adjust" => Wish::Adjust {
                pool: need("pool", self.pool.take())?,
                delta: need("delta", self.delta.take())?,
                reason: need("reason", self.reason.take())?,
            },
            "limit" => Wish::Limit {
                pool: need("pool", self.pool.take())?,
                owner_max: need("owner_max", self.owner_max.take())?,
                reason: self.reason.take().unwrap_or_default(),
            },
            "freeze" => self.state(PoolState::Frozen)?,
            "thaw" => self.state(PoolState::Open)?,
            "close" => self.state(PoolState::Closed)?,
            "reserve" => Wish::Reserve {
                lines: lines(need("lines", self.lines.take())?),
                owner: self.owner.take(),
                ttl_ms: need("ttl_ms", self.ttl_ms.take())?,
            },
            "confirm" => Wish::Confirm { lines: self.lines.take().map(lines) },
            "cancel" => Wish::Cancel,
            "extend" => Wish::Extend { until_ms: need("until_ms", self.until_ms.take())? },
            _ => return Err(Rejection::invalid("do", FieldProblem::NotOneOf { allowed: VERBS })),
        };
        self.nothing_left()?;
        Ok(InventoryRequest { id, wish })
    }

    fn state(&mut self, state: PoolState) -> Result<Wish, Rejection> {
        let pool = need("pool", self.pool.take())?;
        Ok(Wish::State { pool, state, reason: need("reason", self.reason.take())? })
    }

    fn nothing_left(&self) -> Result<(), Rejection> {
        let left = [
            ("name", self.name.is_some()),
            ("pool", self.pool.is_some()),
            ("total", self.total.is_some()),
            ("round", self.round.is_some()),
            ("owner_max", self.owner_max.is_some()),
            ("quantity", self.quantity.is_some()),
            ("delta", self.delta.is_some()),
            ("reason", self.reason.is_some()),
            ("lines", self.lines.is_some()),
            ("owner", self.owner.is_some()),
            ("ttl_ms", self.ttl_ms.is_some()),
            ("until_ms", self.until_ms.is_some()),
        ];
        match left.iter().find(|(_, there)| *there) {
            Some((field, _)) => Err(Rejection::invalid(field, FieldProblem::Unknown)),
            None => Ok(()),
        }
    }
}

fn need<T>(field: &str, value: Option<T>) -> Result<T, Rejection> {
    value.ok_or_else(|| Rejection::invalid(field, FieldProblem::Missing))
}

fn lines(given: Vec<LineRequest>) -> Vec<GivenLine> {
    given.into_iter().map(GivenLine::from).collect()
}

/// What one command came to: the pool, or the hold, or why not.
#[derive(Serialize, ToSchema)]
pub struct OutcomeBody {
    /// What the command alone would have been answered with.
    pub status: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool: Option<PoolBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<HoldBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ProblemBody>,
}

impl OutcomeBody {
    fn of(outcome: Result<InventoryAnswer, Rejection>, context: &Context) -> Self {
        let mut body = Self { status: 0, pool: None, hold: None, problem: None };
        match outcome {
            Ok(told) => {
                body.status = status(told.came).as_u16();
                match told.what {
                    InventoryItem::Pool(pool) => body.pool = Some(pool.into()),
                    InventoryItem::Hold(hold) => body.hold = Some(hold.into()),
                }
            }
            Err(rejection) => {
                counted(&rejection);
                let problem = ProblemBody::of(&rejection, context);
                (body.status, body.problem) = (problem.status, Some(problem));
            }
        }
        body
    }
}

#[derive(Serialize, ToSchema)]
pub struct BatchResponse {
    /// One for each command, in order.
    pub outcomes: Vec<OutcomeBody>,
}

/// Up to 1,000 commands in one request
///
/// They are decided in order and each has its own outcome; it is no transaction.
#[utoipa::path(post, path = "/inventory/batch", tag = "inventory",
    responses((status = 200, body = BatchResponse)))]
pub async fn inventory_batch(
    State(app): State<App>,
    keeper: StockKeeper,
    BatchBody(given): BatchBody<BatchRequest>,
) -> Result<Json<BatchResponse>, Problem> {
    let read = |raw: Box<RawValue>| parse::<BatchCommand>(raw.get().as_bytes()).and_then(BatchCommand::ask);
    let asks = given.commands.into_iter().map(read).collect();
    let told = ask_many(&app.world, &keeper.sign(&app, ""), asks).await?;
    let outcomes = told.into_iter().map(|outcome| OutcomeBody::of(outcome, &keeper.context));
    Ok(Json(BatchResponse { outcomes: outcomes.collect() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command, and which field is to blame; nothing when it is taken.
    #[test]
    fn each_command_takes_its_own_fields() {
        for (text, blamed) in [
            (r#"{"do":"open","id":"a","name":"tea","total":5}"#, None),
            (r#"{"do":"reopen","id":"a","pool":"tea","round":2,"total":5,"owner_max":1,"reason":"x"}"#, None),
            (r#"{"do":"restock","id":"a","pool":"tea","quantity":5,"reason":"x"}"#, None),
            (r#"{"do":"adjust","id":"a","pool":"tea","delta":-5,"reason":"x"}"#, None),
            (r#"{"do":"limit","id":"a","pool":"tea","owner_max":5}"#, None),
            (r#"{"do":"freeze","id":"a","pool":"tea","reason":"x"}"#, None),
            (r#"{"do":"thaw","id":"a","pool":"tea","reason":"x"}"#, None),
            (r#"{"do":"close","id":"a","pool":"tea","reason":"x"}"#, None),
            (r#"{"do":"reserve","id":"a","lines":[{"pool":"tea","quantity":1}],"ttl_ms":1000}"#, None),
            (r#"{"do":"confirm","id":"a"}"#, None),
            (r#"{"do":"cancel","id":"a"}"#, None),
            (r#"{"do":"extend","id":"a","until_ms":5}"#, None),
            (r#"{"id":"a"}"#, Some("do")),
            (r#"{"do":"steal","id":"a"}"#, Some("do")),
            (r#"{"do":"cancel"}"#, Some("id")),
            (r#"{"do":"cancel","id":"a","lines":[]}"#, Some("lines")),
            (r#"{"do":"cancel","id":"a","line":[]}"#, Some("line")),
            (r#"{"do":"cancel","id":7}"#, Some("id")),
            (r#"{"do":"restock","id":"a","pool":"tea","quantity":0.5,"reason":"x"}"#, Some("quantity")),
            (r#"{"do":"restock","id":"a","pool":"tea","quantity":5}"#, Some("reason")),
            (
                r#"{"do":"reserve","id":"a","lines":[{"pool":"tea"}],"ttl_ms":1000}"#,
                Some("lines[0].quantity"),
            ),
        ] {
            let asked = parse::<BatchCommand>(text.as_bytes()).and_then(BatchCommand::ask);
            assert_eq!(asked.as_ref().err().and_then(Rejection::field), blamed, "{text}");
            assert_eq!(asked.is_ok(), blamed.is_none(), "{text}");
        }
    }
}
