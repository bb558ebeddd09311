//! What somebody can do for a grant just now: the rules of what Windfall sees itself, and how far they have come with each.

use domain::grants::{GrantCounts, OwnBehaviour, Period, decide};

use super::columns::{read_rule, rule_sql};
use crate::failure::{Fault, Result};
use crate::model::{GrantRuleRow, TaskRow, TasksFind};
use crate::params;
use crate::tx::Tx;

pub(super) async fn find(tx: &Tx<'_>, step: &TasksFind) -> Result<Vec<TaskRow>> {
    let mut tasks = Vec::new();
    for kind in OwnBehaviour::ALL {
        let rules = tx
            .all(
                rule_sql!(
                    "WHERE behaviour = $1 AND is_on = 1 AND approval IS NULL AND (from_ms IS NULL OR from_ms <= $2)
                        AND (until_ms IS NULL OR until_ms > $2) ORDER BY id"
                ),
                params![kind.name(), step.now],
                read_rule,
            )
            .await?;
        for rule in rules {
            tasks.push(task(tx, step, kind, rule).await?);
        }
    }
    Ok(tasks)
}

async fn task(tx: &Tx<'_>, step: &TasksFind, kind: OwnBehaviour, rule: GrantRuleRow) -> Result<TaskRow> {
    let (terms, user) = (&rule.terms, step.user);
    let day = match kind {
        OwnBehaviour::CheckIn => Some(step.site_day),
        _ => (step.calendar.day)(&terms.zone, step.now),
    };
    let day = day.ok_or_else(|| Fault::new(format!("rule {} is in no time zone", rule.id)))?;
    let done = match terms.period {
        // Every behaviour is a period of its own: there is always a next one.
        Period::Each => 0,
        Period::Once | Period::Day | Period::Month => {
            let sql = "SELECT COUNT(*) FROM grants WHERE rule_id = $1 AND user_id = $2 AND period = $3";
            tx.count(sql, params![rule.id, user, terms.period.slot(day, "")]).await?
        }
    };
    let done = u32::try_from(done).unwrap_or(u32::MAX);
    let sql = "SELECT COALESCE((SELECT given FROM grant_users WHERE rule_id = $1 AND user_id = $2), 0)";
    let given = tx.count(sql, params![rule.id, user]).await?;
    let counted = GrantCounts { in_period: done, user: given, total: rule.given };
    let is_open = decide(terms, step.now, counted).is_ok();
    // What was taken back is not counted as earned, and nothing from before the account came back.
    let sql = "SELECT CAST(COALESCE(SUM(amount - COALESCE(taken, 0)), 0) AS BIGINT) FROM grants
               WHERE rule_id = $1 AND user_id = $2 AND made_ms >= $3";
    let earned = tx.count(sql, params![rule.id, user, step.since]).await?;
    Ok(TaskRow { rule, done, is_open, earned })
}
