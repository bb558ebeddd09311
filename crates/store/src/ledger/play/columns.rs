//! Rounds of activities, players and tickets as columns and back.

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{
    Account, ActivityState, ActivityView, ChanceLimits, Draws, PlayerState, Settlement, Terms, TicketView,
};
use domain::ledger::{CommandDigest, PoolId};
use domain::lottery::chain::{ChainLink, Receipt};
use domain::lottery::random::ClientValue;
use domain::lottery::shelf::Spending;
use domain::lottery::strategy::PrizeId;

use super::super::columns::{read_command_digest, read_key};
use crate::failure::Fault;
use crate::model::{RoundCounts, StoredTicket};
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
        "r.activity_id, r.round, r.state, r.version, r.from_ms, r.until_ms, r.entries, r.total_max, r.month_max,
         r.day_max, r.begin_link"
    };
}
pub(super) use activity_columns;

pub(super) fn read_activity(row: &mut Row) -> Result<ActivityView, Fault> {
    Ok(ActivityView {
        activity: ActivityId(row.int()?),
        round: row.u32()?,
        state: row.named(state)?,
        terms: Terms {
            version: row.u32()?,
            from: row.time()?,
            until: row.time()?,
            entries: Some(PoolId(row.int()?)).filter(|pool| pool.0 != 0),
            limits: ChanceLimits { total: row.u32()?, month: row.u32()?, day: row.u32()? },
            begin: row.opt_hash()?.map(ChainLink),
        },
    })
}

/// A row of `play_rounds`, beside which its prizes stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundRow {
    pub view: ActivityView,
    pub chain: Receipt,
    pub spent: Spending,
    /// What `spent.day_minor` is about.
    pub day: u32,
    pub counts: RoundCounts,
}

/// What [`read_round_row`] reads.
macro_rules! round_row_columns {
    () => {
        concat!(
            activity_columns!(),
            ", r.chain_place, r.chain_link, r.spent_total, r.spent_day, r.spent_points, r.spent_day_no,
             r.draws, r.players, r.winners, r.wins"
        )
    };
}
pub(super) use round_row_columns;

pub(super) fn read_round_row(row: &mut Row) -> Result<RoundRow, Fault> {
    Ok(RoundRow {
        view: read_activity(row)?,
        chain: Receipt { place: row.unsigned()?, link: ChainLink(row.hash()?) },
        spent: Spending {
            total_minor: row.unsigned()?,
            day_minor: row.unsigned()?,
            fallback_points: row.unsigned()?,
        },
        day: row.u32()?,
        counts: RoundCounts {
            draws: row.unsigned()?,
            players: row.unsigned()?,
            winners: row.unsigned()?,
            wins: row.unsigned()?,
        },
    })
}

/// What [`read_account`] reads.
macro_rules! account_columns {
    () => {
        "p.bonus, p.used, p.month_used, p.day_used, p.day, p.draws, p.day_draws, p.misses, p.won"
    };
}
pub(super) use account_columns;

pub(super) fn read_account(row: &mut Row) -> Result<Account, Fault> {
    Ok(Account {
        bonus: row.u32()?,
        used: row.u32()?,
        month_used: row.u32()?,
        day_used: row.u32()?,
        day: row.u32()?,
        draws: row.u32()?,
        day_draws: row.u32()?,
        misses: row.u32()?,
        won: row.u32()?,
    })
}

/// A player without the wins of prizes with a cap, which stand in rows of their own.
pub(super) fn read_player(row: &mut Row) -> Result<(UserId, PlayerState), Fault> {
    let user = UserId(row.int()?);
    let (account, last, seat) = (read_account(row)?, row.unsigned()?, row.opt_player_number()?);
    let client = row.opt_bytes()?.map(<[u8; 16]>::try_from).transpose();
    let client = client.map_err(|_| Fault::new("a player's value that is not 16 bytes long"))?;
    Ok((user, PlayerState { account, seat, last, client: client.map(ClientValue), wins: Vec::new() }))
}

pub(crate) fn read_prize(row: &mut Row) -> Result<PrizeId, Fault> {
    prize(row.int()?)
}

pub(super) fn prize(number: i64) -> Result<PrizeId, Fault> {
    let prize = u16::try_from(number).ok().and_then(PrizeId::new);
    prize.ok_or_else(|| Fault::new(format!("{number} is no prize")))
}

/// What [`read_ticket`] reads.
macro_rules! ticket_columns {
    () => {
        "t.made_seq, t.body, t.version, t.ticket_key, t.activity_id, t.round, t.user_id, t.first_draw, t.draws, t.made,
         t.settlement, t.place, t.link"
    };
}
pub(super) use ticket_columns;

/// What was asked for, and the ticket.
pub(super) fn read_ticket(row: &mut Row) -> Result<(CommandDigest, StoredTicket), Fault> {
    let (made_seq, digest, version) = (row.unsigned()?, read_command_digest(row)?, row.u32()?);
    let view = TicketView {
        key: read_key(row)?,
        activity: ActivityId(row.int()?),
        round: row.u32()?,
        user: UserId(row.int()?),
        first: row.u32()?,
        draws: Draws::new(row.u32()?).ok_or_else(|| Fault::new("a ticket for no draws"))?,
        made: row.time()?,
        settlement: settlement(&row.bytes()?)?,
        receipt: match (row.opt_int()?, row.opt_hash()?) {
            (Some(place), Some(link)) => {
                Some(Receipt { place: place.cast_unsigned(), link: ChainLink(link) })
            }
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => return Err(Fault::new("half a receipt")),
        },
    };
    Ok((digest, StoredTicket { made_seq, version, view }))
}

pub(super) fn settlement(bytes: &[u8]) -> Result<Settlement, Fault> {
    Settlement::new(bytes).ok_or_else(|| Fault::new("a settlement that is too long"))
}
