//! Raffles as rows, on both databases: what is due, what is written once, and in which order wins are told.

use domain::activity::Action;
use domain::ids::{ActivityId, UserId};
use domain::page::PageRequest;
use domain::player_number::PlayerNumber;
use domain::raffle::{Entrant, Winner};
use store::model::*;
use store::{Db, params};

use crate::activity_fixtures::*;
use crate::fixtures::*;

const ROUND: RaffleRound = (ActivityId(3), 1);

on_both! {
    a_round_waits_for_its_roll_and_then_for_its_drawing,
    a_beacon_is_kept_once,
    a_drawing_is_all_or_nothing_and_once,
    wins_are_told_by_time,
}

/// A raffle with a beacon that is closed in the ledger's rows, with three who entered and one who did not.
async fn closed(db: &Db) -> Fence {
    let fence = fence(db).await;
    for (id, content) in [(1, content()), (3, raffle())] {
        let id = create(db, id, content).await;
        publish(db, id, 0).await;
        db.activity_act(act(id, BOB, Action::Close, 1)).await.unwrap();
    }
    db.write((), |tx, ()| {
        Box::pin(async move {
            for n in [1_i64, 3] {
                tx.execute(
                    "INSERT INTO play_rounds (activity_id, round, state, version, from_ms, until_ms, entries, total_max,
                        month_max, day_max, chain_place, chain_link, spent_total, spent_day, spent_day_no, spent_points,
                        draws, players, winners, wins)
                     VALUES ($1, 1, 'closed', 1, 0, 1, 0, 1, 0, 0, 0, $2, 0, 0, 0, 0, 0, 0, 0, 0)",
                    params![n, [0_u8; 32]],
                )
                .await?;
            }
            for (user, draws, seat) in [(50_i64, 2_i64, Some(1_i64)), (40, 1, Some(2)), (60, 0, None), (70, 9, Some(3))] {
                tx.execute(
                    "INSERT INTO players (activity_id, round, user_id, bonus, used, month_used, day_used, day, draws,
                        day_draws, misses, won, last_seq, seat) VALUES (3, 1, $1, 0, 0, 0, 0, 0, $2, 0, 0, 0, 0, $3)",
                    params![user, draws, seat],
                )
                .await?;
            }
            Ok(())
        })
    })
    .await
    .unwrap();
    fence
}

fn seat(number: u32) -> PlayerNumber {
    PlayerNumber::new(number).unwrap()
}

fn publication() -> RollPublish {
    RollPublish {
        round: ROUND,
        version: 1,
        draw_at: T0 + UNTIL_MS,
        beacon: Some("drand".to_owned()),
        hash: [7; 32],
        pieces: 2,
        bytes: 5,
        entrants: 3,
        entries: 12,
        block_changes: 0,
    }
}

async fn put(db: &Db, fence: &Fence, number: u32, bytes: &[u8]) -> bool {
    let piece = RollPiece { round: ROUND, number, bytes: bytes.to_vec() };
    db.roll_piece_set(fence.clone(), piece).await.unwrap()
}

async fn public(db: &Db) -> Fence {
    let fence = closed(db).await;
    for (number, bytes) in [(0, [1, 2, 3].as_slice()), (1, &[9]), (2, &[9]), (1, &[4, 5])] {
        assert!(put(db, &fence, number, bytes).await);
    }
    assert!(db.roll_publish(fence.clone(), publication(), signed(Actor::System, 900)).await.unwrap());
    fence
}

fn after(ms: i64, audit: i64) -> AuditStamp {
    AuditStamp { at: T0 + ms, ..signed(Actor::System, audit) }
}

async fn tell(db: &Db, value: &str, audit: i64) -> &'static str {
    let signed = signed(Actor::Person(ANN), audit);
    said(db.beacon_set(BeaconSet { round: ROUND, value: value.to_owned(), signed }).await)
}

/// Where the walk stops and what it finds, at a moment.
async fn due(db: &Db, ms: i64) -> Vec<RaffleStep> {
    let all = db.raffles_due(T0 + ms, (ActivityId(i64::MIN), 0), 10).await.unwrap();
    assert!(all.iter().all(|due| due.round == ROUND), "the wheel is none of ours");
    assert_eq!(db.raffles_due(T0 + ms, ROUND, 10).await.unwrap(), [], "it ends after the last");
    all.into_iter().map(|due| due.step).collect()
}

async fn a_round_waits_for_its_roll_and_then_for_its_drawing(db: &Db) {
    let fence = closed(db).await;
    assert_eq!(due(db, 0).await, [RaffleStep::Roll { version: 1 }]);
    let entrant = |user, number, entries| (UserId(user), Entrant { seat: seat(number), entries });
    let all = db.raffle_entrants(ROUND, UserId(0), 10).await.unwrap();
    assert_eq!(all, [entrant(40, 2, 1), entrant(50, 1, 2), entrant(70, 3, 9)]);
    assert_eq!(db.raffle_entrants(ROUND, UserId(40), 1).await.unwrap(), [entrant(50, 1, 2)]);

    assert!(put(db, &fence, 0, &[1, 2, 3]).await && put(db, &fence, 1, &[4, 5]).await);
    assert!(put(db, &fence, 2, &[6]).await, "of a try that was longer");
    assert_eq!(db.roll_piece(ROUND, 0).await.unwrap(), None, "nobody sees it before it is public");
    for (step, expected) in [
        (RollPublish { block_changes: 1, ..publication() }, Ok(false)),
        (RollPublish { version: 2, ..publication() }, Ok(false)),
        (RollPublish { pieces: 1, ..publication() }, Err(())),
        (publication(), Ok(true)),
        (RollPublish { hash: [8; 32], ..publication() }, Ok(false)),
    ] {
        let got = db.roll_publish(fence.clone(), step.clone(), signed(Actor::System, 901)).await;
        assert_eq!(got.map_err(|_| ()), expected, "{step:?}");
    }
    assert!(!put(db, &fence, 0, &[0]).await, "never again");
    let mut pieces = Vec::new();
    for number in 0..3 {
        pieces.push(db.roll_piece(ROUND, number).await.unwrap());
    }
    assert_eq!(pieces, [Some(vec![1, 2, 3]), Some(vec![4, 5]), None]);
    let row = db.raffle_find(ROUND).await.unwrap().unwrap();
    assert_eq!((row.roll_hash, row.entrants, row.entries, row.roll_bytes), ([7; 32], 3, 12, 5));
    assert_eq!(row.commitment, db.secret_list(ROUND.0).await.unwrap()[0].commitment);
    assert_eq!(db.raffle_list(ROUND.0).await.unwrap(), [row]);

    assert_eq!(due(db, UNTIL_MS).await, [], "there is no beacon");
    assert_eq!(tell(db, "x", 902).await, "ok");
    assert_eq!(due(db, UNTIL_MS - 1).await, []);
    assert_eq!(due(db, UNTIL_MS).await, [RaffleStep::Draw]);
    let stale = Fence { term: fence.term - 1, ..fence.clone() };
    let step = RaffleDraw { round: ROUND, beacon_value: Some("x".to_owned()), winners: Vec::new() };
    assert_eq!(said(db.raffle_draw(stale, step.clone(), after(UNTIL_MS, 903)).await), "lease_lost");
    assert!(db.raffle_draw(fence, step, after(UNTIL_MS, 904)).await.unwrap());
    assert_eq!(due(db, UNTIL_MS).await, []);
}

async fn a_beacon_is_kept_once(db: &Db) {
    assert_eq!(tell(db, "6 2 5", 910).await, "roll_unpublished");
    public(db).await;
    for (value, expected) in [("6 2 5", "ok"), ("6 2 5", "ok"), ("6 2 5 ", "beacon_fixed")] {
        assert_eq!(tell(db, value, 911).await, expected, "{value:?}");
    }
    let kept = db.raffle_find(ROUND).await.unwrap().unwrap().value.unwrap();
    assert_eq!((kept.value.as_str(), kept.by, kept.at), ("6 2 5", Actor::Person(ANN), T0));
    let lines = audited(db, "activity:3").await;
    assert_eq!(lines.iter().filter(|line| *line == "raffle.beacon").count(), 1);
}

async fn a_drawing_is_all_or_nothing_and_once(db: &Db) {
    let fence = public(db).await;
    assert_eq!(tell(db, "x", 920).await, "ok");
    let won = |place, user, win| {
        let winner = Winner { prize: 0, place, seat: seat(u32::try_from(user).unwrap()) };
        RaffleWin { winner, user: UserId(user), prize: prize_id(3), win }
    };
    let step = |value: &str, winners: &[RaffleWin]| {
        let (beacon_value, winners) = (Some(value.to_owned()), winners.to_vec());
        RaffleDraw { round: ROUND, beacon_value, winners }
    };
    for (what, step, ms, expected) in [
        ("too early", step("x", &[won(0, 40, 1)]), UNTIL_MS - 1, Ok(false)),
        ("another beacon", step("y", &[won(0, 40, 1)]), UNTIL_MS, Err(())),
        ("somebody twice", step("x", &[won(0, 40, 1), won(1, 40, 2)]), UNTIL_MS, Err(())),
        ("a unit twice", step("x", &[won(0, 40, 1), won(0, 50, 2)]), UNTIL_MS, Err(())),
        ("as it should be", step("x", &[won(0, 70, 1), won(1, 40, 2)]), UNTIL_MS, Ok(true)),
        ("again", step("x", &[won(0, 50, 3)]), UNTIL_MS + 1, Ok(false)),
    ] {
        let got = db.raffle_draw(fence.clone(), step, after(ms, 921)).await.map_err(|_| ());
        assert_eq!(got, expected, "{what}");
        let row = db.raffle_find(ROUND).await.unwrap().unwrap();
        let revealed = db.secret_list(ROUND.0).await.unwrap()[0].revealed_at;
        let wins = db.wins_newest(ROUND.0, 0, 9).await.unwrap();
        assert_eq!(
            (row.drawn.is_some(), wins.len()),
            (revealed.is_some(), if revealed.is_some() { 2 } else { 0 })
        );
    }
    let rows = db.raffle_winners(ROUND, 0, 10).await.unwrap();
    let users: Vec<_> = rows.iter().map(|row| (row.nth, row.user.0, row.winner.seat, row.prize)).collect();
    assert_eq!(users, [(0, 70, seat(70), prize_id(3)), (1, 40, seat(40), prize_id(3))]);
    assert_eq!(db.raffle_winners(ROUND, 1, 10).await.unwrap(), rows[1..]);
    assert_eq!(db.raffle_count_given(ROUND).await.unwrap(), [(prize_id(3), 2)]);
    assert_eq!(db.raffle_count_given((ROUND.0, 9)).await.unwrap(), []);
    assert_eq!(
        db.raffle_find(ROUND).await.unwrap().unwrap().drawn,
        Some(RaffleResult { at: T0 + UNTIL_MS, winners: 2 })
    );
}

/// What was won in a raffle has a far greater id than what was drawn later.
async fn wins_are_told_by_time(db: &Db) {
    db.write((), |tx, ()| {
        Box::pin(async move {
            for (id, at) in [(16_i64, 100_i64), (1 << 60, 200), (32, 300), (33, 300)] {
                tx.execute(
                    "INSERT INTO wins (id, user_id, activity_id, round, version, draw_no, prize_id, points, cost_minor,
                        at_ms) VALUES ($1, 5, 1, 1, 1, 0, 1, 0, 0, $2)",
                    params![id, at],
                )
                .await?;
            }
            Ok(())
        })
    })
    .await
    .unwrap();
    let (mut ids, mut page) = (Vec::new(), PageRequest::first(1));
    loop {
        let wins = db.wins_of(UserId(5), page).await.unwrap();
        ids.extend(wins.items.iter().map(|win| win.id));
        let Some(next) = wins.next else { break };
        page.after = Some(next);
    }
    assert_eq!(ids, [33, 32, 1 << 60, 16]);
}
