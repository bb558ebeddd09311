//! Finding what an id of a ticket, a grant or a change of an activity stands for.

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{Account, ActivityView, PlayOutcome};
use domain::ledger::{Effect, Key, Stored};

use super::super::columns::{digest, era, key_bytes, read_command_digest};
use super::super::position;
use super::columns::{
    account_columns, activity_columns, read_account, read_activity, read_ticket, ticket_columns,
};
use super::load;
use crate::failure::{Fault, Result};
use crate::params;
use crate::tx::Tx;
use crate::value::Value;

/// Era by era, the newest first. `CROSS JOIN` keeps SQLite from starting with the table.
macro_rules! by_era {
    ($columns:expr, $table:literal, $key:literal) => {
        concat!(
            "WITH RECURSIVE back(era) AS
                (SELECT CAST($3 AS BIGINT) UNION ALL SELECT era - 1 FROM back WHERE era > 0)
             SELECT ",
            $columns,
            " FROM back CROSS JOIN ",
            $table,
            " t WHERE t.era = back.era AND t.fingerprint = $1 AND t.",
            $key,
            " = $2 LIMIT 1"
        )
    };
}

pub(in super::super) async fn stored(tx: &Tx<'_>, key: Key) -> Result<Option<Stored>> {
    let newest = era(position::read(tx).await?.seq);
    let place: [Value; 3] = [digest(key.fingerprint()), key_bytes(key), newest.into()];
    let ticket = tx.one(by_era!(ticket_columns!(), "tickets", "ticket_key"), &place, read_ticket).await?;
    if let Some((digest, ticket)) = ticket {
        let view = ticket.view;
        let account = account(tx, view.activity, view.round, view.user).await?;
        return Ok(Some(Stored::Ticket { view, account, digest }));
    }
    let command = tx
        .one(
            by_era!("t.body, t.kind, t.activity_id, t.user_id", "play_commands", "command_key"),
            &place,
            |row| {
                Ok((
                    read_command_digest(row)?,
                    row.text()?,
                    ActivityId(row.int()?),
                    row.opt_int()?.map(UserId),
                ))
            },
        )
        .await?;
    let Some((digest, kind, activity, granted)) = command else { return Ok(None) };
    let outcome = match granted {
        _ if kind == "halted" => PlayOutcome::Halt { on: load::halted(tx).await? },
        Some(user) => {
            let round = current(tx, activity).await?.round;
            PlayOutcome::Chances { activity, round, user, account: account(tx, activity, round, user).await? }
        }
        None => PlayOutcome::Activity(current(tx, activity).await?),
    };
    Ok(Some(Stored::Directive { digest, outcome: Effect::Play(outcome) }))
}

async fn current(tx: &Tx<'_>, activity: ActivityId) -> Result<ActivityView> {
    let found = tx
        .one(
            concat!(
                "SELECT ",
                activity_columns!(),
                " FROM play_activities a JOIN play_rounds r ON r.activity_id = a.id AND r.round = a.round
                  WHERE a.id = $1"
            ),
            params![activity.0],
            read_activity,
        )
        .await?;
    Ok(found.ok_or_else(|| Fault::new("a change of an activity that is not there"))?)
}

async fn account(tx: &Tx<'_>, activity: ActivityId, round: u32, user: UserId) -> Result<Account> {
    let account = tx
        .one(
            concat!(
                "SELECT ",
                account_columns!(),
                " FROM players p WHERE p.activity_id = $1 AND p.round = $2 AND p.user_id = $3"
            ),
            params![activity.0, round, user.0],
            read_account,
        )
        .await?;
    Ok(account.unwrap_or_default())
}
