//! Rules that make grants of behaviours, as operators keep them, and what they gave.

use domain::Rejection;
use domain::access::own_account;
use domain::account::Reason;
use domain::grants::{GrantKind, RuleChange, RuleDraft};
use domain::ids::{ActivityId, GrantId, GrantRuleId, UserId};
use domain::ledger::{Act, Command, Key, Note};
use domain::page::{Page, PageRequest};
use domain::rejection::{FieldProblem, MissingThing};
use jiff::tz::TimeZone;
use store::model::{
    AuditStamp, GrantReverse, GrantRow, GrantRuleEdit, GrantRuleMake, GrantRuleRow, GrantSearch,
    GrantedReward,
};

use crate::access::key_admin::principal;
use crate::activity_cache::existence::ensure_activity_exists;
use crate::caller::Repeat;
use crate::failure::{Fault, Result};
use crate::people::entry::once;
use crate::ports::StockAnswer;
use crate::world::World;

pub async fn rule_make(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    draft: RuleDraft,
) -> Result<GrantRuleRow> {
    let terms = draft.check()?;
    if TimeZone::get(&terms.zone).is_err() {
        return Err(Rejection::invalid("zone", FieldProblem::ZONE).into());
    }
    let chances = match terms.gives {
        GrantKind::Chances { activity } => Some(activity),
        GrantKind::Points { .. } => None,
    };
    for activity in terms.campaign.into_iter().chain(chances) {
        ensure_activity_exists(world, activity).await?;
    }
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    let caps = world.giving_caps(signed.at);
    let step = GrantRuleMake { id: GrantRuleId(world.next_id()), terms, caps, once, signed };
    let made = world.db.grant_rule_make(step).await?;
    rule_find(world, GrantRuleId(made.id)).await
}

/// On top of the edition that was looked at, and of no other. A rule that can give more than its editor may allow alone gives
/// nothing until somebody else approves.
pub async fn rule_edit(
    world: &World,
    signed: AuditStamp,
    id: GrantRuleId,
    edition: u32,
    change: RuleChange,
) -> Result<GrantRuleRow> {
    let caps = world.giving_caps(signed.at);
    world.db.grant_rule_edit(GrantRuleEdit { id, edition, change, caps, signed }).await
}

pub async fn rule_find(world: &World, id: GrantRuleId) -> Result<GrantRuleRow> {
    let found = world.db.grant_rule(id).await?;
    Ok(found.ok_or(Rejection::NotFound { what: MissingThing::GrantRule })?)
}

/// What somebody was granted, the newest first.
pub async fn my_grants(world: &World, user: UserId, page: PageRequest) -> Result<Page<GrantRow>> {
    let since = world.visible_since(user).await?;
    let page = world.db.grant_list(GrantSearch { user: Some(user), rule: None }, page).await?;
    Ok(page.since(since, |row| row.made))
}

/// Takes a grant back: points by a row of their own, chances as far as they are not used. Nobody does it for themselves.
pub async fn reverse(world: &World, mut signed: AuditStamp, id: GrantId) -> Result<GrantRow> {
    signed.reason = Reason::parse(&signed.reason)?.as_str().to_owned();
    let row = world.db.grant(id).await?.ok_or(Rejection::NotFound { what: MissingThing::Grant })?;
    own_account(signed.responsible, row.user)?;
    reverse_row(world, signed, &row).await
}

pub(crate) async fn reverse_row(world: &World, signed: AuditStamp, row: &GrantRow) -> Result<GrantRow> {
    if row.reversed.is_some() {
        return Ok(row.clone());
    }
    let chances_taken = match row.gives {
        GrantedReward::Chances { activity, chances } => chances_back(world, row, activity, chances).await?,
        GrantedReward::Points { .. } => 0,
    };
    world.db.grant_reverse(GrantReverse { id: row.id, chances_taken, signed }).await
}

/// The command by which the ledger grants chances of a rule, once.
pub(crate) fn chances_command(
    id: GrantId,
    activity: ActivityId,
    user: UserId,
    chances: u32,
) -> Result<Command, Fault> {
    let (key, note) = (Key::of("grant by rule", activity.0, &id.to_string()), note("granted", id)?);
    Ok(Command::direct(key, note, Act::Grant { activity, user, chances }))
}

/// One by one, each under a key of its own, so that a repetition counts the same ones. First it is seen to that they were
/// granted: whatever message is still under way then grants nothing more.
async fn chances_back(world: &World, row: &GrantRow, activity: ActivityId, chances: u32) -> Result<i64> {
    let grant = chances_command(row.id, activity, row.user, chances)?;
    if take_back_chances(world, activity, vec![grant]).await? == 0 {
        return Ok(0);
    }
    let mut commands = Vec::with_capacity(chances as usize);
    for nth in 0..chances {
        let key = Key::of("grant taken back", activity.0, &format!("{} {nth}", row.id));
        let (user, note) = (row.user, note("taken back", row.id)?);
        commands.push(Command::direct(key, note, Act::Revoke { activity, user, chances: 1 }));
    }
    take_back_chances(world, activity, commands).await
}

/// How many of the commands were carried out, now or before.
async fn take_back_chances(world: &World, activity: ActivityId, commands: Vec<Command>) -> Result<i64> {
    let mut taken = 0;
    for answer in world.ledger.stock.ask(activity.0, commands).await? {
        match answer {
            StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => taken += 1,
            StockAnswer::Refused(_) => {}
        }
    }
    Ok(taken)
}

fn note(word: &str, id: GrantId) -> Result<Note, Fault> {
    Note::new(&format!("{word}: {id}")).ok_or_else(|| Fault::new("a note that cannot be written"))
}

/// The newest first; those of one behaviour if it is named.
pub async fn rule_list(
    world: &World,
    behaviour: Option<String>,
    page: PageRequest,
) -> Result<Page<GrantRuleRow>> {
    world.db.grant_rule_list(behaviour, page).await
}

/// The newest first.
pub async fn grant_list(world: &World, search: GrantSearch, page: PageRequest) -> Result<Page<GrantRow>> {
    world.db.grant_list(search, page).await
}
