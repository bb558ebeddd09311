//! Postings: each carried out or refused for itself, in order, on locked accounts.
//!
//! A batch asks each table once per posting and writes each account once, however many postings it has.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::Rejection;
use domain::ids::UserId;
use domain::points::{Entry, Move, Target};
use domain::time::Timestamp;

use super::book::Book;
use super::columns::entry;
use crate::each::all_each;
use crate::failure::{Fault, Result};
use crate::model::{PointsGive, PostedEntry, Posting};
use crate::row::Row;
use crate::steps::outbox;
use crate::tx::Tx;
use crate::value::Value;

/// One posting, inside the caller's transaction. A refusal is an error: the caller's transaction ends with it unless the
/// caller says otherwise.
pub(crate) async fn post(tx: &Tx<'_>, posting: &Posting) -> Result<PostedEntry> {
    let posted = post_all(tx, std::slice::from_ref(posting)).await?.pop();
    Ok(posted.ok_or_else(|| Fault::new("a posting without an answer"))??)
}

/// Many postings, inside the caller's transaction. What is refused leaves nothing behind and stops nothing else.
pub(crate) async fn post_all(
    tx: &Tx<'_>,
    postings: &[Posting],
) -> Result<Vec<Result<PostedEntry, Rejection>>> {
    let users: BTreeSet<UserId> = postings.iter().map(|posting| posting.user).collect();
    let users: Vec<UserId> = users.into_iter().collect();
    let mut book = Book::open(tx, &users).await?;
    // Only now: what was asked before the lock may have changed.
    let mut known = Known::read(tx, postings).await?;
    let needy = find_lot_owners(&book, postings)?;
    book.load_lots(tx, &needy).await?;
    book.load_lapsed(tx, &lots_to_reverse(&known, &needy, postings)).await?;
    let mut answers = Vec::with_capacity(postings.len());
    for posting in postings {
        answers.push(one(&mut book, &mut known, posting)?);
    }
    book.write(tx).await?;
    Ok(answers)
}

/// What messages give, with the end of those messages. One whose posting is refused stays for its handler to judge.
pub(super) async fn give(tx: &Tx<'_>, step: &PointsGive) -> Result<Vec<Result<PostedEntry, Rejection>>> {
    let answers = post_all(tx, &step.postings).await?;
    let posted = step.messages.iter().zip(&answers).filter(|(_, answer)| answer.is_ok());
    outbox::finish_given(tx, &step.fence, posted.map(|(message, _)| message).collect(), step.now).await?;
    Ok(answers)
}

fn one(
    book: &mut Book,
    known: &mut Known,
    posting: &Posting,
) -> Result<Result<PostedEntry, Rejection>, Fault> {
    let Posting { user, asked, key, reason, at } = posting;
    if let Some(first) = known.by_key(*user, key) {
        let same = asked.is_of(first);
        return Ok(if same { Ok(to_posted(first, true)) } else { Err(Rejection::IdConflict) });
    }
    let target = known.target(*user, asked);
    let entries = match book.account(*user)?.decide(asked, target.as_ref(), *at) {
        Ok(entries) => entries,
        Err(rejection) => return Ok(Err(rejection)),
    };
    let answer = entries.last().map(|last| to_posted(last, false));
    known.note(*user, key, &entries);
    book.add(*user, entries, key, reason, *at)?;
    answer.map(Ok).ok_or_else(|| Fault::new("a posting without a row"))
}

fn to_posted(entry: &Entry, replayed: bool) -> PostedEntry {
    PostedEntry { n: entry.n, delta: entry.delta, balance: entry.balance, replayed }
}

/// Whose lots are asked for: everybody who does more than receive, or has something due before the batch is through.
fn find_lot_owners(book: &Book, postings: &[Posting]) -> Result<Vec<UserId>, Fault> {
    struct Need {
        more: bool,
        first_expiry: Timestamp,
        last: Timestamp,
    }
    let mut needs: BTreeMap<UserId, Need> = BTreeMap::new();
    for posting in postings {
        let next = book.account(posting.user)?.next;
        let need =
            needs.entry(posting.user).or_insert(Need { more: false, first_expiry: next, last: posting.at });
        need.last = need.last.max(posting.at);
        match posting.asked {
            Move::Credit { expires, .. } => need.first_expiry = need.first_expiry.min(expires),
            Move::Spend { .. } | Move::Reverse { .. } => need.more = true,
        }
    }
    let needy = needs.into_iter().filter(|(_, need)| need.more || need.first_expiry <= need.last);
    Ok(needy.map(|(user, _)| user).collect())
}

/// The lots of credits that are taken back, and of those that a later posting of the batch may take back.
fn lots_to_reverse(known: &Known, needy: &[UserId], postings: &[Posting]) -> Vec<(UserId, Timestamp)> {
    let kept = known.rows.iter().map(|((user, _), entry)| (*user, entry.expires));
    let new = postings.iter().filter_map(|posting| match posting.asked {
        Move::Credit { expires, .. } if needy.binary_search(&posting.user).is_ok() => {
            Some((posting.user, expires))
        }
        Move::Credit { .. } | Move::Spend { .. } | Move::Reverse { .. } => None,
    });
    let lots: BTreeSet<(UserId, Timestamp)> = kept.chain(new).collect();
    lots.into_iter().collect()
}

/// Rows that postings are about: those under their keys, those they take back, and who took those back before.
#[derive(Debug, Default)]
struct Known {
    keys: HashMap<UserId, HashMap<String, Entry>>,
    rows: HashMap<(UserId, i64), Entry>,
    reversed: BTreeSet<(UserId, i64)>,
}

impl Known {
    async fn read(tx: &Tx<'_>, postings: &[Posting]) -> Result<Self> {
        let mut known = Self::default();
        let keys: Vec<[Value; 2]> =
            postings.iter().map(|posting| [posting.user.into(), (&posting.key).into()]).collect();
        let sql = "SELECT n, kind, delta, balance, reverses, expires, parts FROM points_rows
                   WHERE user_id = $1 AND idem_key = $2";
        for (posting, found) in postings.iter().zip(all_each(tx, sql, &keys, entry).await?) {
            for entry in found {
                known.keys.entry(posting.user).or_default().insert(posting.key.clone(), entry);
            }
        }
        let targets: Vec<(UserId, i64)> = postings
            .iter()
            .filter_map(|posting| match posting.asked {
                Move::Reverse { n } => Some((posting.user, n)),
                Move::Credit { .. } | Move::Spend { .. } => None,
            })
            .collect();
        let keys: Vec<[Value; 2]> = targets.iter().map(|(user, n)| [(*user).into(), (*n).into()]).collect();
        let sql = "SELECT n, kind, delta, balance, reverses, expires, parts FROM points_rows
                   WHERE user_id = $1 AND n = $2";
        for (target, found) in targets.iter().zip(all_each(tx, sql, &keys, entry).await?) {
            known.rows.extend(found.into_iter().map(|entry| (*target, entry)));
        }
        let sql = "SELECT n FROM points_rows WHERE user_id = $1 AND reverses = $2";
        for (target, found) in targets.iter().zip(all_each(tx, sql, &keys, Row::int).await?) {
            known.reversed.extend(found.first().map(|_| *target));
        }
        Ok(known)
    }

    fn by_key(&self, user: UserId, key: &str) -> Option<&Entry> {
        self.keys.get(&user)?.get(key)
    }

    fn target(&self, user: UserId, asked: &Move) -> Option<Target> {
        let Move::Reverse { n } = asked else { return None };
        let entry = self.rows.get(&(user, *n))?.clone();
        Some(Target { entry, reversed: self.reversed.contains(&(user, *n)) })
    }

    /// A later posting of the same batch may repeat this one, or take it back.
    fn note(&mut self, user: UserId, key: &str, entries: &[Entry]) {
        for entry in entries {
            self.rows.insert((user, entry.n), entry.clone());
            self.reversed.extend(entry.reverses.map(|n| (user, n)));
        }
        if let Some(last) = entries.last() {
            self.keys.entry(user).or_default().insert(key.to_owned(), last.clone());
        }
    }
}
