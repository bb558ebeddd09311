//! Checking an export on all cores.
//!
//! The reading thread cuts the text into pieces and hands their records out; the other threads check that each is at its
//! place and comes out the same; the reading thread takes what came of it in order, follows the players' histories, and
//! lends a hand when the next piece is not there yet. What is told is the first thing in the file that is not right,
//! whoever found it.

use std::collections::{HashMap, VecDeque};
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use domain::export::{
    Batch, CheckedBatch, ExportEvent, LineFinding, Other, Reader, ReceiptSearch, ReceiptTicket,
    VerifiedCounts, Verifier,
};
use domain::lottery::chain::Receipt;

/// Text that is read at a time: some hundred records, which a core's own memory holds while they are worked on.
const PIECE_BYTES: usize = 128 * 1024;
/// The longest line there may be: the largest strategy, or a piece of a roll.
const LINE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Batches that wait to be checked or taken, per thread.
const AHEAD: usize = 4;

/// What came of it.
#[derive(Debug, thiserror::Error)]
pub enum Unverified {
    /// Something in it is not as it should be; and how much was before it.
    #[error("{found}")]
    Found { found: LineFinding, before: Box<VerifiedCounts> },
    #[error("it cannot be read")]
    Unreadable(#[from] io::Error),
}

/// Reads an export to its end, or to the first thing that is not right. `reached` hears how many bytes are done.
pub fn verify(
    text: impl Read,
    threads: NonZeroUsize,
    mut reached: impl FnMut(u64),
) -> Result<VerifiedCounts, Unverified> {
    let bench = Bench::default();
    std::thread::scope(|scope| {
        for _ in 1..threads.get() {
            scope.spawn(|| bench.work());
        }
        let ahead = AHEAD * threads.get();
        let verdict = Verification::new(&bench, ahead).run(text, &mut reached);
        bench.stop();
        verdict
    })
}

/// Looks for one ticket by its receipt; or says which chains it does not fit, and how.
pub fn find_ticket(text: impl Read, receipt: Receipt) -> io::Result<Result<ReceiptTicket, Vec<Other>>> {
    let (mut pieces, mut search) = (Pieces::new(text), ReceiptSearch::new(receipt));
    // What cannot be read is the verifier's to tell; nothing is found behind it.
    while let Some(Ok(piece)) = pieces.next()? {
        if let Some(ticket) = search.piece(&piece) {
            return Ok(Ok(ticket));
        }
    }
    Ok(Err(search.others()))
}

struct Verification<'a> {
    bench: &'a Bench,
    ahead: usize,
    verifier: Verifier,
    /// In the order of the file; a batch by its number.
    waiting: VecDeque<Waiting>,
    batches: u64,
}

enum Waiting {
    Batch(u64),
    Event(ExportEvent),
    /// Everything up to so many bytes is done.
    Bytes(u64),
}

impl<'a> Verification<'a> {
    fn new(bench: &'a Bench, ahead: usize) -> Self {
        Self { bench, ahead, verifier: Verifier::default(), waiting: VecDeque::new(), batches: 0 }
    }

    fn run(mut self, text: impl Read, reached: &mut impl FnMut(u64)) -> Result<VerifiedCounts, Unverified> {
        let (mut pieces, mut reader) = (Pieces::new(text), Reader::default());
        while let Some(piece) = pieces.next()? {
            let piece = match piece {
                Ok(piece) => piece,
                Err(NoText) => {
                    self.waiting.push_back(Waiting::Event(ExportEvent::Broken(reader.unreadable())));
                    break;
                }
            };
            for event in reader.piece(&piece) {
                self.put(event);
            }
            self.waiting.push_back(Waiting::Bytes(pieces.bytes));
            self.take(self.ahead, reached)?;
        }
        self.take(0, reached)?;
        let before = self.verifier.verified();
        match reader.end() {
            None => Ok(before),
            Some(found) => Err(Unverified::Found { found, before: Box::new(before) }),
        }
    }

    fn put(&mut self, event: ExportEvent) {
        self.waiting.push_back(match event {
            ExportEvent::Records(batch) => {
                let number = self.batches;
                self.batches += 1;
                self.bench.put(number, batch);
                Waiting::Batch(number)
            }
            other => Waiting::Event(other),
        });
    }

    /// Takes what is done, until no more than so many are waiting.
    fn take(&mut self, waiting_max: usize, reached: &mut impl FnMut(u64)) -> Result<(), Unverified> {
        while self.waiting.len() > waiting_max
            && let Some(next) = self.waiting.pop_front()
        {
            let taken = match next {
                Waiting::Bytes(bytes) => {
                    reached(bytes);
                    Ok(())
                }
                Waiting::Batch(number) => self.verifier.records(self.bench.take(number)),
                Waiting::Event(event) => self.event(event),
            };
            taken.map_err(|found| Unverified::Found { found, before: Box::new(self.verifier.verified()) })?;
        }
        Ok(())
    }

    fn event(&mut self, event: ExportEvent) -> Result<(), LineFinding> {
        match event {
            ExportEvent::Chain { line, replayer, tree } => self.verifier.chain(line, &replayer, tree),
            ExportEvent::Records(batch) => self.verifier.records(batch.check()),
            ExportEvent::ChainEnd { line, count } => self.verifier.chain_end(line, count),
            ExportEvent::Raffle(given) => self.verifier.raffle(&given),
            ExportEvent::Sealed { line, sealed } => self.verifier.sealed(line, sealed),
            ExportEvent::Total { line, total } => self.verifier.total(line, total),
            ExportEvent::Broken(found) => Err(found),
        }
    }
}

/// Where batches wait to be checked, and then to be taken.
#[derive(Default)]
struct Bench {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    to_check: VecDeque<(u64, Batch)>,
    checked: HashMap<u64, CheckedBatch>,
    stopped: bool,
}

impl Bench {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, number: u64, batch: Batch) {
        self.lock().to_check.push_back((number, batch));
        self.changed.notify_all();
    }

    /// Checks one batch after the other until told to stop.
    fn work(&self) {
        let mut state = self.lock();
        while !state.stopped {
            state = match state.to_check.pop_front() {
                Some((number, batch)) => self.check(state, number, &batch),
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn check<'a>(
        &'a self,
        state: MutexGuard<'a, State>,
        number: u64,
        batch: &Batch,
    ) -> MutexGuard<'a, State> {
        drop(state);
        let checked = batch.check();
        let mut state = self.lock();
        state.checked.insert(number, checked);
        self.changed.notify_all();
        state
    }

    /// What came of a batch. Whoever waits for it checks what nobody has begun with.
    fn take(&self, number: u64) -> CheckedBatch {
        let mut state = self.lock();
        loop {
            if let Some(checked) = state.checked.remove(&number) {
                return checked;
            }
            state = match state.to_check.pop_front() {
                Some((other, batch)) => self.check(state, other, &batch),
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }
}

/// The next line is no text, or has no end.
struct NoText;

/// Whole lines, many at a time.
struct Pieces<R> {
    text: R,
    /// The beginning of a line whose end is not read yet.
    rest: Vec<u8>,
    bytes: u64,
    ended: bool,
    broken: bool,
}

impl<R: Read> Pieces<R> {
    fn new(text: R) -> Self {
        Self { text, rest: Vec::new(), bytes: 0, ended: false, broken: false }
    }

    fn next(&mut self) -> io::Result<Option<Result<Arc<String>, NoText>>> {
        if self.broken {
            return Ok(Some(Err(NoText)));
        }
        let mut piece = std::mem::take(&mut self.rest);
        while !self.ended {
            let wanted = PIECE_BYTES as u64;
            let read = (&mut self.text).take(wanted).read_to_end(&mut piece)?;
            self.ended = read == 0;
            if let Some(end) = piece.iter().rposition(|byte| *byte == b'\n') {
                self.rest = piece.split_off(end + 1);
                break;
            }
            if piece.len() > LINE_BYTES_MAX {
                return Ok(Some(Err(NoText)));
            }
        }
        self.bytes += piece.len() as u64;
        if piece.is_empty() {
            return Ok(None);
        }
        Ok(Some(match String::from_utf8(piece) {
            Ok(text) => Ok(Arc::new(text)),
            // The lines before the one that is no text are told first.
            Err(error) => {
                (self.broken, self.ended) = (true, true);
                let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let lines =
                    valid.iter().rposition(|byte| *byte == b'\n').map_or(&valid[..0], |end| &valid[..=end]);
                if lines.is_empty() {
                    Err(NoText)
                } else {
                    Ok(Arc::new(String::from_utf8_lossy(lines).into_owned()))
                }
            }
        }))
    }
}
