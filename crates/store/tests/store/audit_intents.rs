//! Lines about commands of the ledger: one for each command that was carried out, however often it was asked for.

use domain::access::{DailyAllowance, Handout};
use domain::ids::UserId;
use domain::ledger::Key;
use serde_json::{Value, json};
use store::Db;
use store::model::*;

use crate::fixtures::*;

on_both! {
    a_command_repeated_around_crashes_has_one_line_and_counts_once,
}

const ANN: UserId = UserId(7);
const DAY: DailyAllowance = DailyAllowance { day: 20_261_115, max: 10 };

fn intent(audit_id: i64) -> AuditIntent {
    AuditIntent {
        key: Key(5),
        action: "chances.give",
        subject: "user:9".to_owned(),
        before: Value::Null,
        after: json!({ "chances": 4 }),
        handout: Some((Handout::Chances(4), DAY)),
        signed: signed(Actor::Person(ANN), audit_id),
    }
}

fn close(audit_id: i64, end: IntentEnd) -> IntentClose {
    IntentClose { audit_id, end }
}

async fn lines(db: &Db) -> Vec<i64> {
    let query = AuditQuery { action: Some("chances.give".into()), ..AuditQuery::default() };
    let page = db.audit_list(query, Default::default()).await.unwrap();
    page.items.into_iter().map(|line| line.id.0).collect()
}

/// The first process dies before the ledger hears of the command, the second hears that it is done, the third dies before it
/// hears that it was done before.
async fn a_command_repeated_around_crashes_has_one_line_and_counts_once(db: &Db) {
    let told = || IntentEnd::Told { before: None, after: None };
    db.intents_open(vec![intent(1)]).await.unwrap();
    db.intents_open(vec![intent(2)]).await.unwrap();
    assert_eq!(said(db.intents_open(vec![intent(3)]).await), "chances_alone_max", "both are counted");
    db.intents_close(vec![close(2, told())]).await.unwrap();
    // What the job finds: the ledger's rows have the command.
    db.intents_close(vec![close(1, told())]).await.unwrap();
    db.intents_open(vec![intent(4)]).await.unwrap();
    db.intents_close(vec![close(4, told())]).await.unwrap();
    assert_eq!(lines(db).await, [2]);
    assert_eq!(db.intents_list_open(T0 + 1_000, 9).await.unwrap(), [], "none waits");
    // Four chances of the day's ten are given: four more are allowed, and not eight.
    db.intents_open(vec![AuditIntent { key: Key(6), ..intent(5) }]).await.unwrap();
    let more = AuditIntent { key: Key(7), ..intent(6) };
    assert_eq!(said(db.intents_open(vec![more]).await), "chances_alone_max");
}
