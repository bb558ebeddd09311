//! What can be asked about playing: the same answer by every way that leads to it.

use domain::account::CodePurpose;
use domain::activity::PoolUse;
use domain::ids::{ActivityId, UserId};
use domain::ledger::{Key, Stored};
use domain::time::Timestamp;
use store::Db;
use store::model::*;

use crate::activity_fixtures::*;
use crate::fixtures::*;
use crate::ledger_fixtures::Life;

const COMMANDS: usize = 400;
const ACTIVITIES: [ActivityId; 2] = [ActivityId(500), ActivityId(501)];

on_both! {
    wins_are_read_forwards_as_backwards,
    a_player_is_found_in_every_round_they_have_a_part_in,
    a_record_leads_to_its_ticket,
    names_come_in_the_order_asked_for,
    a_notice_is_news_once_until_it_is_taken_back,
    open_activities_are_walked_by_id,
}

/// A long life, projected. Those of even numbers begin with the first event.
async fn lived(db: &Db) -> Life {
    let life = Life::random(2, COMMANDS);
    db.ledger_project(life.events.clone()).await.unwrap();
    life
}

async fn wins_are_read_forwards_as_backwards(db: &Db) {
    lived(db).await;
    let mut all = 0;
    for activity in ACTIVITIES {
        let mut newest = db.wins_newest(activity, i64::MIN, PLAYS_MAX).await.unwrap();
        newest.reverse();
        let (mut forwards, mut after) = (Vec::new(), i64::MIN);
        loop {
            let page = db.wins_after(activity, after, 3).await.unwrap();
            let Some(last) = page.last() else { break };
            assert!(page.len() <= 3);
            after = last.id;
            forwards.extend(page);
        }
        assert_eq!(forwards, newest);
        all += forwards.len();
    }
    assert!(all > 3, "there is something to compare");
}

async fn a_player_is_found_in_every_round_they_have_a_part_in(db: &Db) {
    lived(db).await;
    let mut parts = 0;
    for user in (70..73).map(UserId) {
        let mut expected = Vec::new();
        for activity in ACTIVITIES {
            for round in 1.. {
                if db.round_find((activity, round)).await.unwrap().is_none() {
                    break;
                }
                let players = db.players_page((activity, round), UserId(0), PLAYS_MAX).await.unwrap();
                let own = players.into_iter().filter(|(player, _)| *player == user);
                expected.extend(own.map(|(_, account)| PlayedRound { activity, round, account, raffled: 0 }));
            }
        }
        expected.reverse();
        assert_eq!(db.played_by(user, PLAYS_MAX).await.unwrap(), expected);
        let few = db.played_by(user, 1).await.unwrap();
        assert_eq!(few, expected[..expected.len().min(1)], "the newest first");
        parts += expected.len();
    }
    assert!(parts > 3, "there is something to compare");
    assert_eq!(db.played_by(UserId(1), 9).await.unwrap(), []);
}

async fn a_record_leads_to_its_ticket(db: &Db) {
    let life = lived(db).await;
    let mut records = 0;
    for activity in ACTIVITIES {
        for (round, version) in (1..9).flat_map(|round| (0..20).map(move |version| (round, version))) {
            let chain = ChainKey { activity, round, version };
            for found in db.chain_page(chain, 0, PLAYS_MAX).await.unwrap() {
                let Some(Stored::Ticket { view, .. }) = db.id_find(found.ticket).await.unwrap().stored else {
                    panic!("{:032x} is a ticket", found.ticket);
                };
                assert_eq!((view.receipt, view.settlement), (Some(found.receipt), found.record));
                records += 1;
            }
        }
    }
    assert!(records > 3, "there is something to look at");
    let nobody = Key::of("ticket", 1, "never taken");
    assert!(life.ledger.seq() > 0 && db.id_find(nobody).await.unwrap().stored.is_none());
}

async fn names_come_in_the_order_asked_for(db: &Db) {
    let [ann, bob, eve] = [user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await];
    db.code_issue(issue(2, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.account_delete(delete_by_code(bob, 2, RIGHT)).await.unwrap();
    let names = db.names_of([eve, UserId(9), bob, ann, eve].map(|user| (user, T0)).to_vec()).await.unwrap();
    let name = |user: UserId| Some(format!("Player {user}"));
    assert_eq!(names, [name(eve), None, None, name(ann), name(eve)], "whoever is gone has no name");
    assert_eq!(db.names_of(Vec::new()).await.unwrap(), Vec::<Option<String>>::new());
    let many = vec![(ann, T0); NAMES_MAX + 1];
    assert_eq!(db.names_of(many).await.unwrap().len(), NAMES_MAX);
}

async fn a_notice_is_news_once_until_it_is_taken_back(db: &Db) {
    let fence = fence(db).await;
    for part in [PoolUse::Prize(prize_id(3)), PoolUse::Sale] {
        notice_of(db, &fence, part).await;
    }
}

async fn notice_of(db: &Db, fence: &Fence, part: PoolUse) {
    let id = if part == PoolUse::Sale { ActivityId(6) } else { ActivityId(7) };
    let low = LowStock { part, left: 2, total: 30, since: Timestamp(5) };
    let set = |alert: Option<LowStock>, audit| {
        let step =
            LowStockSet { activity: id, part, alert, signed: signed(Actor::System, id.0 * 100 + audit) };
        db.low_stock_set(fence.clone(), step)
    };
    let later = LowStock { left: 1, since: Timestamp(6), ..low };
    let rows: [(Option<LowStock>, bool, Option<LowStock>); 6] = [
        (None, false, None),
        (Some(low), true, Some(low)),
        (Some(later), false, Some(low)),
        (None, true, None),
        (None, false, None),
        (Some(later), true, Some(later)),
    ];
    for (n, (alert, news, kept)) in (1..).zip(rows) {
        assert_eq!(set(alert, n).await.unwrap(), news, "step {n}");
        assert_eq!(db.low_stock_list(id).await.unwrap(), kept.into_iter().collect::<Vec<_>>(), "step {n}");
    }
    assert_eq!(db.low_stock_list(ActivityId(8)).await.unwrap(), []);
    let (action, subject) = (Some("activity.low_stock".to_owned()), Some(format!("activity:{id}")));
    let query = AuditQuery { action, subject, ..AuditQuery::default() };
    let told = db.audit_list(query, domain::page::PageRequest::first(9)).await.unwrap();
    assert_eq!(told.items.len(), 2, "a line per notice");
    let old = Fence { term: fence.term - 1, ..fence.clone() };
    let step = LowStockSet { activity: id, part, alert: None, signed: signed(Actor::System, id.0 * 100 + 9) };
    assert_eq!(said(db.low_stock_set(old, step).await), "lease_lost");
    assert_eq!(db.low_stock_list(id).await.unwrap(), [later], "a worker that slept changes nothing");
}

async fn open_activities_are_walked_by_id(db: &Db) {
    for n in 1..=3 {
        create(db, n, content()).await;
    }
    assert_eq!(db.activities_open(i64::MIN, 9).await.unwrap(), [], "the ledger has heard of none");
    db.write((), |tx, ()| {
        Box::pin(async move {
            let sql = "UPDATE activities SET ledger_state = 'open' WHERE id IN (1, 3)";
            tx.execute(sql, store::params![]).await
        })
    })
    .await
    .unwrap();
    for (after, limit, expected) in
        [(i64::MIN, 9, vec![1, 3]), (i64::MIN, 1, vec![1]), (1, 9, vec![3]), (3, 9, vec![])]
    {
        let open = db.activities_open(after, limit).await.unwrap();
        assert_eq!(open, expected.into_iter().map(ActivityId).collect::<Vec<_>>(), "after {after}");
    }
}
