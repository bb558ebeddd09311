//! Activities, players and open tickets, for a ledger to go on from.

use std::collections::{BTreeSet, HashMap};

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::Account;
use engine::Outcome;
use engine::ports::{ActivityImage, TicketImage};

use super::super::columns::read_u32;
use super::columns::{
    account_columns, activity_columns, read_account, read_activity, read_ticket, ticket_columns,
};
use crate::params;
use crate::tx::Tx;

/// Rows read at a time.
const PAGE_ROWS: u32 = 10_000;

/// Open tickets in the order they were taken.
pub(in super::super) async fn tickets(tx: &Tx<'_>) -> Outcome<Vec<TicketImage>> {
    let mut tickets = tx
        .all(
            concat!("SELECT ", ticket_columns!(), " FROM tickets t WHERE t.settled_seq IS NULL"),
            params![],
            |row| {
                let (made_seq, body, view) = read_ticket(row)?;
                Ok(TicketImage { made_seq, body, view })
            },
        )
        .await?;
    tickets.sort_unstable_by_key(|ticket| ticket.made_seq);
    Ok(tickets)
}

/// Current rounds, and old ones that a ticket is still open in.
pub(in super::super) async fn activities(
    tx: &Tx<'_>,
    tickets: &[TicketImage],
) -> Outcome<Vec<ActivityImage>> {
    let current = tx
        .all(
            concat!(
                "SELECT ",
                activity_columns!(),
                " FROM play_activities a JOIN play_rounds r ON r.activity_id = a.id AND r.round = a.round"
            ),
            params![],
            read_activity,
        )
        .await?;
    let mut images: Vec<ActivityImage> =
        current.into_iter().map(|view| ActivityImage { view, current: true, players: Vec::new() }).collect();
    let known: BTreeSet<(ActivityId, u32)> =
        images.iter().map(|image| (image.view.activity, image.view.round)).collect();
    let named: BTreeSet<(ActivityId, u32)> =
        tickets.iter().map(|ticket| (ticket.view.activity, ticket.view.round)).collect();
    for (activity, round) in named.difference(&known) {
        let sql = concat!(
            "SELECT ",
            activity_columns!(),
            " FROM play_rounds r WHERE r.activity_id = $1 AND r.round = $2"
        );
        let old = tx.all(sql, params![activity.0, *round], read_activity).await?;
        images.extend(old.into_iter().map(|view| ActivityImage {
            view,
            current: false,
            players: Vec::new(),
        }));
    }
    players(tx, &mut images).await?;
    Ok(images)
}

async fn players(tx: &Tx<'_>, images: &mut [ActivityImage]) -> Outcome<()> {
    let places: HashMap<(ActivityId, u32), usize> =
        images.iter().enumerate().map(|(at, image)| ((image.view.activity, image.view.round), at)).collect();
    let mut after = (i64::MIN, 0_i64, 0_u32);
    loop {
        let page: Vec<(i64, i64, u32, Account)> = tx
            .all(
                concat!(
                    "SELECT p.user_id, p.activity_id, p.round, ",
                    account_columns!(),
                    " FROM players p WHERE (p.user_id, p.activity_id, p.round) > ($1, $2, $3)
                      ORDER BY p.user_id, p.activity_id, p.round LIMIT $4"
                ),
                params![after.0, after.1, after.2, PAGE_ROWS],
                |row| Ok((row.int()?, row.int()?, read_u32(row)?, read_account(row)?)),
            )
            .await?;
        for (user, activity, round, account) in &page {
            if let Some(at) = places.get(&(ActivityId(*activity), *round)) {
                images[*at].players.push((UserId(*user), *account));
            }
        }
        match page.last() {
            Some((user, activity, round, _)) => after = (*user, *activity, *round),
            None => return Ok(()),
        }
    }
}
