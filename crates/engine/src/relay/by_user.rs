//! Messages of many users side by side, those of one user one after the other.

use std::collections::HashMap;
use std::future::Future;

use futures::StreamExt;
use futures::stream;
use store::model::Message;

use crate::relay::HandlerOutcome;

/// Handles each message by itself, at most so many at once. Once a message of a user is to be tried again, that user's
/// later ones are left alone. A message of nobody's waits for no other.
pub async fn by_user<'m, F>(
    batch: &'m [Message],
    at_once: usize,
    handle: impl Fn(&'m Message) -> F,
) -> Vec<HandlerOutcome>
where
    F: Future<Output = HandlerOutcome>,
{
    let mut queues: Vec<Vec<usize>> = Vec::new();
    let mut of_user = HashMap::new();
    for (at, message) in batch.iter().enumerate() {
        let fresh = queues.len();
        let queue = message.user.map_or(fresh, |user| *of_user.entry(user).or_insert(fresh));
        if queue == fresh {
            queues.push(Vec::new());
        }
        if let Some(queue) = queues.get_mut(queue) {
            queue.push(at);
        }
    }
    let handle = &handle;
    let one_user = |queue: Vec<usize>| async move {
        let mut came = Vec::with_capacity(queue.len());
        for at in queue {
            let Some(message) = batch.get(at) else { continue };
            let handled = handle(message).await;
            let stop = matches!(handled, HandlerOutcome::Again(_) | HandlerOutcome::Kept);
            came.push((at, handled));
            if stop {
                break;
            }
        }
        came
    };
    let mut all = vec![HandlerOutcome::Kept; batch.len()];
    let mut users = stream::iter(queues).map(one_user).buffer_unordered(at_once.max(1));
    while let Some(came) = users.next().await {
        for (at, handled) in came {
            if let Some(place) = all.get_mut(at) {
                *place = handled;
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use domain::ids::UserId;
    use domain::time::Timestamp;
    use futures::FutureExt;

    use super::*;

    fn message(id: i64, user: i64) -> Message {
        Message {
            id,
            lane: "l".to_owned(),
            due: Timestamp(0),
            user: (user != 0).then_some(UserId(user)),
            attempts: 0,
            kind: "k".to_owned(),
            subject: id,
            body: String::new(),
            made: Timestamp(0),
        }
    }

    #[test]
    fn a_user_waits_for_their_own_and_for_nobody_elses() {
        let batch: Vec<Message> = [(1, 7), (2, 8), (3, 7), (4, 0), (5, 0), (6, 7), (7, 8)]
            .map(|(id, user)| message(id, user))
            .into();
        for at_once in [0, 1, 3, 100] {
            let seen = Mutex::new(Vec::new());
            let handle = |message: &Message| {
                seen.lock().unwrap().push(message.id);
                let handled = match message.id {
                    3 | 4 => HandlerOutcome::Again("busy".to_owned()),
                    2 => HandlerOutcome::Dead("poison".to_owned()),
                    _ => HandlerOutcome::Done,
                };
                async move { handled }
            };
            let got = by_user(&batch, at_once, handle).now_or_never().expect("nothing waits here");
            let again = HandlerOutcome::Again("busy".to_owned());
            let dead = HandlerOutcome::Dead("poison".to_owned());
            assert_eq!(
                got,
                [
                    HandlerOutcome::Done,
                    dead,
                    again.clone(),
                    again,
                    HandlerOutcome::Done,
                    HandlerOutcome::Kept,
                    HandlerOutcome::Done
                ],
                "{at_once}"
            );
            let mut seen = seen.into_inner().unwrap();
            assert!(!seen.contains(&6), "the later one of a user who waits was not tried");
            let of_seven: Vec<i64> = seen.iter().copied().filter(|id| [1, 3].contains(id)).collect();
            assert_eq!(of_seven, [1, 3], "in order");
            seen.sort_unstable();
            assert_eq!(seen, [1, 2, 3, 4, 5, 7]);
        }
    }
}
