//! Writing an activity: its first version, and every later one until it is submitted.

use domain::Rejection;
use domain::activity::{Action, Card, Content, Game, KindSettings, Life, LifeState};
use domain::ids::ActivityId;
use serde_json::{Value as Json, json};

use super::state::{ActivityStatus, add_author, lock, subject};
use crate::audit::actor_text;
use crate::failure::Result;
use crate::model::{ActivityCreate, ActivityEdit, AuditStamp, CreateOutcome};
use crate::tx::Tx;
use crate::value::{Value, as_i64};
use crate::{audit, once, params};

pub(crate) async fn create(tx: &Tx<'_>, step: &ActivityCreate) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    let signed = &step.signed;
    let Life { state, round } = Life::NEW;
    tx.execute(
        "INSERT INTO activities (id, state, round, draft_version, step, carry, cloned_from, created_by, created_at)
         VALUES ($1, $2, $3, 1, 0, 0, $4, $5, $6)",
        params![step.id, state.name(), round, step.cloned_from, actor_text(signed.actor), signed.at],
    )
    .await?;
    insert_version(tx, step.id, 1, &step.content, signed).await?;
    let after = json!({
        "name": step.content.configuration.name(),
        "cloned_from": step.cloned_from,
    });
    audit::write(tx, signed, "activity.create", &subject(step.id), &Json::Null, &after).await?;
    once::record(tx, step.once.as_ref(), step.id.0, signed.at).await
}

/// Refused unless the author saw the newest edition. A version that was refused is taken up again.
pub(crate) async fn edit(tx: &Tx<'_>, step: &ActivityEdit) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    let mut standing = lock(tx, step.id).await?;
    let draft = standing.draft_version(tx).await?;
    let before = match &draft {
        Some(draft) => (draft.number, draft.edition),
        None => (standing.live.unwrap_or(0) + 1, 0),
    };
    if before != (step.number, step.edition) {
        return Err(Rejection::EditedMeanwhile { edition: before.1 }.into());
    }
    match draft {
        None => {
            standing.draft = Some(step.number);
            insert_version(tx, step.id, step.number, &step.content, &step.signed).await?;
            tx.execute(
                "UPDATE activities SET draft_version = $2 WHERE id = $1",
                params![step.id, step.number],
            )
            .await?;
        }
        Some(draft) => {
            editable(draft.review)?;
            replace_version(tx, step).await?;
            if standing.live.is_none() {
                standing.life.state = LifeState::Editing;
                standing.save(tx, None, step.signed.at).await?;
            }
        }
    }
    audit_edit(tx, &standing, step, before).await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await
}

/// Which states of a review may be written to is the life's to say.
fn editable(review: LifeState) -> Result<(), Rejection> {
    match review {
        LifeState::Editing | LifeState::Refused => Ok(()),
        LifeState::InReview
        | LifeState::Approved
        | LifeState::Running
        | LifeState::Paused
        | LifeState::Closed
        | LifeState::Reopened => Err(Rejection::StepIllegal { state: review, action: Action::Edit }),
    }
}

async fn audit_edit(
    tx: &Tx<'_>,
    standing: &ActivityStatus,
    step: &ActivityEdit,
    before: (u32, u32),
) -> Result<()> {
    let before = json!({ "version": before.0, "edition": before.1 });
    let after = json!({ "version": step.number, "edition": step.edition + 1 });
    audit::write(tx, &step.signed, "activity.edit", &subject(standing.id), &before, &after).await
}

/// The columns that an edit writes, in the order of both statements below.
fn columns(id: ActivityId, number: u32, content: &Content, signed: &AuditStamp) -> Vec<Value> {
    let configuration = &content.configuration;
    let (window, chances) = (configuration.window(), configuration.chances());
    let texts = configuration.presentation();
    let (ten, draw_at, beacon) = match configuration.kind() {
        KindSettings::Instant { ten } => (Some(*ten), None, None),
        KindSettings::Raffle { draw_at, beacon } => (None, Some(*draw_at), beacon.as_ref()),
        KindSettings::Sale => (None, None, None),
    };
    params![
        id,
        number,
        configuration.name(),
        configuration.description(),
        window.from,
        window.until,
        configuration.zone(),
        configuration.kind().name(),
        ten,
        draw_at,
        beacon,
        configuration.entries().map(as_i64),
        chances.total,
        chances.month,
        chances.day,
        configuration.tree(),
        content.plan.encode(),
        actor_text(signed.actor),
        signed.at,
        &texts.name_en,
        &texts.description_en,
        &texts.organiser,
        &texts.organiser_en,
        &texts.rules,
        &texts.rules_en,
        &texts.contact,
        texts.game.map(Game::name),
    ]
    .to_vec()
}

pub(super) async fn insert_version(
    tx: &Tx<'_>,
    id: ActivityId,
    number: u32,
    content: &Content,
    signed: &AuditStamp,
) -> Result<()> {
    tx.execute(
        "INSERT INTO activity_versions (activity_id, number, review, edition, name, description, from_ms, until_ms,
            zone, kind, ten, draw_at, beacon, entries, chances_total, chances_month, chances_day, tree_id, plan,
            made_by, made_at, name_en, description_en, organiser, organiser_en, rules, rules_en, contact,
            game)
         VALUES ($1, $2, 'editing', 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
            $20, $21, $22, $23, $24, $25, $26, $27)",
        &columns(id, number, content, signed),
    )
    .await?;
    write_cards(tx, id, number, &content.cards).await?;
    add_author(tx, id, number, signed).await
}

async fn replace_version(tx: &Tx<'_>, step: &ActivityEdit) -> Result<()> {
    tx.execute(
        "UPDATE activity_versions SET review = 'editing', edition = edition + 1, name = $3, description = $4,
            from_ms = $5, until_ms = $6, zone = $7, kind = $8, ten = $9, draw_at = $10, beacon = $11, entries = $12,
            chances_total = $13, chances_month = $14, chances_day = $15, tree_id = $16, tree_version = NULL,
            plan = $17, made_by = $18, made_at = $19, submitted_by = NULL, submitted_at = NULL, decided_by = NULL,
            decided_at = NULL, decision_reason = '', name_en = $20, description_en = $21, organiser = $22,
            organiser_en = $23, rules = $24, rules_en = $25, contact = $26, game = $27
         WHERE activity_id = $1 AND number = $2",
        &columns(step.id, step.number, &step.content, &step.signed),
    )
    .await?;
    tx.execute(
        "DELETE FROM prize_cards WHERE activity_id = $1 AND number = $2",
        params![step.id, step.number],
    )
    .await?;
    write_cards(tx, step.id, step.number, &step.content.cards).await?;
    add_author(tx, step.id, step.number, &step.signed).await
}

async fn write_cards(tx: &Tx<'_>, id: ActivityId, number: u32, cards: &[Card]) -> Result<()> {
    for (place, card) in (0_u32..).zip(cards) {
        let amount = card.gift.amount().map(as_i64);
        let prize = i64::from(card.prize.number());
        tx.execute(
            "INSERT INTO prize_cards (activity_id, number, place, prize, kind, amount, details, picture, grant_how,
                                      grant_at, claim_within_ms, pool_id, name_en, details_en)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
            params![
                id,
                number,
                place,
                prize,
                card.gift.kind().name(),
                amount,
                &card.details,
                &card.picture,
                card.grant.name(),
                card.grant.at(),
                card.claim_within_ms,
                card.pool,
                &card.name_en,
                &card.details_en,
            ],
        )
        .await?;
    }
    Ok(())
}
