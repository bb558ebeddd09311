//! What follows what, what happens once, and what is refused before its time.

use std::collections::HashSet;

use domain::activity::Action;
use domain::ids::{ActivityId, UserId};
use domain::page::PageRequest;
use domain::raffle::Winner;
use engine::Failure;
use engine::activities as flow;
use engine::activities::block_list::{GivenUser, block_list_import};
use engine::draws::raffle;
use engine::draws::raffle::RaffleState;
use store::model::*;
use store::params;

use super::fixtures::*;
use crate::activities::world::{ANN, BOB, Stage};
use crate::process::LIMIT;

fn code<T>(outcome: Result<T, Failure>) -> &'static str {
    outcome.err().and_then(|failure| failure.code()).unwrap_or("-")
}

#[tokio::test]
async fn it_goes_from_open_to_drawn_and_every_winner_has_a_win() {
    let stage = Stage::new().await;
    let id = open(&stage, content(None, &[1, 2])).await;
    let before = raffle::raffle(&stage.world, id, None).await.unwrap();
    enter_many(&stage, id, 9).await;
    assert_eq!((before.state, before.row, before.secret), (RaffleState::Open, None, None));

    stage.set(UNTIL_MS);
    let public = reach(&stage, id, 1, RaffleState::RollPublished).await;
    let row = public.row.unwrap();
    assert_eq!((row.entrants, row.entries), (9, 18), "three each entered once, twice, three times");
    assert_eq!((public.commitment, public.secret), (before.commitment, None));
    let roll = roll(&stage, id, 1).await;
    assert_eq!((*roll.hash(), roll.prizes()), (row.roll_hash, [1, 2].as_slice()));

    stage.set(DRAW_MS - 1);
    stage.run_job("raffles").await;
    assert_eq!(raffle::raffle(&stage.world, id, None).await.unwrap().state, RaffleState::RollPublished);
    stage.set(DRAW_MS);
    let drawn = reach(&stage, id, 1, RaffleState::Drawn).await;
    let won = winners(&stage, id).await;
    assert_eq!(won, foreseen(&stage, id, None).await);
    assert_eq!(drawn.winners.len(), 3);
    assert_eq!(
        drawn.commitment.0,
        domain::lottery::random::DrawSecret::new(drawn.secret.unwrap()).commitment().0
    );
    for WinnerRow { winner: Winner { prize, place, .. }, user, .. } in winner_rows(&stage, id).await {
        let wins = stage.db.wins_of(user, PageRequest::default()).await.unwrap().items;
        let got: Vec<_> =
            wins.iter().map(|win| (win.activity, win.round, win.prize.number(), win.draw)).collect();
        assert_eq!(got, [(id, 1, 7 + u16::try_from(prize).unwrap(), place)], "{user}");
        let played = stage.db.played_by(user, 9).await.unwrap();
        assert_eq!(played.iter().map(|round| (round.activity, round.raffled)).collect::<Vec<_>>(), [(id, 1)]);
    }
}

/// More prizes than people: everybody wins once, and the last units have no winner.
#[tokio::test]
async fn nobody_wins_twice() {
    let stage = Stage::new().await;
    let id = open(&stage, content(None, &[2, 3])).await;
    enter_many(&stage, id, 4).await;
    let shown = drawn(&stage, id, None).await;
    let users: HashSet<UserId> = winner_rows(&stage, id).await.iter().map(|row| row.user).collect();
    assert_eq!((users.len(), shown.row.unwrap().drawn.unwrap().winners), (4, 4));
    let twice = stage.db.write(id, |tx, id| {
        let sql =
            "INSERT INTO raffle_winners SELECT activity_id, round, 99, prize, prize_id, 99, user_id, 0, seat
                   FROM raffle_winners WHERE activity_id = $1 AND nth = 0";
        Box::pin(async move { tx.execute(sql, params![*id]).await })
    });
    assert!(twice.await.is_err(), "the database itself says no");
}

/// Nobody entered: there is a roll of nobody, and the drawing has no winner.
#[tokio::test]
async fn a_raffle_without_entries_is_drawn_too() {
    let stage = Stage::new().await;
    let id = open(&stage, content(None, &[1])).await;
    let shown = drawn(&stage, id, None).await;
    assert_eq!((shown.row.unwrap().entrants, shown.winners.len(), shown.secret.is_some()), (0, 0, true));
}

#[tokio::test]
async fn a_beacon_is_told_after_the_roll_and_once() {
    let stage = Stage::new().await;
    let (id, plain) =
        (open(&stage, content(Some(BEACON), &[3])).await, open(&stage, content(None, &[1])).await);
    enter_many(&stage, id, 40).await;
    assert_eq!(code(tell(&stage, id, VALUE).await), "roll_unpublished");
    stage.set(UNTIL_MS);
    // Over by the clock, and still nobody has seen the roll.
    assert_eq!(code(tell(&stage, id, VALUE).await), "roll_unpublished");
    reach(&stage, id, 1, RaffleState::WaitingForBeacon).await;
    reach(&stage, plain, 1, RaffleState::RollPublished).await;
    stage.set(DRAW_MS + 5);
    reach(&stage, plain, 1, RaffleState::Drawn).await;
    let waiting = raffle::raffle(&stage.world, id, None).await.unwrap();
    assert_eq!((waiting.state, waiting.secret), (RaffleState::WaitingForBeacon, None), "it waits");

    let foreseen = foreseen(&stage, id, Some(VALUE)).await;
    let long = "x".repeat(1_001);
    for (id, value, expected) in [
        (plain, VALUE, "beacon_unnamed"),
        (id, "", "invalid_field"),
        (id, long.as_str(), "invalid_field"),
        (id, "a\0b", "invalid_field"),
        (id, VALUE, "-"),
        (id, VALUE, "-"),
        (id, "6 2 5 ", "beacon_fixed"),
        (ActivityId(7), VALUE, "not_found"),
    ] {
        assert_eq!(code(tell(&stage, id, value).await), expected, "{value:?}");
    }
    let shown = reach(&stage, id, 1, RaffleState::Drawn).await;
    assert_eq!(shown.row.unwrap().value.unwrap().by, Actor::Person(ANN));
    assert_eq!(winners(&stage, id).await, foreseen);
    assert_eq!(code(tell(&stage, id, "1 1 1").await), "beacon_fixed");
}

#[tokio::test]
async fn who_is_on_the_block_list_is_not_on_the_roll() {
    let stage = Stage::new().await;
    let id = open(&stage, content(None, &[9])).await;
    enter_many(&stage, id, 6).await;
    let account = |user: i64| {
        stage.db.write(user, |tx, user| {
            let sql = "INSERT INTO users (id, created, name, name_folded, sign_up_day)
                       VALUES ($1, 0, 'x', 'x', 20260101)";
            Box::pin(async move { tx.execute(sql, params![*user]).await })
        })
    };
    for user in [102, 105] {
        account(user).await.unwrap();
    }
    let blocked = [102, 105].map(|user: i64| GivenUser::Id(user.to_string())).to_vec();
    block_list_import(&stage.world, stage.signed(ANN), id, blocked).await.unwrap();
    let shown = drawn(&stage, id, None).await;
    assert_eq!(shown.row.unwrap().entrants, 4);
    let mut won: Vec<i64> = winner_rows(&stage, id).await.iter().map(|row| row.user.0).collect();
    won.sort_unstable();
    assert_eq!(won, [101, 103, 104, 106]);
}

/// A roll that was made before somebody came on the list is not published; nor is one whose pieces are not all there, or
/// of a round that is still open.
#[tokio::test]
async fn a_roll_that_is_not_true_any_more_is_not_published() {
    let stage = Stage::new().await;
    let id = open(&stage, content(None, &[1])).await;
    enter_many(&stage, id, 2).await;
    let run = claim(&stage).await;
    let publish = |block_changes: u64, version: u32, pieces: u32| {
        let step = RollPublish {
            round: (id, 1),
            version,
            draw_at: stage.world.now(),
            beacon: None,
            hash: [7; 32],
            pieces,
            bytes: 0,
            entrants: 1,
            entries: 1,
            block_changes,
        };
        let signed = stage.world.audit_stamp(Actor::System, "", "test");
        stage.db.roll_publish(run.fence.clone(), step, signed)
    };
    assert!(!publish(0, 1, 0).await.unwrap(), "it is open");
    stage.set(UNTIL_MS);
    stage.run_jobs().await;
    closed_in_rows(&stage, id).await;
    for (changes, version, pieces, expected) in
        [(1, 1, 0, Some(false)), (0, 2, 0, Some(false)), (0, 1, 1, None)]
    {
        assert_eq!(publish(changes, version, pieces).await.ok(), expected, "{changes} {version} {pieces}");
    }
    assert_eq!(stage.db.raffle_find((id, 1)).await.unwrap(), None);
}

/// The process dies with half a roll written, and again between the roll and the drawing. Whoever held the secret could
/// have told the winners in between, and they are the same.
#[tokio::test]
async fn a_crash_at_any_step_leads_to_the_same_winners() {
    let mut stage = Stage::new().await;
    let id = open(&stage, content(Some(BEACON), &[1, 4])).await;
    enter_many(&stage, id, 30).await;
    stage.set(UNTIL_MS);
    let run = claim(&stage).await;
    for number in 0..3 {
        let piece = RollPiece { round: (id, 1), number, bytes: vec![9; 40] };
        assert!(stage.db.roll_piece_set(run.fence.clone(), piece).await.unwrap());
    }
    assert_eq!(stage.db.roll_piece((id, 1), 0).await.unwrap(), None, "nobody sees half a roll");
    finish(&stage, run).await;
    stage = stage.restarted().await;
    let public = reach(&stage, id, 1, RaffleState::WaitingForBeacon).await.row.unwrap();
    tell(&stage, id, VALUE).await.unwrap();
    let foreseen = foreseen(&stage, id, Some(VALUE)).await;
    stage = stage.restarted().await;
    stage.set(DRAW_MS);
    let drawn = reach(&stage, id, 1, RaffleState::Drawn).await.row.unwrap();
    assert_eq!(winners(&stage, id).await, foreseen);
    assert_eq!((drawn.roll_hash, drawn.published_at), (public.roll_hash, public.published_at));

    // Again, by hand and by the job: nothing is written a second time.
    stage = stage.restarted().await;
    let run = claim(&stage).await;
    assert!(!raffle::publish(&stage.world, &run, (id, 1), 1).await.unwrap());
    assert!(!raffle::draw(&stage.world, &run, (id, 1)).await.unwrap());
    finish(&stage, run).await;
    stage.run_job("raffles").await;
    assert_eq!(stage.db.raffle_find((id, 1)).await.unwrap(), Some(drawn));
    let wins = stage.db.wins_newest(id, 0, 100).await.unwrap();
    assert_eq!((winners(&stage, id).await.len(), wins.len()), (5, 5));
}

/// A version that comes while people enter changes the prizes, and not the secret: that one was fixed before anybody
/// entered. One that comes after the end changes nothing.
#[tokio::test]
async fn a_newer_version_brings_prizes_and_no_other_secret() {
    let stage = Stage::new().await;
    let id = open(&stage, content(None, &[1])).await;
    enter_many(&stage, id, 8).await;
    let commitment = raffle::raffle(&stage.world, id, None).await.unwrap().commitment;
    renew(&stage, id, content(None, &[2, 2])).await;
    let live = stage.world.caches.activities.find(&stage.world, id).await.unwrap().unwrap();
    assert_eq!((live.version, live.commitment), (2, commitment));
    flow::activity_run(&stage.world, stage.signed(BOB), None, id, flow::Run::Close).await.unwrap();
    reach(&stage, id, 1, RaffleState::RollPublished).await;
    renew(&stage, id, content(None, &[5])).await;
    stage.set(DRAW_MS);
    let drawn = reach(&stage, id, 1, RaffleState::Drawn).await;
    assert_eq!((drawn.commitment, drawn.winners.len()), (commitment, 4));
    assert_eq!(drawn.winners[3].prize.name, "prize 8");
}

/// Every round has a roll, a secret and winners of its own.
#[tokio::test]
async fn a_reopened_raffle_is_drawn_again() {
    let stage = Stage::new().await;
    let id = open(&stage, content(None, &[1])).await;
    enter_many(&stage, id, 5).await;
    flow::activity_run(&stage.world, stage.signed(BOB), None, id, flow::Run::Close).await.unwrap();
    let first = reach(&stage, id, 1, RaffleState::RollPublished).await;
    stage.decide(id, Action::Reopen, BOB).await;
    stage.run_jobs().await;
    engine::draws::enter::enter(&stage.world, id, UserId(101), "again", 2).await.unwrap();
    stage.set(UNTIL_MS);
    let second = reach(&stage, id, 2, RaffleState::RollPublished).await;
    assert_eq!(second.row.as_ref().unwrap().entries, 2);
    assert_ne!(first.commitment, second.commitment);
    stage.set(DRAW_MS);
    for round in [1, 2] {
        reach(&stage, id, round, RaffleState::Drawn).await;
    }
    assert_eq!(code(raffle::raffle(&stage.world, id, Some(3)).await), "not_found");
    assert_eq!(code(raffle::raffle(&stage.world, id, Some(0)).await), "not_found");
    assert_eq!(stage.db.raffle_list(id).await.unwrap().len(), 2);
}

async fn closed_in_rows(stage: &Stage, id: ActivityId) {
    let started = std::time::Instant::now();
    while stage.db.raffles_due(stage.world.now(), (id, 0), 1).await.unwrap().is_empty() {
        assert!(started.elapsed() < LIMIT, "the rows do not follow");
        tokio::task::yield_now().await;
    }
}
