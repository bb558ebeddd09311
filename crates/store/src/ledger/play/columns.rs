//! Rounds of activities and tickets as columns and back.

use domain::ids::{ActivityId, UserId};
use domain::ledger::PoolId;
use domain::ledger::play::{
    Account, ActivityState, ActivityView, ChanceLimits, Draws, Settlement, Terms, TicketView,
};
use engine::Fault;

use super::super::columns::{read_digest, read_key, read_u32, read_unsigned};
use crate::row::Row;

pub(super) fn state_name(state: ActivityState) -> &'static str {
    match state {
        ActivityState::Open => "open",
        ActivityState::Paused => "paused",
        ActivityState::Closed => "closed",
    }
}

fn state(name: &str) -> Option<ActivityState> {
    [ActivityState::Open, ActivityState::Paused, ActivityState::Closed]
        .into_iter()
        .find(|state| state_name(*state) == name)
}

/// What [`read_activity`] reads.
macro_rules! activity_columns {
    () => {
        "r.activity_id, r.round, r.state, r.from_ms, r.until_ms, r.entries, r.total_max, r.month_max, r.day_max"
    };
}
pub(super) use activity_columns;

pub(super) fn read_activity(row: &mut Row) -> Result<ActivityView, Fault> {
    Ok(ActivityView {
        activity: ActivityId(row.int()?),
        round: read_u32(row)?,
        state: row.named(state)?,
        terms: Terms {
            from: row.time()?,
            until: row.time()?,
            entries: Some(PoolId(row.int()?)).filter(|pool| pool.0 != 0),
            limits: ChanceLimits { total: read_u32(row)?, month: read_u32(row)?, day: read_u32(row)? },
        },
    })
}

/// What [`read_account`] reads.
macro_rules! account_columns {
    () => {
        "p.bonus, p.used, p.month_used, p.day_used, p.day, p.draws"
    };
}
pub(super) use account_columns;

pub(super) fn read_account(row: &mut Row) -> Result<Account, Fault> {
    Ok(Account {
        bonus: read_u32(row)?,
        used: read_u32(row)?,
        month_used: read_u32(row)?,
        day_used: read_u32(row)?,
        day: read_u32(row)?,
        draws: read_u32(row)?,
    })
}

/// What [`read_ticket`] reads.
macro_rules! ticket_columns {
    () => {
        "t.made_seq, t.body, t.ticket_key, t.activity_id, t.round, t.user_id, t.first_draw, t.draws, t.made,
         t.settlement"
    };
}
pub(super) use ticket_columns;

/// The event that made it, the fingerprint of its body, and the ticket.
pub(super) fn read_ticket(row: &mut Row) -> Result<(u64, u64, TicketView), Fault> {
    let (made_seq, body) = (read_unsigned(row)?, read_digest(row)?);
    let view = TicketView {
        key: read_key(row)?,
        activity: ActivityId(row.int()?),
        round: read_u32(row)?,
        user: UserId(row.int()?),
        first: read_u32(row)?,
        draws: Draws::new(read_u32(row)?).ok_or_else(|| Fault::new("a ticket for no draws"))?,
        made: row.time()?,
        settlement: row
            .opt_bytes()?
            .map(|bytes| Settlement::new(&bytes).ok_or_else(|| Fault::new("a settlement that is too long")))
            .transpose()?,
    };
    Ok((made_seq, body, view))
}
