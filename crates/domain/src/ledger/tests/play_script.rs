//! The rows about activities, chances and tickets.
//!
//! ```text
//! activity a 0..900 total 3 [month 2] [day 1] [entries p] [round 2] [#k]  -> open
//! pause a, resume a, end a
//! grant a ann 2 [#k]                       -> granted 2 (what is there now)
//! ticket t a ann [x 10] [on 20240101] [round 2]  -> ticket 0..1 open   (the numbers of its draws)
//! settle t p:1 as prize                    -> ticket 0..1 prize
//! player a ann                             -> bonus 2 used 1 draws 1 [open]
//! ```
//! A ticket is taken on the first of January 2024 unless `on` says otherwise; `on yesterday` is a day that is over.

use super::script::Script;
use crate::ids::{ActivityId, UserId};
use crate::ledger::play::*;
use crate::ledger::{Key, Ledger, Note};
use crate::time::Timestamp;

pub fn word(outcome: &PlayOutcome) -> String {
    match outcome {
        PlayOutcome::Activity(view) => format!("{:?}", view.state).to_lowercase(),
        PlayOutcome::Chances { account, .. } => format!("granted {}", account.bonus),
        PlayOutcome::Ticket(view) => {
            let settlement = view
                .settlement
                .as_ref()
                .map_or("open", |settlement| std::str::from_utf8(settlement.bytes()).unwrap());
            format!("ticket {}..{} {settlement}", view.first, view.first + view.draws.count())
        }
    }
}

pub fn player(ledger: &Ledger, activity: &str, user: &str) -> String {
    let Some((PlayOutcome::Chances { account, .. }, open)) =
        ledger.player(activity_id(activity), user_id(user))
    else {
        return "nobody".to_owned();
    };
    let open = if open.is_some() { " open" } else { "" };
    format!("bonus {} used {} draws {}{open}", account.bonus, account.used, account.draws)
}

pub fn command(script: &mut Script, words: &[&str], key: Key) -> Play {
    let after = |word: &str| words.iter().position(|w| *w == word).map(|at| words[at + 1]);
    let number = |word: &str, default: u32| after(word).map_or(default, |text| text.parse().unwrap());
    let (activity, note) = (activity_id(words[1]), Note::default());
    let state = |state| Play::ActivityState { key, activity, state, note: Note::default() };
    match words[0] {
        "activity" => {
            let (from, until) = words[2].split_once("..").unwrap();
            let time = |text: &str| Timestamp(text.parse().unwrap());
            let limits =
                ChanceLimits { total: number("total", 0), month: number("month", 0), day: number("day", 0) };
            let entries = after("entries").map(|pool| script.pool(pool));
            let terms = Terms { from: time(from), until: time(until), entries, limits };
            Play::ActivityOpen { key, activity, round: number("round", 1), terms, note }
        }
        "pause" => state(ActivityState::Paused),
        "resume" => state(ActivityState::Open),
        "end" => state(ActivityState::Closed),
        "grant" => {
            Play::Grant { key, activity, user: user_id(words[2]), chances: words[3].parse().unwrap(), note }
        }
        "ticket" => Play::Take {
            key: ticket(words[1]),
            activity: activity_id(words[2]),
            round: number("round", 1),
            user: user_id(words[3]),
            draws: Draws::new(number("x", 1)).unwrap(),
            day: match after("on") {
                Some("yesterday") => Day { number: 20_231_231, from: Timestamp(-9), until: Timestamp(0) },
                Some(day) => all_day(day.parse().unwrap()),
                None => all_day(20_240_101),
            },
        },
        "settle" => Play::Settle {
            ticket: ticket(words[1]),
            takes: script.lines(words[2]),
            settlement: Settlement::new(after("as").unwrap_or("miss").as_bytes()).unwrap(),
        },
        other => panic!("no such command: {other}"),
    }
}

fn all_day(number: u32) -> Day {
    Day { number, from: Timestamp(0), until: Timestamp(i64::MAX) }
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
