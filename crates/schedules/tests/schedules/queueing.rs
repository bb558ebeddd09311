//! Scenarios of the queue: several push, one takes, somebody nudges, somebody closes.

use std::sync::Arc;
use std::time::Duration;

use shuttle::sync::mpsc::channel;
use shuttle::thread::spawn;

use super::queue::{QueueLane, NotTaken, Queue, Taken};
use super::sync::{FOREVER, time_stands_still};
use crate::explore::reached;

const QUEUE_MAX: usize = 4;

/// Who pushed it into which lane, and as which.
type Item = (QueueLane, u32, u32);

/// What was taken in comes out once, in the order of its lane, and what came out was taken in, wherever the close falls.
pub fn nothing_pushed_is_lost() {
    time_stands_still(true);
    let queue = Arc::new(Queue::<Item>::new(QUEUE_MAX));
    let pushers: Vec<_> = [(1, 0), (1, 1), (2, 2)]
        .into_iter()
        .map(|(lane, pusher)| {
            let queue = Arc::clone(&queue);
            spawn(move || {
                let mut taken_in = Vec::new();
                for n in 0..3 {
                    let pushed = queue.push(lane, 1, (lane, pusher, n));
                    if pushed.is_ok() {
                        taken_in.push((lane, pusher, n));
                    }
                    heard(&pushed);
                    assert!(queue.waiting() <= QUEUE_MAX, "more wait than may");
                }
                taken_in
            })
        })
        .collect();
    let taker = {
        let queue = Arc::clone(&queue);
        spawn(move || {
            let mut out = Vec::new();
            loop {
                match queue.take(2, FOREVER) {
                    Taken::Some(items) => out.extend(items),
                    Taken::Nothing => {}
                    Taken::Over => return out,
                }
            }
        })
    };
    let closer = {
        let queue = Arc::clone(&queue);
        spawn(move || queue.close())
    };
    let mut taken_in: Vec<Item> = pushers.into_iter().flat_map(|pusher| pusher.join().unwrap()).collect();
    closer.join().unwrap();
    let mut out = taker.join().unwrap();
    for pusher in 0..3 {
        let order: Vec<u32> = out.iter().filter(|item| item.1 == pusher).map(|item| item.2).collect();
        assert!(order.is_sorted(), "out of order: {order:?}");
    }
    taken_in.sort_unstable();
    out.sort_unstable();
    assert_eq!(taken_in, out, "what was taken in and what came out");
    assert_eq!(queue.waiting(), 0);
}

/// Nobody takes anything, and still nobody waits: exactly as many get in as there is room for.
pub fn a_full_queue_answers_at_once() {
    time_stands_still(true);
    let queue = Arc::new(Queue::<Item>::new(QUEUE_MAX));
    let pushers: Vec<_> = [1, 1, 2]
        .into_iter()
        .map(|lane| {
            let queue = Arc::clone(&queue);
            let push = move |n: &u32| {
                let pushed = queue.push(lane, 1, (lane, 0, *n));
                heard(&pushed);
                pushed.is_ok()
            };
            spawn(move || (0..3).filter(push).count())
        })
        .collect();
    let taken_in: usize = pushers.into_iter().map(|pusher| pusher.join().unwrap()).sum();
    assert_eq!((taken_in, queue.waiting()), (QUEUE_MAX, QUEUE_MAX), "as many as there is room for");
    let Taken::Some(items) = queue.take(100, Duration::ZERO) else { panic!("there is something") };
    assert_eq!(items.len(), QUEUE_MAX);
    assert!(items.iter().filter(|item| item.0 == 1).count() <= 3, "one lane fills three quarters at most");
}

/// Nothing else would wake them: a nudge or a close that goes unnoticed is a deadlock.
pub fn a_nudge_and_a_close_wake() {
    time_stands_still(true);
    let queue = Arc::new(Queue::<()>::new(QUEUE_MAX));
    let (woken, wakes) = channel();
    let taker = {
        let queue = Arc::clone(&queue);
        spawn(move || {
            while queue.take(1, FOREVER) != Taken::Over {
                woken.send(()).unwrap();
            }
        })
    };
    for _ in 0..2 {
        queue.nudge();
        wakes.recv().unwrap();
    }
    queue.push(1, 1, ()).unwrap();
    wakes.recv().unwrap();
    // A few are not worth waking up for while a commit is under way; its end is.
    queue.committing(true);
    queue.push(1, 1, ()).unwrap();
    queue.committing(false);
    wakes.recv().unwrap();
    let resting = {
        let queue = Arc::clone(&queue);
        spawn(move || queue.rest(FOREVER))
    };
    assert!(queue.close(), "it was open");
    assert!(!queue.close(), "and then it was not");
    taker.join().unwrap();
    resting.join().unwrap();
}

fn heard(pushed: &Result<(), (NotTaken, Item)>) {
    reached(match pushed {
        Ok(()) => "taken in",
        Err((NotTaken::Full, _)) => "full",
        Err((NotTaken::Closed, _)) => "closed",
    });
}
