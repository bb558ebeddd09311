//! One line of an export after the other, each with its end.

use std::fmt::Write;

use super::hex;
use super::line::{SealedRound, Total};
use crate::ids::ActivityId;
use crate::lottery::chain::{PublishedChain, Receipt};
use crate::raffle::{Roll, Winner};

/// The first line of every export.
pub const HEAD: &str = "windfall-export 1";
/// Bytes of a roll in one line: a long roll is written in pieces.
const ROLL_PIECE: usize = 32 * 1024;

pub fn head(out: &mut String) {
    line(out, format_args!("{HEAD}"));
}

/// Begins the chain of one (activity, round, strategy version).
pub fn published(out: &mut String, published: &PublishedChain) {
    let PublishedChain { activity, round, version, commitment, strategy } = published;
    let _ = write!(out, "published {activity} {round} {version} ");
    hex::write(out, &commitment.0);
    out.push(' ');
    hex::write(out, &strategy.0);
    out.push('\n');
}

/// The strategy as it is encoded.
pub fn strategy(out: &mut String, bytes: &[u8]) {
    write_word(out, "strategy ", bytes);
}

/// The rule tree that the records' paths lead through, in its published form.
pub fn tree(out: &mut String, id: i64, version: u32, bytes: &[u8]) {
    let _ = write!(out, "tree {id} {version} ");
    hex::write(out, bytes);
    out.push('\n');
}

pub fn secret(out: &mut String, secret: &[u8; 32]) {
    write_word(out, "secret ", secret);
}

/// A ticket's record at its place in the chain.
pub fn record(out: &mut String, receipt: &Receipt, bytes: &[u8]) {
    let _ = write!(out, "record {} ", receipt.place);
    hex::write(out, &receipt.link.0);
    out.push(' ');
    hex::write(out, bytes);
    out.push('\n');
}

/// Ends a chain after so many records, or a raffle after so many winners.
pub fn end(out: &mut String, count: u64) {
    line(out, format_args!("end {count}"));
}

/// Begins a raffle: what was published before the drawing.
pub fn raffle(
    out: &mut String,
    activity: ActivityId,
    round: u32,
    commitment: &[u8; 32],
    roll_hash: &[u8; 32],
) {
    let _ = write!(out, "raffle {activity} {round} ");
    hex::write(out, commitment);
    out.push(' ');
    hex::write(out, roll_hash);
    out.push('\n');
}

pub fn roll(out: &mut String, roll: &Roll) {
    roll_bytes(out, &roll.encode());
}

/// A stretch of an encoded roll.
pub fn roll_bytes(out: &mut String, bytes: &[u8]) {
    bytes.chunks(ROLL_PIECE).for_each(|piece| write_word(out, "roll ", piece));
}

/// The beacon's value, byte by byte as it was made public.
pub fn beacon(out: &mut String, value: &[u8]) {
    write_word(out, "beacon ", value);
}

pub fn winner(out: &mut String, winner: &Winner) {
    line(out, format_args!("winner {} {} {}", winner.prize, winner.place, winner.seat));
}

/// A round whose secret is not revealed yet.
pub fn sealed(out: &mut String, sealed: &SealedRound) {
    let SealedRound { activity, round, versions, draws } = sealed;
    let versions: Vec<String> = versions.iter().map(u32::to_string).collect();
    line(out, format_args!("sealed {activity} {round} {} {draws}", versions.join(",")));
}

/// The last line of every export: without it, it was cut off.
pub fn total(out: &mut String, total: Total) {
    line(out, format_args!("total {} {} {}", total.chains, total.raffles, total.sealed));
}

/// For people: a program reads over it.
pub fn remark(out: &mut String, text: &str) {
    line(out, format_args!("# {}", text.replace('\n', " ")));
}

fn write_word(out: &mut String, word: &str, bytes: &[u8]) {
    out.push_str(word);
    hex::write(out, bytes);
    out.push('\n');
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
    out.push('\n');
}
