//! A receipt as a player may have kept it: two words, or the JSON that a draw, a list of draws or a proof answered; given
//! as it is, in a file, or on standard input.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context as _, bail};
use domain::hex::unhex;
use domain::lottery::chain::{ChainLink, Receipt};
use serde_json::Value;

/// Bytes of a receipt at most: a proof with a large strategy.
const RECEIPT_BYTES_MAX: u64 = 64 * 1024 * 1024;

pub fn read(given: &str) -> anyhow::Result<Receipt> {
    if given == "-" {
        return parse(&text(std::io::stdin(), "standard input")?);
    }
    match parse(given) {
        Ok(receipt) => Ok(receipt),
        Err(_) if Path::new(given).is_file() => {
            let file = File::open(given).with_context(|| format!("{given} cannot be read"))?;
            parse(&text(file, given)?)
        }
        Err(error) => Err(error),
    }
}

fn text(from: impl Read, name: &str) -> anyhow::Result<String> {
    let mut text = String::new();
    from.take(RECEIPT_BYTES_MAX)
        .read_to_string(&mut text)
        .with_context(|| format!("{name} cannot be read"))?;
    Ok(text)
}

fn parse(text: &str) -> anyhow::Result<Receipt> {
    let words: Vec<&str> = text.split([' ', ':', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect();
    let found = match words.as_slice() {
        [place, link] => place.parse().ok().zip(unhex(link)),
        _ => serde_json::from_str(text).ok().as_ref().and_then(in_json),
    };
    match found {
        Some((place, link)) if place > 0 => Ok(Receipt { place, link: ChainLink(link) }),
        _ => bail!(
            "receipt_unreadable: a receipt is its place and its link, such as `3 9f86d0…`, or the JSON that the draw \
             answered"
        ),
    }
}

/// The receipt itself, or what has one.
fn in_json(value: &Value) -> Option<(u64, [u8; 32])> {
    let value = value.get("receipt").unwrap_or(value);
    Some((value.get("place")?.as_u64()?, unhex(value.get("link")?.as_str()?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receipt_is_read_however_it_was_kept() {
        let link = "ab".repeat(32);
        for (text, right) in [
            (format!("3 {link}"), true),
            (format!("3:{link}\n"), true),
            (format!("{{\"place\":3,\"link\":\"{link}\"}}"), true),
            (format!("{{\"draws\":[],\"receipt\":{{\"place\":3,\"link\":\"{link}\"}}}}"), true),
            (format!("0 {link}"), false),
            (format!("3 {link}00"), false),
            (format!("3 {link} 4"), false),
            ("{}".to_owned(), false),
            (String::new(), false),
        ] {
            let expected = right.then_some(Receipt { place: 3, link: ChainLink([0xab; 32]) });
            assert_eq!(parse(&text).ok(), expected, "{text}");
        }
    }
}
