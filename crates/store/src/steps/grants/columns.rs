//! Rules and grants as columns and back.

use domain::grants::{BehaviourKind, GrantKind, GrantRefusal, Period, RuleTerms};
use domain::ids::{ActivityId, ApprovalId, GrantId, GrantRuleId, UserId};

use crate::failure::Fault;
use crate::model::{GrantReversal, GrantRow, GrantRuleRow, GrantedReward};
use crate::row::Row;
use crate::steps::activities::columns::number;

/// `SELECT` of whole rules, to be read with [`read_rule`].
macro_rules! rule_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, campaign_id, behaviour, gives, activity_id, expiry, amount, period, zone, times, cap_user,
                    cap_total, from_ms, until_ms, is_on, edition, made_ms, given, approval
             FROM grant_rules ",
            $rest
        )
    };
}
pub(super) use rule_sql;

/// `SELECT` of whole grants, to be read with [`read_grant`].
macro_rules! grant_sql {
    ($rest:literal) => {
        concat!(
            "SELECT g.id, g.rule_id, r.name, g.user_id, g.period, g.n, g.behaviour_kind, g.behaviour_key, g.activity_id,
                    g.amount, g.expires, g.at_ms, g.made_ms, g.reversed_ms, g.taken, g.reason,
                    (SELECT error FROM dead_letters WHERE dead_letters.id = g.id), g.given_ms
             FROM grants g JOIN grant_rules r ON r.id = g.rule_id ",
            $rest
        )
    };
}
pub(super) use grant_sql;

pub(super) fn read_rule(row: &mut Row) -> Result<GrantRuleRow, Fault> {
    let (id, name) = (GrantRuleId(row.int()?), row.text()?);
    let campaign = row.opt_int()?.map(ActivityId);
    let behaviour = row.named(|text| BehaviourKind::parse("behaviour", text).ok())?;
    let (gives, activity, expiry) =
        (row.text()?, row.opt_int()?.map(ActivityId), row.opt_named(|text| text.parse().ok())?);
    let gives = match (gives.as_str(), activity) {
        ("chances", Some(activity)) => GrantKind::Chances { activity },
        ("points", None) => GrantKind::Points { expiry },
        (other, _) => return Err(Fault::new(format!("a rule that gives {other}"))),
    };
    let terms = RuleTerms {
        name,
        campaign,
        behaviour,
        gives,
        amount: row.int()?,
        period: row.named(Period::parse)?,
        zone: row.text()?,
        times: number(row)?,
        cap_user: row.opt_int()?,
        cap_total: row.opt_int()?,
        from: row.opt_time()?,
        until: row.opt_time()?,
        on: row.flag()?,
    };
    Ok(GrantRuleRow {
        id,
        terms,
        edition: number(row)?,
        made: row.time()?,
        given: row.int()?,
        waits: row.opt_int()?.map(ApprovalId),
    })
}

pub(super) fn read_grant(row: &mut Row) -> Result<GrantRow, Fault> {
    let (id, rule, rule_name) = (GrantId(row.int()?), GrantRuleId(row.int()?), row.text()?);
    let (user, period, n) = (UserId(row.int()?), row.text()?, number(row)?);
    let behaviour = (row.text()?, row.text()?);
    let (activity, amount, expires) = (row.opt_int()?.map(ActivityId), row.int()?, row.opt_time()?);
    let gives = match (activity, expires) {
        (Some(activity), None) => {
            let chances = u32::try_from(amount).map_err(|error| Fault::caused("chances", error))?;
            GrantedReward::Chances { activity, chances }
        }
        (None, Some(expires)) => GrantedReward::Points { points: amount, expires },
        (Some(_), Some(_)) | (None, None) => return Err(Fault::new("a grant of nothing, or of two things")),
    };
    let (at, made) = (row.time()?, row.time()?);
    let (reversed, taken, reason) = (row.opt_time()?, row.opt_int()?, row.opt_text()?);
    let reversed = match (reversed, taken, reason) {
        (Some(at), Some(taken), Some(reason)) => Some(GrantReversal { at, taken, reason }),
        _ => None,
    };
    let (failed, given) = (row.opt_text()?, row.opt_time()?);
    Ok(GrantRow { id, rule, rule_name, user, period, n, behaviour, gives, at, made, reversed, failed, given })
}

pub(super) fn write_passed(passed: &[(GrantRuleId, GrantRefusal)]) -> String {
    let each: Vec<String> = passed.iter().map(|(rule, why)| format!("{rule}:{}", why.name())).collect();
    each.join(" ")
}

pub(super) fn parse_passed(text: &str) -> Option<Vec<(GrantRuleId, GrantRefusal)>> {
    let one = |pair: &str| {
        let (rule, why) = pair.split_once(':')?;
        Some((rule.parse().ok()?, GrantRefusal::parse(why)?))
    };
    text.split_whitespace().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_comes_back() {
        let all: Vec<_> = (1..).map(GrantRuleId).zip(GrantRefusal::ALL).collect();
        for some in [&all[..0], &all[..1], &all[..]] {
            assert_eq!(parse_passed(&write_passed(some)).as_deref(), Some(some));
        }
        assert_eq!(parse_passed("7"), None);
    }
}
