//! A version as columns and back. Whatever is read passes the same check as what people write.

use domain::activity::{
    ActivityDraft, Card, Chances, Content, Game, KindSettings, LifeState, Plan, PoolUse, Presentation,
};
use domain::fulfilment::{Gift, Grant, PrizeKind};
use domain::ids::{ActivityId, CodePoolId};
use domain::lottery::strategy::PrizeId;

use crate::audit::parse_actor;
use crate::failure::{Fault, Result};
use crate::model::VersionRow;
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

/// What the entries are called among prizes.
const ENTRIES: i64 = -1;
/// What the units of a sale are called among prizes.
const SALE: i64 = -2;

/// `SELECT` of versions, to be read with [`read`]; their cards are read apart.
macro_rules! version_sql {
    ($rest:literal) => {
        concat!(
            "SELECT v.activity_id, v.number, v.review, v.edition, v.name, v.description, v.from_ms, v.until_ms,
                    v.zone, v.kind, v.ten, v.draw_at, v.beacon, v.entries, v.chances_total, v.chances_month,
                    v.chances_day, v.tree_id, v.tree_version, v.plan, v.made_by, v.made_at, v.submitted_by,
                    v.submitted_at, v.decided_by, v.decided_at, v.decision_reason, v.name_en, v.description_en,
                    v.organiser, v.organiser_en, v.rules, v.rules_en, v.contact, v.game
             FROM activity_versions v ",
            $rest
        )
    };
}
pub(super) use version_sql;

/// A version without its cards.
pub(super) fn read(row: &mut Row) -> Result<VersionRow, Fault> {
    let (activity, number) = (ActivityId(row.int()?), number(row)?);
    let (review, edition) = (row.named(LifeState::parse)?, self::number(row)?);
    let (name, description, from, until, zone) =
        (row.text()?, row.text()?, row.time()?, row.time()?, row.text()?);
    let (kind, ten, draw_at, beacon) = (row.text()?, row.opt_int()?, row.opt_time()?, row.opt_text()?);
    let kind = match (kind.as_str(), ten, draw_at) {
        ("instant", Some(ten), None) => KindSettings::Instant { ten: ten == 1 },
        ("raffle", None, Some(draw_at)) => KindSettings::Raffle { draw_at, beacon },
        ("sale", None, None) => KindSettings::Sale,
        _ => return Err(Fault::new(format!("activity {activity} has a kind that cannot be"))),
    };
    let entries = row.opt_int()?.map(to_unsigned).transpose()?;
    let chances = Chances { total: self::number(row)?, month: opt_number(row)?, day: opt_number(row)? };
    let tree = row.opt_int()?;
    let tree_version = opt_number(row)?;
    let plan = Plan::decode(&row.bytes()?)
        .map_err(|error| Fault::caused(format!("reading version {number} of activity {activity}"), error))?;
    let made = (row.named(parse_actor)?, row.time()?);
    let submitted = row.opt_named(parse_actor)?.zip(row.opt_time()?);
    let decided = row.opt_named(parse_actor)?.zip(row.opt_time()?);
    let decision_reason = row.text()?;
    let presentation = Presentation {
        name_en: row.text()?,
        description_en: row.text()?,
        organiser: row.text()?,
        organiser_en: row.text()?,
        rules: row.text()?,
        rules_en: row.text()?,
        contact: row.text()?,
        game: row.opt_named(Game::parse)?,
    };
    let draft =
        ActivityDraft { name, description, from, until, zone, kind, entries, chances, tree, presentation };
    let configuration = draft.check().map_err(|wrong| {
        let first = wrong.first().map(ToString::to_string).unwrap_or_default();
        Fault::new(format!("version {number} of activity {activity} does not pass its check: {first}"))
    })?;
    Ok(VersionRow {
        activity,
        number,
        review,
        edition,
        content: Content { configuration, plan, cards: Vec::new() },
        tree_version,
        made,
        submitted,
        decided,
        decision_reason,
    })
}

/// One version, whole.
pub(super) async fn version(tx: &Tx<'_>, activity: ActivityId, number: u32) -> Result<Option<VersionRow>> {
    let sql = version_sql!("WHERE v.activity_id = $1 AND v.number = $2");
    let Some(mut version) = tx.one(sql, params![activity, number], read).await? else { return Ok(None) };
    version.content.cards = cards(tx, activity, number).await?;
    Ok(Some(version))
}

/// One that must be there.
pub(super) async fn get_version(tx: &Tx<'_>, activity: ActivityId, number: u32) -> Result<VersionRow> {
    let found = version(tx, activity, number).await?;
    Ok(found.ok_or_else(|| Fault::new(format!("activity {activity} has no version {number}")))?)
}

pub(in crate::steps) async fn cards(tx: &Tx<'_>, activity: ActivityId, number: u32) -> Result<Vec<Card>> {
    tx.all(
        "SELECT prize, kind, amount, details, picture, grant_how, grant_at, claim_within_ms, pool_id, name_en, details_en
         FROM prize_cards WHERE activity_id = $1 AND number = $2 ORDER BY place",
        params![activity, number],
        |row| {
            let (prize, kind) = (prize(row.int()?)?, row.named(PrizeKind::parse)?);
            let amount = row.opt_int()?.map(to_unsigned).transpose()?;
            let gift = Gift::new(kind, amount)
                .ok_or_else(|| Fault::new(format!("activity {activity} has a prize of a wrong amount")))?;
            let (details, picture) = (row.text()?, row.text()?);
            let (how, at) = (row.text()?, row.opt_time()?);
            let grant = Grant::parse(&how, at)
                .ok_or_else(|| Fault::new(format!("activity {activity} grants a prize in no known way")))?;
            let (claim_within_ms, pool) = (row.opt_int()?, row.opt_int()?.map(CodePoolId));
            let (name_en, details_en) = (row.text()?, row.text()?);
            Ok(Card { prize, gift, name_en, details, details_en, picture, grant, claim_within_ms, pool })
        },
    )
    .await
}

pub(super) fn part_column(part: PoolUse) -> i64 {
    match part {
        PoolUse::Entries => ENTRIES,
        PoolUse::Prize(prize) => prize.number().into(),
        PoolUse::Sale => SALE,
    }
}

pub(in crate::steps) fn part(column: i64) -> Result<PoolUse, Fault> {
    match column {
        ENTRIES => Ok(PoolUse::Entries),
        SALE => Ok(PoolUse::Sale),
        _ => prize(column).map(PoolUse::Prize),
    }
}

pub(in crate::steps) fn prize(column: i64) -> Result<PrizeId, Fault> {
    let known = u16::try_from(column).ok().and_then(PrizeId::new);
    known.ok_or_else(|| Fault::new(format!("{column} is no prize's id")))
}

pub(in crate::steps) fn number(row: &mut Row) -> Result<u32, Fault> {
    row.int().and_then(narrow)
}

pub(super) fn opt_number(row: &mut Row) -> Result<Option<u32>, Fault> {
    row.opt_int()?.map(narrow).transpose()
}

fn narrow(number: i64) -> Result<u32, Fault> {
    u32::try_from(number).map_err(|_| Fault::new(format!("{number} does not fit 32 bits")))
}

pub(in crate::steps) fn to_unsigned(number: i64) -> Result<u64, Fault> {
    u64::try_from(number).map_err(|_| Fault::new(format!("{number} where nothing below zero was expected")))
}
