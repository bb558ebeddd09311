//! An id that left memory is answered from the database as it would have been from memory.

use proptest::prelude::*;

use crate::ledger::record::Record;
use crate::ledger::*;
use crate::time::Timestamp;

fn hold(n: u8) -> Key {
    Key::of("hold", 1, &n.to_string())
}

fn line(pool: i64, units: i64) -> Line {
    Line { pool: PoolId(pool), quantity: Quantity::new(units).unwrap() }
}

fn reserve(n: u8, lines: Vec<Line>) -> Command {
    let id = Text::new(&n.to_string()).unwrap();
    Command::Reserve { key: hold(n), id, caller: 1, owner: None, lines, ttl_ms: 1_000, gates: Vec::new() }
}

fn cancel(n: u8) -> Command {
    Command::Cancel { hold: hold(n), id: Text::new(&n.to_string()).unwrap(), caller: 1 }
}

fn part(n: u8, lines: Vec<Line>) -> Command {
    Command::Confirm { hold: hold(n), take: Take::Part(lines) }
}

fn all(n: u8) -> Command {
    Command::Confirm { hold: hold(n), take: Take::All }
}

fn extend(n: u8) -> Command {
    Command::Extend { hold: hold(n), until: Timestamp(1_500) }
}

fn open(key: &str, pool: i64, total: u64) -> Command {
    let (key, pool, note) = (Key::of("pool", 1, key), PoolId(pool), Note::default());
    let name = PoolName::new("tea").unwrap();
    Command::direct(key, note, Act::PoolOpen { pool, name, round: 1, total, owner_max: 0 })
}

fn adjust(key: Key, delta: i64) -> Command {
    Command::direct(key, Note::default(), Act::PoolAdjust { pool: PoolId(1), delta })
}

/// What a database would have of an id, taken from the ledger's memory.
fn stored(ledger: &Ledger, key: Key) -> Option<Stored> {
    Some(match &ledger.records[ledger.find(key)?] {
        Record::Hold(hold) => Stored::Hold { view: ledger.hold_view(hold), digest: hold.digest },
        Record::Tombstone { .. } => Stored::Spent,
        Record::Directive { digest, .. } => {
            Stored::Directive { digest: *digest, outcome: Effect::Pool(ledger.pool(PoolId(1))?) }
        }
        Record::Ticket(_) => return None,
    })
}

/// A ledger in which hold 1 was confirmed in part, 2 cancelled, 3 expired, 4 cancelled before it came; 5 is open.
fn lived() -> (Ledger, Timestamp) {
    let mut ledger = Ledger::new(Limits::default());
    let two = || vec![line(1, 3), line(2, 1)];
    for command in [
        open("1", 1, 100),
        open("2", 2, 100),
        reserve(1, two()),
        reserve(2, two()),
        reserve(3, two()),
        part(1, vec![line(1, 2)]),
        cancel(2),
        cancel(4),
        adjust(Key::of("pool", 1, "more"), 5),
    ] {
        assert!(matches!(ledger.apply(Timestamp(0), &command), Answer::Accepted { .. }), "{command:?}");
    }
    let late = Timestamp(2_000);
    assert!(matches!(ledger.apply(late, &Command::ExpireOne), Answer::Accepted { .. }));
    assert!(matches!(ledger.apply(late, &reserve(5, two())), Answer::Accepted { .. }));
    (ledger, late)
}

#[test]
fn what_is_said_of_an_id_that_left() {
    let (ledger, _) = lived();
    let two = || vec![line(1, 3), line(2, 1)];
    let more = Key::of("pool", 1, "more");
    for (command, expected) in [
        (reserve(1, two()), "confirmed again"),
        (reserve(1, vec![line(1, 3)]), "conflict"),
        (part(1, vec![line(1, 2)]), "confirmed again"),
        (part(1, vec![line(1, 1), line(1, 1)]), "confirmed again"),
        (part(1, vec![line(1, 1)]), "already_confirmed"),
        (part(1, vec![line(9, 1)]), "already_confirmed"),
        (part(1, vec![]), "already_confirmed"),
        (all(1), "already_confirmed"),
        (cancel(1), "already_confirmed"),
        (extend(1), "already_confirmed"),
        (reserve(2, two()), "cancelled again"),
        (all(2), "already_cancelled"),
        (cancel(2), "cancelled again"),
        (extend(2), "already_cancelled"),
        (reserve(3, two()), "expired again"),
        (all(3), "expired"),
        (cancel(3), "expired"),
        (extend(3), "expired"),
        (reserve(4, two()), "already_cancelled"),
        (all(4), "already_cancelled"),
        (cancel(4), "already_cancelled"),
        (extend(4), "already_cancelled"),
        (adjust(more, 5), "pool again"),
        (adjust(more, 6), "conflict"),
        (adjust(hold(1), 5), "conflict"),
        (adjust(hold(4), 5), "conflict"),
        // Still open in the database: the ledger has it by now.
        (reserve(5, two()), "ask again"),
        (all(5), "ask again"),
        (cancel(5), "ask again"),
        (extend(5), "ask again"),
    ] {
        let known = stored(&ledger, command.key().unwrap()).unwrap();
        let said = match recall(&known, &command) {
            None => "ask again".to_owned(),
            Some(Answer::Replayed(Effect::Hold(view))) => format!("{:?} again", view.state).to_lowercase(),
            Some(Answer::Replayed(Effect::Pool(_))) => "pool again".to_owned(),
            Some(Answer::Refused(refusal)) => refusal.name().to_owned(),
            Some(other) => panic!("{other:?}"),
        };
        assert_eq!(said, expected, "{command:?}");
    }
    let command = stored(&ledger, more).unwrap();
    assert_eq!(recall(&command, &all(1)), Some(Answer::Refused(Refusal::Hold(HoldRefusal::Unknown))));
    assert_eq!(recall(&command, &cancel(1)), Some(Answer::Refused(Refusal::Hold(HoldRefusal::Unknown))));
    assert_eq!(recall(&command, &reserve(1, two())), Some(Answer::Refused(Refusal::Conflict)));
    assert_eq!(recall(&command, &Command::ExpireOne), None);
}

fn any_command() -> impl Strategy<Value = Command> {
    let lines =
        || prop::collection::vec((1..=2_i64, 1..=3_i64).prop_map(|(pool, units)| line(pool, units)), 0..3);
    let n = || 0..6_u8;
    prop_oneof![
        4 => (n(), lines()).prop_map(|(n, lines)| reserve(n, lines)),
        2 => n().prop_map(all),
        2 => (n(), lines()).prop_map(|(n, lines)| part(n, lines)),
        2 => n().prop_map(cancel),
        1 => n().prop_map(extend),
        1 => Just(Command::ExpireOne),
        1 => (n(), -1..2_i64).prop_map(|(n, delta)| adjust(Key::of("pool", 1, &n.to_string()), delta)),
        // Ids of holds and of commands to pools never meet, but nothing rests on it.
        1 => (n(), -1..2_i64).prop_map(|(n, delta)| adjust(hold(n), delta)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Whatever was lived through and whatever is asked: forgetting changes no answer.
    #[test]
    fn forgetting_changes_no_answer(
        told in prop::collection::vec((any_command(), 0..400_i64), 1..40),
        asked in prop::collection::vec(any_command(), 1..20),
    ) {
        let mut ledger = Ledger::new(Limits::default());
        let mut clock = Timestamp(0);
        for pool in 1..=2 {
            ledger.apply(clock, &open(&format!("open {pool}"), pool, 20));
        }
        for (command, pause) in &told {
            clock = clock + *pause;
            ledger.apply(clock, command);
        }
        let mut forgetful = ledger.clone();
        forgetful.forget(ledger.seq(), usize::MAX);
        for command in told.iter().map(|(command, _)| command).chain(&asked) {
            let remembered = ledger.clone().apply(clock, command);
            let answer = match forgetful.clone().apply(clock, command) {
                Answer::LookUp => {
                    let known = command.key().and_then(|key| stored(&ledger, key)).unwrap();
                    recall(&known, command).unwrap()
                }
                answer => answer,
            };
            prop_assert_eq!(answer, remembered, "{:?}", command);
        }
    }
}
