//! Rounds of activities, players and tickets as columns and back.

use domain::ids::{ActivityId, UserId};
use domain::ledger::PoolId;
use domain::ledger::play::{
    Account, ActivityState, ActivityView, ChanceLimits, Draws, PlayerState, Settlement, Terms, TicketView,
};
use domain::lottery::chain::{ChainLink, Receipt};
use domain::lottery::random::ClientValue;
use domain::lottery::shelf::Spending;
use domain::lottery::strategy::PrizeId;
use domain::player_number::PlayerNumber;

use super::super::columns::{read_digest, read_key, read_u32, read_unsigned};
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
        round: read_u32(row)?,
        state: row.named(state)?,
        terms: Terms {
            version: read_u32(row)?,
            from: row.time()?,
            until: row.time()?,
            entries: Some(PoolId(row.int()?)).filter(|pool| pool.0 != 0),
            limits: ChanceLimits { total: read_u32(row)?, month: read_u32(row)?, day: read_u32(row)? },
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
        chain: Receipt { place: read_unsigned(row)?, link: ChainLink(row.hash()?) },
        spent: Spending {
            total_minor: read_unsigned(row)?,
            day_minor: read_unsigned(row)?,
            fallback_points: read_unsigned(row)?,
        },
        day: read_u32(row)?,
        counts: RoundCounts {
            draws: read_unsigned(row)?,
            players: read_unsigned(row)?,
            winners: read_unsigned(row)?,
            wins: read_unsigned(row)?,
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
        bonus: read_u32(row)?,
        used: read_u32(row)?,
        month_used: read_u32(row)?,
        day_used: read_u32(row)?,
        day: read_u32(row)?,
        draws: read_u32(row)?,
        day_draws: read_u32(row)?,
        misses: read_u32(row)?,
        won: read_u32(row)?,
    })
}

/// A player without the wins of prizes with a cap, which stand in rows of their own.
pub(super) fn read_player(row: &mut Row) -> Result<(UserId, PlayerState), Fault> {
    let user = UserId(row.int()?);
    let (account, last, seat) = (read_account(row)?, read_unsigned(row)?, row.opt_int()?);
    let seat = seat.map(read_seat).transpose()?;
    let client = row.opt_bytes()?.map(<[u8; 16]>::try_from).transpose();
    let client = client.map_err(|_| Fault::new("a player's value that is not 16 bytes long"))?;
    Ok((user, PlayerState { account, seat, last, client: client.map(ClientValue), wins: Vec::new() }))
}

pub(crate) fn read_seat(number: i64) -> Result<PlayerNumber, Fault> {
    let seat = u32::try_from(number).ok().and_then(PlayerNumber::new);
    seat.ok_or_else(|| Fault::new(format!("{number} is no player's number")))
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

/// The fingerprint of its body, and the ticket.
pub(super) fn read_ticket(row: &mut Row) -> Result<(u64, StoredTicket), Fault> {
    let (made_seq, body, version) = (read_unsigned(row)?, read_digest(row)?, read_u32(row)?);
    let view = TicketView {
        key: read_key(row)?,
        activity: ActivityId(row.int()?),
        round: read_u32(row)?,
        user: UserId(row.int()?),
        first: read_u32(row)?,
        draws: Draws::new(read_u32(row)?).ok_or_else(|| Fault::new("a ticket for no draws"))?,
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
    Ok((body, StoredTicket { made_seq, version, view }))
}

pub(super) fn settlement(bytes: &[u8]) -> Result<Settlement, Fault> {
    Settlement::new(bytes).ok_or_else(|| Fault::new("a settlement that is too long"))
}
