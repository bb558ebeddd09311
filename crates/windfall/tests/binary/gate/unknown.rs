//! An order that is deducted at payment is written, and whoever wrote it does not hear of it. What happens to the sale meanwhile
//! is no reason for a "no": the attempt was told in, and the order is there.

use std::sync::Arc;

use domain::ids::UserId;
use domain::sale::AttemptState;
use engine::activities as flow;
use engine::sales::attempts::{RequestedLine, attempt, attempt_look};
use store::interruption::{Interruption, StepMoment};
use store::model::OrderOpen;
use tokio::sync::Notify;

use super::fixtures::{buyer, person, sale_at_payment, token_text};
use crate::activities::world::{ANN, Stage};
use crate::process::LIMIT;

#[tokio::test]
async fn an_order_whose_answer_was_lost_is_told_whatever_became_of_the_sale() {
    const USER: i64 = 7;
    let stage = Stage::new().await;
    person(&stage, UserId(USER)).await;
    let sale = sale_at_payment(&stage, 5).await;
    let token = token_text(&stage, sale, USER).await;
    let (written, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let lost = Interruption::LostAnswer { reached: Arc::clone(&written), go_on: Arc::clone(&go_on) };
    stage.db.interrupt::<OrderOpen>(StepMoment::After, lost);
    let paused = stage.signed(ANN);
    let world = Arc::new(stage.world);
    let stop = Arc::new(Notify::new());
    let deciding = {
        let (world, stop) = (Arc::clone(&world), Arc::clone(&stop));
        tokio::spawn(async move { engine::sales::attempts::run_until(world, stop.notified()).await })
    };
    let asked = vec![RequestedLine { line: None, sale, quantity: 1, token: Some(token), price_minor: None }];
    let (told, _) = attempt(&world, buyer(USER), asked, Some("wish".to_owned())).await.unwrap();
    assert_eq!(told.state, AttemptState::Queued);
    written.notified().await;
    flow::activity_run(&world, paused, None, sale, flow::Run::Pause).await.unwrap();
    go_on.notify_one();
    let told = attempt_look(&world, UserId(USER), told.id, LIMIT).await.unwrap();
    assert_eq!(told.state, AttemptState::Ordered(told.id), "the order is there");
    stop.notify_one();
    deciding.await.unwrap();
}
