//! The rows about activities, chances and tickets.
//!
//! ```text
//! activity a 0..900 total 3 [month 2] [day 1] [entries p] [round 2] [#k]  -> open
//! pause a, resume a, end a
//! grant a ann 2 [#k]                       -> granted 2 (what is there now)
//! revoke a ann 2 [#k]                      -> granted 0 (what is there now)
//! enter t a ann [x 10] [on 20240101] [round 2]  -> entered 0..1   (the numbers of its entries)
//! player a ann                             -> bonus 2 used 1 draws 1
//! activity a 0..900 total 3 plays gold [version 2]  an activity with something to draw from (`decks.rs`)
//! terms a 0..900 total 3 plays gold version 2       -> open   (a newer version, within the round)
//! draw t a ann [x 10] [with ab] [blocked] [version 2] -> drawn 0..2 gold -   (a dash is a miss)
//! withdraw a 1, restore a 1, halt, go      a prize by its id; the switch for everything
//! ```
//! A ticket is made on the first of January 2024 unless `on` says otherwise; `on yesterday` is a day that is over.

use super::decks;
use super::script::Script;
use crate::ids::{ActivityId, UserId};
use crate::ledger::play::*;
use crate::ledger::{Act, Command, Key, Ledger, MustRun, Note};
use crate::lottery::random::ClientValue;
use crate::lottery::record::{Record, RecordedDraw};
use crate::lottery::strategy::PrizeId;
use crate::time::Timestamp;

pub fn word(outcome: &PlayOutcome) -> String {
    match outcome {
        PlayOutcome::Activity(view) => format!("{:?}", view.state).to_lowercase(),
        PlayOutcome::Chances { account, .. } => format!("granted {}", account.bonus),
        PlayOutcome::Halt { on } => if *on { "halted" } else { "going" }.to_owned(),
        PlayOutcome::Ticket { ticket: view, .. } if view.receipt.is_some() => drawn(view),
        PlayOutcome::Ticket { ticket: view, .. } => {
            format!("entered {}..{}", view.first, view.first + view.draws.count())
        }
    }
}

/// The prizes of a ticket by the names that `decks.rs` gives them.
fn drawn(view: &TicketView) -> String {
    let record = Record::decode(view.settlement.bytes()).unwrap();
    let prize = |draw: &RecordedDraw| draw.drawn.prize.map_or("-", decks::name);
    let prizes: Vec<&str> = record.draws.iter().map(prize).collect();
    format!("drawn {}..{} {}", view.first, view.first + view.draws.count(), prizes.join(" "))
}

pub fn player(ledger: &Ledger, activity: &str, user: &str) -> String {
    let (_, account) =
        ledger.player(activity_id(activity), user_id(user)).expect("an activity that is known");
    format!("bonus {} used {} draws {}", account.bonus, account.used, account.draws)
}

pub fn command(script: &mut Script, words: &[&str], key: Key) -> Command {
    let after = |word: &str| words.iter().position(|w| *w == word).map(|at| words[at + 1]);
    let number = |word: &str, default: u32| after(word).map_or(default, |text| text.parse().unwrap());
    let note = Note::default();
    if let "halt" | "go" = words[0] {
        return Command::direct(key, note, Act::Halt { on: words[0] == "halt" });
    }
    let activity = activity_id(words[1]);
    let state = |state| Command::direct(key, Note::default(), Act::ActivityState { activity, state });
    match words[0] {
        "activity" | "terms" => {
            let (from, until) = words[2].split_once("..").unwrap();
            let time = |text: &str| Timestamp(text.parse().unwrap());
            let limits =
                ChanceLimits { total: number("total", 0), month: number("month", 0), day: number("day", 0) };
            let entries = after("entries").map(|pool| script.pool(pool));
            let (from, until) = (time(from), time(until));
            let (round, version) = (number("round", 1), number("version", 1));
            let table = after("plays").map(|name| decks::table(script, name, activity, round, version));
            let begin = table.map(|table| table.begin());
            let terms = Terms { version, from, until, entries, limits, begin };
            if words[0] == "terms" {
                return Command::direct(key, note, Act::ActivityTerms { activity, round, terms });
            }
            Command::direct(key, note, Act::ActivityOpen { activity, round, terms })
        }
        "withdraw" | "restore" => {
            let prize = PrizeId::new(words[2].parse().unwrap()).unwrap();
            Command::direct(key, note, Act::PrizeState { activity, prize, withdrawn: words[0] == "withdraw" })
        }
        "draw" => {
            let (activity, round) = (activity_id(words[2]), number("round", 1));
            let name = after("from").unwrap_or("gold");
            Command::Draw(Box::new(Draw {
                key: ticket(words[1]),
                activity,
                round,
                user: user_id(words[3]),
                draws: Draws::new(number("x", 1)).unwrap(),
                day: day(after("on")),
                client: after("with").map(|byte| ClientValue([u8::from_str_radix(byte, 16).unwrap(); 16])),
                standing: PlayerFacts { blocked: words.contains(&"blocked"), ..PlayerFacts::default() },
                table: decks::table(script, name, activity, round, number("version", 1)),
            }))
        }
        "enter" => Command::Enter {
            key: ticket(words[1]),
            activity: activity_id(words[2]),
            round: number("round", 1),
            user: user_id(words[3]),
            entries: Draws::new(number("x", 1)).unwrap(),
            day: day(after("on")),
        },
        "pause" => state(ActivityState::Paused),
        "resume" => state(ActivityState::Open),
        "end" => state(ActivityState::Closed),
        "grant" => Command::direct(
            key,
            note,
            Act::Grant { activity, user: user_id(words[2]), chances: words[3].parse().unwrap() },
        ),
        "revoke" => Command::direct(
            key,
            note,
            Act::Revoke { activity, user: user_id(words[2]), chances: words[3].parse().unwrap() },
        ),
        other => panic!("no such command: {other}"),
    }
}

/// `a,b/2/3`: activities, each with its round and version, 1 unless said.
pub fn gates(text: &str) -> Vec<MustRun> {
    let gate = |part: &str| {
        let mut words = part.split('/');
        let activity = activity_id(words.next().unwrap());
        let mut number = || words.next().map_or(1, |text| text.parse().unwrap());
        MustRun { activity, round: number(), version: number() }
    };
    text.split(',').map(gate).collect()
}

fn day(word: Option<&str>) -> Day {
    let all_day = |number| Day { number, from: Timestamp(0), until: Timestamp(i64::MAX) };
    match word {
        Some("yesterday") => Day { number: 20_231_231, from: Timestamp(-9), until: Timestamp(0) },
        Some(day) => all_day(day.parse().unwrap()),
        None => all_day(20_240_101),
    }
}

fn ticket(name: &str) -> Key {
    Key::of("ticket", 1, name)
}

/// The letters of a name as a number.
fn numbered(name: &str) -> i64 {
    name.bytes().fold(0, |number, byte| number * 256 + i64::from(byte))
}

fn activity_id(name: &str) -> ActivityId {
    ActivityId(numbered(name))
}

fn user_id(name: &str) -> UserId {
    UserId(numbered(name))
}
