//! Differences planted in the database: each is found by its name and its exact row, corrected, and gone.

use domain::ledger::audit::Difference;
use domain::ledger::{HoldState, PoolId};
use domain::page::PageRequest;
use engine::ports::{Auditor, Place, Sliced, Stock};
use store::model::{AuditQuery, MovementKind};
use testkit::wait;

use super::fixtures::{HOUR_MS, Kept, cancel, confirm, hold, names, on_both, open, reserve, shut};
use crate::process::LIMIT;

on_both!(
    what_is_planted_is_found_and_corrected,
    what_nobody_can_know_is_left_alone,
    a_correction_is_a_movement_and_a_line_in_the_audit_log,
    a_round_with_many_owners_is_compared_owner_by_owner,
    a_projection_that_is_stuck_goes_on,
);

/// Pool 1 in its first round; pool 2 in its second, whose first round still has an open hold; pool 3 in its second,
/// whose first round is over and gone from memory.
async fn shop(kept: &Kept) {
    kept.all(vec![
        open(1, 1, 100),
        open(2, 1, 20),
        open(3, 1, 10),
        reserve("ann", Some("ann"), &[(1, 3)], HOUR_MS),
        reserve("two", Some("bob"), &[(1, 2), (2, 4)], HOUR_MS),
        reserve("none", None, &[(1, 5)], HOUR_MS),
        reserve("paid", Some("ann"), &[(1, 7)], HOUR_MS),
        confirm("paid"),
        reserve("old", Some("bob"), &[(3, 4)], HOUR_MS),
        cancel("old"),
        shut(2),
        open(2, 2, 30),
        shut(3),
        open(3, 2, 10),
    ])
    .await;
}

/// What stands for the digest of an owner's name or the key of a hold in the rows below.
fn row(of: &str) -> String {
    let digits = |word: &str| word.len() >= 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    of.split(' ').map(|word| if digits(word) { "#" } else { word }).collect::<Vec<_>>().join(" ")
}

async fn what_is_planted_is_found_and_corrected(kept: Kept) {
    shop(&kept).await;
    let event = |id: &'static str| {
        let db = kept.db.clone();
        async move { db.hold_find(hold(id)).await.unwrap().hold.unwrap().made_seq }
    };
    assert_eq!(kept.names().await, [""; 0], "nothing is planted yet");
    let (ann, two, paid) = (event("ann").await, event("two").await, event("paid").await);
    let before = kept.db.ledger_load().await.unwrap();
    let (of_ann, of_two) = (format!("hold # of event {ann}"), format!("hold # of event {two}"));
    let moved = |pool: &str| [format!("moved_available of {pool}"), format!("moved_held of {pool}")];
    let counters = |pool: &str| [format!("available of {pool}"), format!("held of {pool}")];
    for (sql, expected) in [
        (
            "UPDATE pool_rounds SET available = available - 1, held = held + 1 WHERE pool_id = 1",
            [counters("pool 1 round 1"), moved("pool 1 round 1")].concat(),
        ),
        (
            "UPDATE pool_rounds SET total = total + 5, taken = taken + 5 WHERE pool_id = 2 AND round = 2",
            ["total", "taken", "moved_total", "moved_taken"].map(|what| format!("{what} of pool 2 round 2")).into(),
        ),
        (
            "UPDATE pool_rounds SET available = available + 1, held = held - 1 WHERE pool_id = 2 AND round = 1",
            [counters("pool 2 round 1"), moved("pool 2 round 1")].concat(),
        ),
        (
            "UPDATE pool_rounds SET available = available - 2, held = held + 2 WHERE pool_id = 3 AND round = 1",
            [vec!["held of pool 3 round 1".to_owned()], moved("pool 3 round 1").into()].concat(),
        ),
        (
            "UPDATE pool_rounds SET state = 'frozen' WHERE pool_id = 1",
            vec!["pool_state of pool 1 round 1".to_owned()],
        ),
        (
            "UPDATE pool_rounds SET owner_max = 1 WHERE pool_id = 1",
            vec!["owner_max of pool 1 round 1".to_owned()],
        ),
        (
            "UPDATE pools SET round = 1 WHERE id = 2",
            vec!["round_current of pool 2 round 1".into(), "round_current of pool 2 round 2".into()],
        ),
        (
            "DELETE FROM pool_rounds WHERE pool_id = 1",
            vec!["round_missing of pool 1 round 1".to_owned()],
        ),
        (
            "DELETE FROM holds WHERE id = 'two'",
            vec![format!("hold_missing of {of_two}")],
        ),
        (
            "DELETE FROM hold_lines WHERE made_seq = (SELECT made_seq FROM holds WHERE id = 'two');
             DELETE FROM holds WHERE id = 'two'",
            vec![format!("hold_missing of {of_two}")],
        ),
        ("UPDATE holds SET due = due + 1000 WHERE id = 'ann'", vec![format!("hold_due of {of_ann}")]),
        ("UPDATE holds SET made = made - 1 WHERE id = 'ann'", vec![format!("hold_made of {of_ann}")]),
        ("UPDATE holds SET body = body + 1 WHERE id = 'ann'", vec![format!("hold_body of {of_ann}")]),
        ("UPDATE holds SET owner = 'eve' WHERE id = 'ann'", vec![format!("hold_owner of {of_ann}")]),
        ("UPDATE holds SET owner = NULL WHERE id = 'ann'", vec![format!("hold_owner of {of_ann}")]),
        (
            "UPDATE holds SET state = 'cancelled', ended_seq = 9, ended = 9 WHERE id = 'ann'",
            vec![format!("hold_state of {of_ann}")],
        ),
        (
            "UPDATE hold_lines SET units = units + 1 WHERE pool_id = 2",
            vec![format!("hold_lines of {of_two}")],
        ),
        ("UPDATE hold_lines SET taken = 1 WHERE pool_id = 2", vec![format!("hold_lines of {of_two}")]),
        (
            "UPDATE holds SET state = 'held', ended_seq = NULL, ended = NULL WHERE id = 'paid'",
            vec![format!("hold_unknown of hold # of event {paid}")],
        ),
        (
            "INSERT INTO holds SELECT 999999, hold_key, fingerprint, 'ghost', caller, owner, body, made, due, state,
                    ended_seq, ended, era FROM holds WHERE id = 'ann'",
            vec!["hold_unknown of hold # of event 999999".to_owned()],
        ),
        (
            "UPDATE pool_owners SET units = units + 1 WHERE pool_id = 2 AND round = 1",
            vec!["owner_units of pool 2 round 1 owner #".to_owned()],
        ),
        (
            "DELETE FROM pool_owners WHERE pool_id = 2 AND round = 1",
            vec!["owner_units of pool 2 round 1 owner #".to_owned()],
        ),
        (
            "INSERT INTO pool_owners VALUES (2, 2, -5, 3)",
            vec!["owner_units of pool 2 round 2 owner #".to_owned()],
        ),
        (
            "UPDATE movements SET delta_available = delta_available - 1, delta_held = delta_held + 1
             WHERE pool_id = 1 AND kind = 'confirmed'",
            moved("pool 1 round 1").into(),
        ),
        (
            "DELETE FROM movements WHERE pool_id = 2 AND round = 2",
            ["moved_total", "moved_available"].map(|what| format!("{what} of pool 2 round 2")).into(),
        ),
    ] {
        kept.plant(sql).await;
        let rows = |found: &[(Difference, bool)]| names(found).iter().map(|of| row(of)).collect::<Vec<_>>();
        assert_eq!(rows(&kept.pass(false).await), expected, "{sql}");
        assert_eq!(rows(&kept.pass(false).await), expected, "looking changes nothing: {sql}");
        assert_eq!(rows(&kept.pass(true).await), [""; 0], "corrected: {sql}");
        assert_eq!(rows(&kept.pass(false).await), [""; 0], "and gone: {sql}");
        let after = kept.db.ledger_load().await.unwrap();
        assert_eq!((&after.rounds, &after.holds), (&before.rounds, &before.holds), "{sql}");
        kept.restored().await;
    }
    let paid = kept.db.hold_find(hold("paid")).await.unwrap().hold.unwrap();
    assert_eq!((paid.view.state, paid.view.lines[0].taken), (HoldState::Confirmed, 7), "as it had ended");
    // Everything goes on: what was corrected can be ended, and is projected.
    kept.all(vec![confirm("ann"), confirm("two"), cancel("none")]).await;
    assert_eq!(kept.names().await, [""; 0]);
    let left = kept.stock.pool(PoolId(1)).await.unwrap().unwrap();
    assert_eq!(left, kept.db.pool_find(PoolId(1)).await.unwrap().unwrap().view);
    kept.close().await;
}

/// A pool that the ledger has never heard of, and one whose name nobody knows any more: told, and not touched.
async fn what_nobody_can_know_is_left_alone(kept: Kept) {
    shop(&kept).await;
    for (sql, expected) in [
        (
            "INSERT INTO pool_rounds VALUES (99, 1, 'open', 0, 5, 5, 0, 0);
             INSERT INTO pools (id, round, name, opened_seq) VALUES (99, 1, 'strange', 0)",
            vec![
                "round_unknown of pool 99 round 1",
                "moved_total of pool 99 round 1",
                "moved_available of pool 99 round 1",
            ],
        ),
        ("DELETE FROM pools WHERE id = 99; DELETE FROM pool_rounds WHERE pool_id = 99", vec![]),
        (
            "UPDATE pool_rounds SET total = total + 1, available = available + 1 WHERE pool_id = 3 AND round = 1",
            vec!["moved_total of pool 3 round 1", "moved_available of pool 3 round 1"],
        ),
    ] {
        kept.plant(sql).await;
        for fix in [false, true, false] {
            assert_eq!(names(&kept.pass(fix).await), expected, "{sql}");
        }
    }
    kept.close().await;
}

async fn a_correction_is_a_movement_and_a_line_in_the_audit_log(kept: Kept) {
    shop(&kept).await;
    assert!(kept.pass(true).await.is_empty());
    let clean = kept.db.ledger_position().await.unwrap();
    let lines = async || {
        let page = kept.db.audit_list(AuditQuery::default(), PageRequest::default()).await;
        page.unwrap().items
    };
    assert!(lines().await.is_empty(), "a clean pass writes nothing");
    kept.plant("UPDATE pool_rounds SET available = available - 1, held = held + 1 WHERE pool_id = 1").await;
    assert_eq!(kept.pass(true).await.len(), 2);
    let newest = kept.db.movements(Some(PoolId(1)), PageRequest::default()).await.unwrap().items.remove(0);
    let story = "found by the audit: available 82 → 83, held 11 → 10";
    assert_eq!((newest.kind, newest.note.as_deref()), (MovementKind::Corrected, Some(story)));
    assert_eq!(newest.seq, kept.db.ledger_position().await.unwrap().seq, "at the event it was found at");
    assert_eq!(newest.delta, store::model::Delta::default(), "the movements were right");
    let lines = lines().await;
    assert_eq!(lines.len(), 1);
    assert_eq!(
        (lines[0].action.as_str(), lines[0].reason.as_str()),
        ("ledger.correct", "found by the audit")
    );
    assert!(
        lines[0].before.contains("pool 1 round 1") && lines[0].after.contains("available"),
        "{:?}",
        lines[0]
    );
    assert_eq!(kept.db.ledger_position().await.unwrap(), clean, "no event was made");
    kept.close().await;
}

/// More owners than come with a slice of rounds.
async fn a_round_with_many_owners_is_compared_owner_by_owner(kept: Kept) {
    const OWNERS: u32 = 12_000;
    kept.all(vec![open(1, 1, 1_000_000)]).await;
    for part in 0..OWNERS / 1_000 {
        let owner = |n: u32| format!("owner {}", part * 1_000 + n);
        let some = (0..1_000).map(|n| reserve(&owner(n), Some(&owner(n)), &[(1, 2)], HOUR_MS)).collect();
        kept.stock.ask(0, some).await.unwrap();
    }
    assert_eq!(kept.names().await, [""; 0]);
    kept.plant(
        "UPDATE pool_owners SET units = 3 WHERE owner_id = (SELECT MIN(owner_id) FROM pool_owners);
         DELETE FROM pool_owners WHERE owner_id = (SELECT MAX(owner_id) FROM pool_owners)",
    )
    .await;
    let found = kept.pass(true).await;
    let told: Vec<(Option<&str>, Option<&str>, bool)> = found
        .iter()
        .map(|(found, gone)| (found.ledger.as_deref(), found.database.as_deref(), *gone))
        .collect();
    assert_eq!(told, [(Some("2"), Some("0"), true), (Some("2"), Some("3"), true)], "{found:?}");
    assert_eq!(kept.names().await, [""; 0]);
    kept.close().await;
}

/// What an event needs is gone before an audit came by: the projection stands, an audit says so, and a correction makes it
/// go on from the journal's own story.
async fn a_projection_that_is_stuck_goes_on(kept: Kept) {
    shop(&kept).await;
    for (sql, stops, expected) in [
        (
            "DELETE FROM hold_lines WHERE made_seq = (SELECT made_seq FROM holds WHERE id = 'ann');
             DELETE FROM holds WHERE id = 'ann'",
            confirm("ann"),
            "hold_missing",
        ),
        (
            "UPDATE holds SET state = 'expired', ended_seq = 1, ended = 1 WHERE id = 'two'",
            cancel("two"),
            "hold_state",
        ),
        (
            "UPDATE pool_rounds SET available = available + held, held = 0 WHERE pool_id = 1",
            confirm("none"),
            "moved_held",
        ),
    ] {
        assert_eq!(kept.names().await, [""; 0], "before {sql}");
        kept.plant(sql).await;
        kept.all(vec![stops]).await;
        let given_up = kept.auditor.slice(Place::STARTS[0], None).await.unwrap();
        let Sliced::GivenUp(why) = given_up else { panic!("it went on: {given_up:?}") };
        assert!(why.contains("did not come to event"), "{why}");
        assert!(kept.auditor.figures().trouble.is_some() && kept.stock.lag() > 0, "{sql}");
        let found = kept.pass(true).await;
        assert!(found.iter().any(|(found, gone)| found.what.name() == expected && *gone), "{sql}: {found:?}");
        assert_eq!(names(&found), [""; 0], "{sql}");
        // The rows are right; the projection notices in its own time.
        let caught_up = || (kept.stock.lag() == 0).then_some(());
        wait::until(LIMIT, "the projection to go on", caught_up).await.unwrap();
        assert_eq!(kept.auditor.figures().trouble, None);
    }
    kept.restored().await;
    kept.close().await;
}
