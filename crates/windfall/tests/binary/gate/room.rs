//! The waiting room with a real stock, a real clock by hand, and restarts.

use domain::ids::ActivityId;
use domain::sale::room::{ADMITTED_FOR_MS, BLOCK, TICK_MS};
use engine::Result;
use engine::sales::gate;
use engine::sales::gate::{RoomState, RoomView};

use super::fixtures::*;
use crate::activities::world::Stage;

async fn join(stage: &Stage, sale: ActivityId, user: i64, place: Option<&str>) -> Result<RoomView> {
    gate::room_join(&stage.world, buyer(user), sale, place).await
}

async fn look(stage: &Stage, sale: ActivityId, user: i64) -> Result<RoomView> {
    gate::room_look(&stage.world, buyer(user), sale).await
}

/// Where somebody stands, in a word.
fn stands(told: &Result<RoomView>) -> String {
    match told.as_ref().map(|told| &told.state) {
        Ok(RoomState::Waiting { ahead, .. }) => format!("behind {ahead}"),
        Ok(RoomState::Admitted { .. }) => "inside".to_owned(),
        Ok(RoomState::SoldOut) => "sold out".to_owned(),
        Ok(RoomState::Left) => "left".to_owned(),
        Err(_) => heard(told).to_owned(),
    }
}

fn place(told: Result<RoomView>) -> (String, i64) {
    match told.unwrap().state {
        RoomState::Waiting { place, number, .. } | RoomState::Admitted { place, number, .. } => {
            (place, number)
        }
        state @ (RoomState::SoldOut | RoomState::Left) => panic!("{state:?}"),
    }
}

#[tokio::test]
async fn one_waits_for_a_token_until_it_is_ones_turn() {
    let stage = Stage::new().await;
    let sale = sale(&stage, LINE, 10).await;
    let open = super::fixtures::sale(&stage, OPEN, 10).await;
    // A room may be entered before the start, and nobody comes in before it.
    for (after_ms, expected) in [(FROM_MS - 600_001, "not_started"), (FROM_MS - 600_000, "behind 0")] {
        stage.set(after_ms);
        assert_eq!(stands(&join(&stage, sale, 1, None).await), expected, "{after_ms}");
    }
    stage.set(FROM_MS - 1);
    for (user, expected) in [(1, "behind 0"), (2, "behind 1"), (3, "behind 2"), (2, "behind 1")] {
        assert_eq!(stands(&join(&stage, sale, user, None).await), expected, "{user}");
    }
    assert_eq!(heard(&token(&stage, sale, 1).await), "not_started");
    stage.set(FROM_MS);
    assert_eq!(stands(&join(&stage, open, 4, None).await), "no_room");
    assert_eq!(heard(&token(&stage, sale, 4).await), "place_needed");
    assert_eq!(stands(&look(&stage, sale, 4).await), "place_needed");
    // Two a second from the start on, in order.
    stage.set(FROM_MS + TICK_MS);
    for (user, room, gate) in
        [(1, "inside", "yes"), (2, "behind 0", "not_your_turn"), (3, "behind 1", "not_your_turn")]
    {
        assert_eq!(stands(&look(&stage, sale, user).await), room, "{user}");
        assert_eq!(heard(&token(&stage, sale, user).await), gate, "{user}");
    }
    // One turn is one token, however often it is asked for; used, it is over.
    stage.set(FROM_MS + TICK_MS + 1);
    let text = token_text(&stage, sale, 1).await;
    assert_eq!(text, token_text(&stage, sale, 1).await);
    let admitted = gate::admit(&stage.world, buyer(1), sale, Some(&text)).await.unwrap();
    assert_eq!(admitted.spend(&stage.world), Ok(()));
    assert_eq!(heard(&token(&stage, sale, 1).await), "place_needed");
    assert_eq!(stands(&join(&stage, sale, 1, None).await), "behind 2", "and begins again at the end");
    // Whoever lets their turn pass has had it.
    stage.set(FROM_MS + 2 * TICK_MS);
    assert_eq!(stands(&look(&stage, sale, 2).await), "inside");
    stage.set(FROM_MS + 2 * TICK_MS + ADMITTED_FOR_MS);
    assert_eq!(stands(&look(&stage, sale, 2).await), "place_needed");
}

#[tokio::test]
async fn a_restart_keeps_the_order_and_gives_no_number_twice() {
    let stage = Stage::new().await;
    let sale = sale(&stage, LINE, 10).await;
    stage.set(FROM_MS - 1);
    let (first, _) = place(join(&stage, sale, 1, None).await);
    let (second, _) = place(join(&stage, sale, 2, None).await);
    assert_eq!(stands(&join(&stage, sale, 3, Some(&first)).await), "place_wrong");

    let stage = stage.restarted().await;
    assert_eq!(stands(&look(&stage, sale, 2).await), "place_needed", "nobody is known any more");
    let (_, number) = place(join(&stage, sale, 9, None).await);
    assert_eq!(number, BLOCK + 1, "numbers go on behind all that were ever taken");
    assert_eq!(stands(&join(&stage, sale, 2, Some(&second)).await), "behind 0");
    assert_eq!(stands(&join(&stage, sale, 1, Some(&first)).await), "behind 0");
    stage.set(FROM_MS + TICK_MS);
    for (user, expected) in [(1, "inside"), (2, "behind 0"), (9, "behind 1")] {
        assert_eq!(stands(&look(&stage, sale, user).await), expected, "{user}");
    }
}

#[tokio::test]
async fn nobody_waits_for_what_is_gone() {
    let stage = Stage::new().await;
    let sale = sale(&stage, LINE, 1).await;
    stage.set(FROM_MS - 1);
    join(&stage, sale, 1, None).await.unwrap();
    // Held by somebody: it may come back, and so one waits; nobody is let in to find nothing.
    stage.set(FROM_MS);
    let held = hold(&stage, sale, "first", 1).await.unwrap();
    stage.set(FROM_MS + TICK_MS);
    assert_eq!(stands(&look(&stage, sale, 1).await), "behind 0");
    let told = look(&stage, sale, 1).await.unwrap();
    assert!(matches!(told.state, RoomState::Waiting { wait_ms: None, .. }), "{told:?}");
    // Paid for: it is gone.
    confirm(&stage, held).await;
    stage.set(FROM_MS + 2 * TICK_MS);
    assert_eq!(stands(&look(&stage, sale, 1).await), "sold out");
    assert_eq!(stands(&join(&stage, sale, 2, None).await), "sold_out", "and nobody begins to wait");
    // New units: those who waited are the first.
    restock(&stage, sale, LINE, 2).await;
    stage.set(FROM_MS + 3 * TICK_MS);
    assert_eq!(stands(&look(&stage, sale, 1).await), "inside");
}

/// A thousand places, one written block.
#[tokio::test]
async fn places_are_written_down_a_thousand_at_a_time() {
    let stage = Stage::new().await;
    let sale = sale(&stage, LINE, 10).await;
    stage.set(FROM_MS - 1);
    let first = place(join(&stage, sale, 1, None).await).1;
    for user in 2..=BLOCK {
        let (_, number) = place(join(&stage, sale, user, None).await);
        assert_eq!(number, first + user - 1);
    }
    let taken = stage.world.db.numbers_take(sale, 1, 1).await.unwrap();
    assert_eq!(taken, BLOCK + 1..BLOCK + 2, "one block was taken for all of them");
}
