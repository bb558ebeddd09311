//! Runs the stories against a ledger, and says which were left out.

use std::time::Instant;

use domain::ledger::Effect;

use super::row::{Names, counters, word};
use super::stories::{STORIES, Story};
use super::subject::{Subject, ask};
use crate::model::Said;
use crate::wait::PATIENCE;

/// What became of the stories.
#[derive(Debug, Default)]
pub struct Report {
    pub ran: usize,
    /// Each with the verb that the ledger lacks.
    pub left_out: Vec<(&'static str, &'static str)>,
}

/// Runs every story the ledger knows the verbs of, one after the other, in the same ledger. What is left out is in the
/// report, for the caller to judge.
///
/// # Panics
/// When a row answers otherwise than it should.
pub async fn check(subject: &mut dyn Subject) -> Report {
    let mut report = Report::default();
    for (number, story) in STORIES.iter().enumerate() {
        let lacks = subject.lacks();
        if let Some(verb) = verbs(story).into_iter().find(|verb| lacks.contains(verb)) {
            report.left_out.push((story.name, verb));
            continue;
        }
        run(number, story, subject).await;
        report.ran += 1;
    }
    report
}

/// Every verb a story uses.
pub fn verbs(story: &Story) -> Vec<&'static str> {
    let commands = rows(story).flat_map(|(row, _)| row.split(';'));
    commands.filter_map(|command| command.split_whitespace().next()).collect()
}

/// Rows with their expected answers; comments and blank lines are gone.
fn rows(story: &Story) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
    let lines = story.rows.lines().map(|line| line.split("//").next().unwrap_or("").trim());
    let split =
        |row: &'static str| row.split_once("->").map_or((row, ""), |(row, to)| (row.trim(), to.trim()));
    lines.filter(|line| !line.is_empty()).map(split)
}

async fn run(number: usize, story: &Story, subject: &mut dyn Subject) {
    let mut names = Names::new(number);
    for (row, expected) in rows(story) {
        let words: Vec<&str> = row.split_whitespace().collect();
        let got = match words.as_slice() {
            ["pass", ms] => {
                subject.pass(ms.parse().expect("milliseconds")).await;
                String::new()
            }
            ["restart"] => {
                subject.restart().await;
                String::new()
            }
            ["pool", name] => pool(subject, &mut names, name).await,
            ["hold", name] => hold(subject, &names, name).await,
            ["swept", name] => swept(subject, &mut names, name, expected).await,
            _ => commands(subject, &mut names, row).await,
        };
        assert_eq!(got, expected, "{}: {row}", story.name);
    }
}

async fn commands(subject: &mut dyn Subject, names: &mut Names, row: &str) -> String {
    let now = subject.now().await;
    // A repetition of a pool's command whose id has left memory tells of the pool as the database has it.
    subject.caught_up().await;
    let commands: Vec<_> = row.split(';').map(|row| names.command(row, now)).collect();
    let answers = ask(subject.stock(), commands).await;
    answers.iter().map(word).collect::<Vec<_>>().join("; ")
}

async fn pool(subject: &mut dyn Subject, names: &mut Names, name: &str) -> String {
    subject.caught_up().await;
    let view = subject.stock().pool(names.pool(name)).await.expect("a pool can be read");
    counters(view.as_ref())
}

async fn hold(subject: &mut dyn Subject, names: &Names, name: &str) -> String {
    subject.caught_up().await;
    let view = subject.stock().hold(names.hold(name)).await.expect("a hold can be read");
    view.map_or_else(|| "none".to_owned(), |view| Said::Accepted(Effect::Hold(view)).name())
}

/// Expiry comes late, so it is waited for.
async fn swept(subject: &mut dyn Subject, names: &mut Names, name: &str, expected: &str) -> String {
    let started = Instant::now();
    loop {
        subject.sweep().await;
        let got = pool(subject, names, name).await;
        if got == expected || started.elapsed() > PATIENCE {
            return got;
        }
        tokio::task::yield_now().await;
    }
}
