//! What was published is enough to draw again, and whatever was changed is found.

use std::num::NonZeroUsize;

use engine::draws::verification::{Unverified, verify};

use super::fixtures::*;
use crate::activities::world::Stage;

/// `raffles, winners`, or what is not right.
fn checked(text: &str) -> Result<(u64, u64), &'static str> {
    match verify(text.as_bytes(), NonZeroUsize::MIN, |_| {}) {
        Ok(verified) => Ok((verified.raffles, verified.winners)),
        Err(Unverified::Found { found, .. }) => Err(found.finding.name()),
        Err(Unverified::Unreadable(error)) => panic!("{error}"),
    }
}

/// The last line that begins like this, with another last character.
fn changed(text: &str, word: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = lines.iter_mut().rev().find(|line| line.starts_with(word)).unwrap();
    let last = line.pop().unwrap();
    line.push(if last == '1' { '2' } else { '1' });
    lines.join("\n") + "\n"
}

fn without(text: &str, word: &str) -> String {
    text.lines().filter(|line| !line.starts_with(word)).map(|line| format!("{line}\n")).collect()
}

#[tokio::test]
async fn whatever_was_changed_is_found() {
    let stage = Stage::new().await;
    let id = open(&stage, content(Some(BEACON), &[1, 5])).await;
    enter_many(&stage, id, 60).await;
    drawn(&stage, id, Some(VALUE)).await;
    let text = export(stage, id).await;
    let ends_short = text.replace("end 6", "end 5");
    for (what, text, expected) in [
        ("nothing", text.clone(), Ok((1, 6))),
        ("the last winner", changed(&text, "winner "), Err("winner_mismatch")),
        ("somebody's entries", changed(&text, "roll "), Err("roll_mismatch")),
        ("the secret", changed(&text, "secret "), Err("secret_mismatch")),
        ("the beacon", changed(&text, "beacon "), Err("winner_mismatch")),
        ("no beacon", without(&text, "beacon "), Err("beacon_missing")),
        ("no secret", without(&text, "secret "), Err("secret_missing")),
        ("the roll's hash", changed(&text, "raffle "), Err("roll_mismatch")),
        ("how many won", ends_short, Err("count_mismatch")),
    ] {
        assert_eq!(checked(&text), expected, "{what}");
    }
}

/// What is not drawn says so, and gives nothing away.
#[tokio::test]
async fn an_export_before_the_drawing_has_no_secret() {
    let stage = Stage::new().await;
    let id = open(&stage, content(None, &[1])).await;
    enter_many(&stage, id, 3).await;
    stage.set(UNTIL_MS);
    reach(&stage, id, 1, engine::draws::raffle::RaffleState::RollPublished).await;
    let text = export(stage, id).await;
    let told = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>();
    let sealed = format!("sealed {id} 1 1 6");
    assert_eq!(told, ["windfall-export 1", &sealed, "total 0 0 1"], "{text}");
    assert!(text.contains("# round 1 is not drawn yet\n"), "{text}");
    assert_eq!(checked(&text), Ok((0, 0)));
}
