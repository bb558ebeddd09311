//! Random batches beside the rules on their own: the database says what an account in memory says, posting by posting.

use std::collections::HashMap;

use domain::ids::UserId;
use domain::points::{Amount, Entry, Lot, Move, NEVER, PointsAccount, Target};
use domain::time::Timestamp;
use store::Db;
use store::model::*;

use crate::fixtures::T0;
use crate::points::{fence, statement};

const USERS: u64 = 3;
const BATCHES: u64 = 60;
const BATCH_MAX: u64 = 12;

on_both! {
    random_batches_come_out_as_the_rules_say,
}

/// A small generator of its own, so that a run is a function of its number.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn ms(&mut self, bound: u64) -> i64 {
        i64::try_from(self.below(bound)).unwrap()
    }
}

/// One account as the rules alone make it: whole, and never written down.
#[derive(Default)]
struct Alone {
    account: PointsAccount,
    rows: Vec<Entry>,
    keys: HashMap<String, Entry>,
}

impl Alone {
    fn post(&mut self, posting: &Posting) -> Result<(i64, i64, bool), &'static str> {
        if let Some(first) = self.keys.get(&posting.key) {
            let same = posting.asked.is_of(first);
            return if same { Ok((first.n, first.balance, true)) } else { Err("conflict") };
        }
        let target = match posting.asked {
            Move::Reverse { n } => self.rows.iter().find(|row| row.n == n).map(|row| Target {
                entry: row.clone(),
                reversed: self.rows.iter().any(|other| other.reverses == Some(n)),
            }),
            Move::Credit { .. } | Move::Spend { .. } => None,
        };
        let decided = self.account.decide(&posting.asked, target.as_ref(), posting.at);
        let entries = decided.map_err(|rejection| rejection.code())?;
        for entry in &entries {
            self.fold(entry);
        }
        let last = entries.last().unwrap().clone();
        self.keys.insert(posting.key.clone(), last.clone());
        Ok((last.n, last.balance, false))
    }

    fn fold(&mut self, entry: &Entry) {
        self.account.fold(entry);
        self.rows.push(entry.clone());
    }

    fn expire(&mut self, at: Timestamp) -> u64 {
        let expired = self.account.expire(at);
        if let Some(entry) = &expired {
            self.fold(entry);
        }
        u64::from(expired.is_some())
    }

    fn left(&self) -> Vec<(Timestamp, i64)> {
        left(&self.account.lots.iter().map(|(at, lot)| (*at, *lot)).collect::<Vec<_>>())
    }
}

fn left(lots: &[(Timestamp, Lot)]) -> Vec<(Timestamp, i64)> {
    lots.iter().filter(|(_, lot)| lot.left > 0).map(|(expires, lot)| (*expires, lot.left)).collect()
}

fn batch(dice: &mut Dice, at: Timestamp) -> Vec<Posting> {
    let one = |dice: &mut Dice| {
        let amount = Amount::new(1 + dice.ms(30)).unwrap();
        // Moments that several credits share, some of them past.
        let expires = [Timestamp((at.0 / 20 + dice.ms(4)) * 20), NEVER][usize::from(dice.below(4) == 0)];
        let asked = match dice.below(10) {
            0..=4 => Move::Credit { amount, expires },
            5..=7 => Move::Spend { amount },
            _ => Move::Reverse { n: 1 + dice.ms(60) },
        };
        Posting {
            user: UserId(1 + dice.ms(USERS)),
            asked,
            key: format!("k:{}", dice.below(400)),
            reason: String::new(),
            at: at + dice.ms(3),
        }
    };
    (0..=dice.below(BATCH_MAX)).map(|_| one(dice)).collect()
}

async fn random_batches_come_out_as_the_rules_say(db: &Db) {
    let fence = fence(db).await;
    let (mut dice, mut at) = (Dice(2_026), T0);
    let mut alone: Vec<Alone> = (0..USERS).map(|_| Alone::default()).collect();
    for number in 0..BATCHES {
        at = at + dice.ms(15);
        let postings = batch(&mut dice, at);
        let expected: Vec<_> = postings
            .iter()
            .map(|posting| alone[usize::try_from(posting.user.0 - 1).unwrap()].post(posting))
            .collect();
        let answers = db.points_post(postings.clone()).await.unwrap();
        let answers: Vec<_> = answers
            .into_iter()
            .map(|answer| match answer {
                Ok(PostedEntry { n, balance, replayed, .. }) => Ok((n, balance, replayed)),
                Err(rejection) => Err(rejection.code()),
            })
            .collect();
        assert_eq!(answers, expected, "batch {number}: {postings:#?}");
        if number % 7 == 0 {
            let expected: u64 = alone.iter_mut().map(|alone| alone.expire(at)).sum();
            assert_eq!(db.points_expire(fence.clone(), at, 99).await.unwrap(), expected, "after {number}");
        }
    }
    for (user, alone) in (1..).map(UserId).zip(&alone) {
        let rows: Vec<_> = statement(db, user).await.into_iter().map(|row| row.entry).collect();
        let told = |row: &Entry| (row.n, row.kind, row.delta, row.reverses, row.expires);
        assert_eq!(
            rows.iter().map(told).collect::<Vec<_>>(),
            alone.rows.iter().map(told).collect::<Vec<_>>()
        );
        let account = db.points_of(user).await.unwrap();
        let lots: Vec<_> = account.lots.into_iter().collect();
        assert_eq!((left(&lots), account.next), (alone.left(), alone.account.next));
        assert!(rows.len() > 50, "the dice did little: {}", rows.len());
    }
}
