//! The sold-out flag: answers at once, and never for longer than it is true.

use domain::sale::sold_out::KEEP_MS;
use engine::ports::Stock;

use super::fixtures::*;
use crate::activities::world::Stage;
use crate::process::LIMIT;

#[tokio::test]
async fn a_restock_is_sold_at_once() {
    let stage = Stage::new().await;
    let sale = sale(&stage, OPEN, 1).await;
    let text = token_text(&stage, sale, 7).await;
    hold(&stage, sale, "first", 1).await.unwrap();
    assert_eq!(admit(&stage, sale, 7, Some(&text)).await, "yes", "nothing is known until the ledger says so");
    assert_eq!(hold(&stage, sale, "second", 1).await, None);
    for user in [7, 8] {
        assert_eq!(admit(&stage, sale, user, Some(&text)).await, "sold_out");
        assert_eq!(heard(&token(&stage, sale, user).await), "sold_out");
    }
    restock(&stage, sale, OPEN, 2).await;
    assert_eq!(admit(&stage, sale, 7, Some(&text)).await, "yes");
    hold(&stage, sale, "third", 1).await.unwrap();
}

/// Nobody tells the gate of an expiry; whoever asks a moment later finds out.
#[tokio::test]
async fn what_expires_or_is_cancelled_is_sold_again() {
    let stage = Stage::new().await;
    let sale = sale(&stage, OPEN, 1).await;
    let text = token_text(&stage, sale, 7).await;
    let first = hold(&stage, sale, "first", 1).await.unwrap();
    assert_eq!(hold(&stage, sale, "second", 1).await, None);
    assert_eq!(admit(&stage, sale, 7, Some(&text)).await, "sold_out");
    cancel(&stage, first, "first").await;
    assert_eq!(admit(&stage, sale, 7, Some(&text)).await, "sold_out", "believed for a moment");
    stage.set(FROM_MS + KEEP_MS);
    assert_eq!(admit(&stage, sale, 7, Some(&text)).await, "yes");

    hold(&stage, sale, "third", 1).await.unwrap();
    assert_eq!(hold(&stage, sale, "fourth", 1).await, None);
    assert_eq!(admit(&stage, sale, 7, Some(&text)).await, "sold_out");
    // The ledger gives units back a little late, never early.
    stage.set(FROM_MS + KEEP_MS + 65_000);
    let pool = domain::activity::sale_pool(sale).pool();
    let expired = async {
        while stage.stock.pool(pool).await.unwrap().is_none_or(|pool| pool.available == 0) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(LIMIT, expired).await.expect("the hold expires");
    assert_eq!(admit(&stage, sale, 7, Some(&text)).await, "yes");
}

/// A flag is set by the last unit only: too few for one may be enough for another.
#[tokio::test]
async fn too_few_for_one_are_enough_for_another() {
    let stage = Stage::new().await;
    let sale = sale(&stage, OPEN, 1).await;
    let text = token_text(&stage, sale, 7).await;
    assert_eq!(hold(&stage, sale, "two", 2).await, None);
    assert_eq!(admit(&stage, sale, 7, Some(&text)).await, "yes");
}
