//! Who was active on a day: a bit for everybody, by a number that is given with the first activity.
//!
//! Numbers and bits are one transaction, so somebody is new on exactly one day. A deleted account has no number any more, and
//! gets none by what it did before: the account is locked while it is looked at.

use std::collections::{BTreeMap, BTreeSet};

use domain::civil_date::CivilDate;
use domain::ids::UserId;
use domain::statistics::{PeopleChunk, place_of};

use super::add::lock;
use crate::each::all_each;
use crate::failure::{Fault, Result};
use crate::model::{PEOPLE_ADDED_MAX, PeopleAdd};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::Value;

pub(super) fn read_chunk(row: &mut Row) -> Result<PeopleChunk, Fault> {
    PeopleChunk::from_bytes(row.bytes()?).ok_or_else(|| Fault::new("a chunk of people that is none"))
}

pub(super) async fn add_people(tx: &Tx<'_>, step: &PeopleAdd) -> Result<()> {
    lock(tx, step.fence.as_ref()).await?;
    // In rising order, as whoever locks several accounts does.
    let people: BTreeSet<UserId> = step.people.iter().copied().take(PEOPLE_ADDED_MAX).collect();
    let keys: Vec<[Value; 1]> = people.iter().map(|user| [Value::from(*user)]).collect();
    let sql = "SELECT number FROM active_people WHERE user_id = $1";
    let known = all_each(tx, sql, &keys, Row::int).await?;
    let (mut active, mut new) = (BTreeMap::new(), BTreeMap::new());
    let mut last = tx.count("SELECT number FROM active_people_last WHERE id = 1", params![]).await?;
    for (user, number) in people.into_iter().zip(known) {
        let number = match number.first() {
            Some(number) => *number,
            None if is_there(tx, user).await? => {
                last += 1;
                let sql = "INSERT INTO active_people (user_id, number) VALUES ($1, $2)";
                tx.execute(sql, params![user, last]).await?;
                mark(&mut new, last)?;
                last
            }
            None => continue,
        };
        mark(&mut active, number)?;
    }
    tx.execute("UPDATE active_people_last SET number = $1 WHERE id = 1", params![last]).await?;
    for (kind, chunks) in [("active", active), ("new", new)] {
        for (chunk, bits) in chunks {
            add_bits(tx, (step.day, kind, chunk), &bits).await?;
        }
    }
    Ok(())
}

async fn is_there(tx: &Tx<'_>, user: UserId) -> Result<bool> {
    let sql = "SELECT id FROM users WHERE id = $1 AND deleted_at IS NULL FOR UPDATE";
    Ok(tx.one(sql, params![user], Row::int).await?.is_some())
}

fn mark(chunks: &mut BTreeMap<i64, PeopleChunk>, number: i64) -> Result<(), Fault> {
    let (chunk, at) = place_of(number).ok_or_else(|| Fault::new("a person's number below 1"))?;
    chunks.entry(chunk).or_default().insert(at);
    Ok(())
}

async fn add_bits(
    tx: &Tx<'_>,
    (day, kind, chunk): (CivilDate, &'static str, i64),
    bits: &PeopleChunk,
) -> Result<()> {
    let sql = "SELECT bits FROM active_days WHERE day = $1 AND kind = $2 AND chunk = $3";
    let kept = tx.one(sql, params![day.days(), kind, chunk], read_chunk).await?;
    let mut united = kept.clone().unwrap_or_default();
    united.merge(bits);
    if kept.as_ref() == Some(&united) {
        return Ok(());
    }
    let people = i64::try_from(united.count()).unwrap_or(i64::MAX);
    tx.execute(
        "INSERT INTO active_days (day, kind, chunk, people, bits) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (day, kind, chunk) DO UPDATE SET people = excluded.people, bits = excluded.bits",
        params![day.days(), kind, chunk, people, united.as_bytes()],
    )
    .await?;
    Ok(())
}
