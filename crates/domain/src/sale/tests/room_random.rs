//! The waiting room under random lives: whoever is let in was the lowest number that was there, and nobody twice.

use std::collections::{BTreeMap, HashMap, HashSet};

use proptest::prelude::*;

use crate::ids::UserId;
use crate::sale::room::{Conditions, JoinOutcome, QueuePosition, ServerLoad, TICK_MS, WaitingRoom};
use crate::time::Timestamp;

#[derive(Clone, Debug)]
enum Do {
    Join(i64),
    /// With the place they kept, if they have one.
    Show(i64),
    Leave(i64),
    Tick {
        free: u64,
        health: ServerLoad,
    },
    Restart,
}

fn steps() -> impl Strategy<Value = Vec<Do>> {
    let user = 0..40_i64;
    let health = prop_oneof![Just(ServerLoad::Good), Just(ServerLoad::Busy), Just(ServerLoad::Stuck)];
    let step = prop_oneof![
        4 => user.clone().prop_map(Do::Join),
        2 => user.clone().prop_map(Do::Show),
        1 => user.prop_map(Do::Leave),
        4 => (0..20_u64, health).prop_map(|(free, health)| Do::Tick { free, health }),
        1 => Just(Do::Restart),
    ];
    prop::collection::vec(step, 1..200)
}

proptest! {
    #[test]
    fn in_order_and_once(steps in steps()) {
        let mut room = WaitingRoom::default();
        let mut next = 1;
        let mut now = Timestamp(1_000_000);
        // What clients hold: the lowest number they were told of and have not used, and all numbers ever given.
        let mut kept: HashMap<i64, i64> = HashMap::new();
        let mut given: HashMap<i64, i64> = HashMap::new();
        let mut inside: HashSet<i64> = HashSet::new();
        for step in steps {
            match step {
                Do::Join(user) | Do::Show(user) => {
                    let shown = if matches!(step, Do::Show(_)) { kept.get(&user).copied() } else { None };
                    let mut joined = room.join(UserId(user), shown, now);
                    if joined == JoinOutcome::NeedsNumbers {
                        room.supply(next..next + 3);
                        next += 3;
                        joined = room.join(UserId(user), shown, now);
                    }
                    let JoinOutcome::Stands(standing) = joined else { panic!("{joined:?}") };
                    let number = match standing {
                        QueuePosition::Waiting { number, .. } | QueuePosition::Admitted { number, .. } => number,
                        QueuePosition::Nowhere => panic!("they have just come"),
                    };
                    prop_assert_eq!(*given.entry(number).or_insert(user), user, "a number is one person's");
                    kept.insert(user, number);
                }
                Do::Leave(user) => {
                    room.leave(UserId(user), now);
                    inside.remove(&user);
                }
                Do::Tick { free, health } => {
                    now = now + TICK_MS;
                    let waited: BTreeMap<i64, i64> = (0..40)
                        .filter_map(|user| match room.look(UserId(user), now) {
                            QueuePosition::Waiting { number, .. } => Some((number, user)),
                            QueuePosition::Admitted { .. } | QueuePosition::Nowhere => None,
                        })
                        .collect();
                    room.tick(now, Conditions { open: true, per_second: 6, free, held: 0, health });
                    let mut last_inside = None;
                    let mut first_waiting = None;
                    for (number, user) in &waited {
                        match room.look(UserId(*user), now) {
                            QueuePosition::Admitted { number: same, .. } => {
                                prop_assert_eq!(same, *number);
                                prop_assert!(inside.insert(*user), "let in twice");
                                last_inside = Some(*number);
                            }
                            QueuePosition::Waiting { number: same, ahead } => {
                                prop_assert_eq!(same, *number);
                                first_waiting = first_waiting.or(Some(*number));
                                let before = waited.range(..number).filter(|(_, user)| !inside.contains(user)).count();
                                prop_assert_eq!(ahead, before as u64, "how many are before one");
                            }
                            QueuePosition::Nowhere => prop_assert!(false, "nobody is lost"),
                        }
                    }
                    if let (Some(last), Some(first)) = (last_inside, first_waiting) {
                        prop_assert!(last < first, "{last} was let in before {first}");
                    }
                    inside.retain(|user| matches!(room.look(UserId(*user), now), QueuePosition::Admitted { .. }));
                    if health == ServerLoad::Stuck {
                        prop_assert!(last_inside.is_none());
                    }
                }
                Do::Restart => {
                    room = WaitingRoom::default();
                    room.tick(now, Conditions { open: true, per_second: 6, free: 0, held: 1, health: ServerLoad::Good });
                    inside.clear();
                }
            }
        }
    }
}
