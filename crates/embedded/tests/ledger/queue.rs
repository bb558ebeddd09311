//! What the queue promises to one caller at a time; `crates/schedules` has many at once.

use std::time::Duration;

use ledger::queue::{NotTaken, Queue, TURN, Taken};

const NOW: Duration = Duration::ZERO;

#[test]
fn lanes_take_turns() {
    let queue = Queue::new(4_000);
    for n in 0..1_000 {
        queue.push(1, 1, ("crowd", n)).unwrap();
    }
    queue.push(2, 1, ("alone", 0)).unwrap();
    let Taken::Some(items) = queue.take(128, NOW) else { panic!("there is something") };
    let place = items.iter().position(|item| item.0 == "alone");
    assert_eq!(place, Some(TURN), "one turn of the crowd, then the other lane");
    let order: Vec<i32> = items.iter().filter(|item| item.0 == "crowd").map(|item| item.1).collect();
    assert!(order.is_sorted(), "within a lane the order stays");
}

#[test]
fn a_full_queue_says_so_and_one_lane_cannot_fill_it() {
    let queue = Queue::new(8);
    for n in 0..6 {
        queue.push(1, 1, n).unwrap();
    }
    assert_eq!(queue.push(1, 1, 9), Err((NotTaken::Full, 9)), "a lane has its own limit");
    queue.push(2, 2, 6).unwrap();
    assert_eq!(queue.push(3, 1, 9), Err((NotTaken::Full, 9)), "so has the whole");
    assert_eq!(queue.waiting(), 8);
    assert!(matches!(queue.take(100, NOW), Taken::Some(items) if items.len() == 7));
    assert_eq!(queue.waiting(), 0);
    queue.push(1, 1, 9).unwrap();
}

#[test]
fn closing_lets_what_is_there_out() {
    let queue = Queue::new(8);
    queue.push(1, 1, "last").unwrap();
    queue.close();
    assert_eq!(queue.push(1, 1, "late"), Err((NotTaken::Closed, "late")));
    assert_eq!(queue.take(8, NOW), Taken::Some(vec!["last"]));
    assert_eq!(queue.take(8, NOW), Taken::Over);
}

#[test]
fn a_nudge_wakes_once() {
    let queue = Queue::<()>::new(8);
    queue.nudge();
    assert_eq!(queue.take(8, Duration::from_secs(3_600)), Taken::Nothing);
    assert_eq!(queue.take(8, NOW), Taken::Nothing);
}

#[test]
fn a_rest_ends_when_the_queue_is_closed() {
    let queue = Queue::new(8);
    queue.push(1, 1, "waits").unwrap();
    queue.rest(NOW);
    assert_eq!(queue.waiting(), 1, "a rest takes nothing");
    queue.close();
    queue.rest(Duration::from_secs(3_600));
    assert_eq!(queue.take(8, NOW), Taken::Some(vec!["waits"]));
}
