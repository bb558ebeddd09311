//! Encrypts phones, addresses, those that parcels go to, the secrets of activities and webhooks, redeem codes and private
//! messages anew after the key was rotated, so that the old key can be thrown away.

use store::model::{JobRun, SealedColumn, SealedRow};

use crate::failure::{Fault, Result};
use crate::jobs::{Job, JobStep};
use crate::ports::SealContext;
use crate::world::World;

/// Rows looked at in one step.
const RESEAL_MAX: u32 = 500;

pub(crate) const RESEAL: Job = Job {
    name: "reseal",
    schedule: "cron 30 4 * * *",
    parameters: &[],
    step: |world, run| Box::pin(step(world, run)),
};

async fn step(world: &World, run: &JobRun) -> Result<JobStep> {
    let (column, after) = read_cursor(&run.cursor);
    let rows = world.db.sealed_rows(column, after, RESEAL_MAX).await?;
    let last = rows.last().map(|row| (row.user, row.id));
    let full = rows.len() == RESEAL_MAX as usize;
    let mut handled = 0;
    for row in rows {
        if !world.outside.vault.is_current(&row.sealed) {
            handled += u64::from(reseal(world, run, row).await?);
        }
    }
    let (done, cursor) = match (full, last, column) {
        (true, Some(last), _) => (false, write_cursor(column, last)),
        (_, _, SealedColumn::Phone) => (false, write_cursor(SealedColumn::Address, (0, 0))),
        (_, _, SealedColumn::Address) => (false, write_cursor(SealedColumn::Secret, (0, 0))),
        (_, _, SealedColumn::Secret) => (false, write_cursor(SealedColumn::Parcel, (0, 0))),
        (_, _, SealedColumn::Parcel) => (false, write_cursor(SealedColumn::Code, (0, 0))),
        (_, _, SealedColumn::Code) => (false, write_cursor(SealedColumn::Webhook, (0, 0))),
        (_, _, SealedColumn::Webhook) => (false, write_cursor(SealedColumn::SecondFactor, (0, 0))),
        (_, _, SealedColumn::SecondFactor) => (false, write_cursor(SealedColumn::PrivateMessage, (0, 0))),
        (_, _, SealedColumn::PrivateMessage) => (true, String::new()),
    };
    Ok(JobStep { handled, done, cursor })
}

async fn reseal(world: &World, run: &JobRun, row: SealedRow) -> Result<bool> {
    let kind = match row.kind {
        SealedColumn::Phone => SealContext::Phone,
        SealedColumn::Address | SealedColumn::Parcel => SealContext::Address,
        SealedColumn::Secret => SealContext::Secret,
        SealedColumn::Code => SealContext::Code,
        SealedColumn::Webhook => SealContext::Webhook,
        SealedColumn::SecondFactor => SealContext::SecondFactor,
        SealedColumn::PrivateMessage => SealContext::PrivateMessage,
    };
    let plain =
        world.outside.vault.open(kind, &row.sealed).map_err(|fault| {
            Fault::caused(format!("resealing a {} of {}", kind.context(), row.user), fault)
        })?;
    let sealed = world.outside.vault.seal(kind, &plain);
    world.db.reseal(run.fence.clone(), row, sealed).await
}

fn write_cursor(column: SealedColumn, (user, id): (i64, i64)) -> String {
    let column = match column {
        SealedColumn::Phone => "phone",
        SealedColumn::Address => "address",
        SealedColumn::Secret => "secret",
        SealedColumn::Parcel => "parcel",
        SealedColumn::Code => "code",
        SealedColumn::Webhook => "webhook",
        SealedColumn::SecondFactor => "second_factor",
        SealedColumn::PrivateMessage => "private_message",
    };
    format!("{column} {user} {id}")
}

/// A cursor that cannot be read starts over: looking twice does no harm.
fn read_cursor(text: &str) -> (SealedColumn, (i64, i64)) {
    let mut parts = text.split(' ');
    let column = match parts.next() {
        Some("address") => SealedColumn::Address,
        Some("secret") => SealedColumn::Secret,
        Some("parcel") => SealedColumn::Parcel,
        Some("code") => SealedColumn::Code,
        Some("webhook") => SealedColumn::Webhook,
        Some("second_factor") => SealedColumn::SecondFactor,
        Some("private_message") => SealedColumn::PrivateMessage,
        _ => SealedColumn::Phone,
    };
    let mut number = || parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
    (column, (number(), number()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_was() {
        for cursor in [
            (SealedColumn::Phone, (5, 6)),
            (SealedColumn::Address, (i64::MAX, 0)),
            (SealedColumn::Secret, (7, 8)),
            (SealedColumn::Parcel, (9, 0)),
            (SealedColumn::Code, (9, 1_000)),
            (SealedColumn::Webhook, (9, 1)),
            (SealedColumn::SecondFactor, (9, 0)),
            (SealedColumn::PrivateMessage, (9, 7)),
        ] {
            assert_eq!(read_cursor(&write_cursor(cursor.0, cursor.1)), cursor);
        }
        assert_eq!(read_cursor("nonsense"), (SealedColumn::Phone, (0, 0)));
    }
}
