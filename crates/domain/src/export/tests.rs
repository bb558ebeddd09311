//! An export is checked whole, and whatever is changed in it is found.

use std::sync::Arc;

use super::{
    ExportEvent, ExportLine, LineError, LineFinding, PublishedTree, Reader, ReceiptSearch, SealedRound,
    Total, Treeless, Unlike, VerifiedCounts, Verifier, write,
};
use crate::account::{FactKey, FactKind};
use crate::activity::Window;
use crate::ids::ActivityId;
use crate::ledger::play::{ChanceLimits, Day};
use crate::lottery::chain::Receipt;
use crate::lottery::deck::Deck;
use crate::lottery::record::Record;
use crate::lottery::rule_path::RulePath;
use crate::lottery::simulate::{Course, Simulation};
use crate::lottery::strategy::Mode;
use crate::lottery::tests::fixtures::{pooled, strategy, with_fallback};
use crate::player_number::PlayerNumber;
use crate::raffle::{self, Beacon, Entrant, Roll};
use crate::time::{DAY_MS, Timestamp};
use crate::tree::{Edge, Leaf, NodeId, NodeKind, Operand, TreeDraft, TreeNode, TreePurpose, When};

/// Whoever is of age is let in.
fn tree() -> TreeDraft {
    let node = |id, root, body| TreeNode { id: NodeId(id), root, name: String::new(), body };
    let edge = |when, to| Edge { when, to: NodeId(to) };
    let edges = vec![edge(When::AtLeast(Operand::Number(18)), 2), edge(When::Otherwise, 3)];
    let decide = NodeKind::Decide { fact: FactKey::parse("age").unwrap(), kind: FactKind::Number, edges };
    let nodes = vec![
        node(1, true, decide),
        node(2, false, NodeKind::Leaf(Leaf::Allow)),
        node(3, false, NodeKind::Leaf(Leaf::Deny)),
    ];
    TreeDraft { purpose: TreePurpose::Admission, nodes }
}

/// Thirty draws of ten users, some of a prize that runs out.
fn chain() -> String {
    let mut strategy = strategy(Mode::Renormalised, &[30, 20]);
    strategy.prizes[0].stock = pooled(4);
    with_fallback(&mut strategy);
    let day = Day { number: 19_700_101, from: Timestamp(0), until: Timestamp(DAY_MS) };
    let window = Window { from: Timestamp(0), until: Timestamp(DAY_MS) };
    let deck = Deck::new(strategy).unwrap();
    let limits = ChanceLimits::default();
    let course = Course::new(deck, window, vec![day], limits, None, 30, 10, 1).unwrap();
    let mut out = String::new();
    write::published(&mut out, &course.published());
    write::strategy(&mut out, &course.deck().strategy().encode());
    write::tree(&mut out, 5, 1, &tree().encode());
    write::secret(&mut out, course.secret().reveal());
    let mut words = Vec::new();
    course.words(0..30, &mut words);
    let mut last = course.published().begin();
    Simulation::new(&course).follow(&words, &mut |record: Record| {
        let bytes = Record { rule_path: RulePath::new(&[1, 0]).unwrap(), ..record }.encode();
        last = last.next(&bytes);
        write::record(&mut out, &last, &bytes);
    });
    write::end(&mut out, 30);
    out
}

fn raffle() -> String {
    let entrants = [(11, 1), (22, 2), (33, 3), (44, 4)];
    let entrants =
        entrants.map(|(user, entries)| Entrant { seat: PlayerNumber::new(user).unwrap(), entries }).to_vec();
    let roll = Roll::new(ActivityId(7), 1, Some("dice on stage".into()), vec![1, 2], entrants).unwrap();
    let secret = std::array::from_fn(|at| u8::try_from(at).unwrap());
    let commitment = crate::lottery::random::DrawSecret::new(secret).commitment().0;
    let mut out = String::new();
    write::raffle(&mut out, ActivityId(7), 1, &commitment, roll.hash());
    write::roll(&mut out, &roll);
    write::secret(&mut out, &secret);
    write::beacon(&mut out, b"6 2 5");
    let winners = raffle::draw(&secret, &roll, Some(&Beacon::of(b"6 2 5"))).unwrap();
    winners.iter().for_each(|winner| write::winner(&mut out, winner));
    write::end(&mut out, 3);
    out
}

fn export() -> String {
    let mut out = String::new();
    write::head(&mut out);
    out.push_str("# for people\n\n");
    out = out + &chain() + &raffle();
    write::sealed(&mut out, &sealed());
    write::total(&mut out, Total { chains: 1, raffles: 1, sealed: 1 });
    out
}

fn sealed() -> SealedRound {
    SealedRound { activity: ActivityId(7), round: 2, versions: vec![1, 3], draws: 51 }
}

/// In pieces of so many lines.
fn verify(text: &str, lines: usize) -> Result<VerifiedCounts, LineFinding> {
    let mut verifier = Verifier::default();
    verify_with(&mut verifier, text, lines)
}

fn verify_with(verifier: &mut Verifier, text: &str, lines: usize) -> Result<VerifiedCounts, LineFinding> {
    let mut reader = Reader::default();
    let all: Vec<&str> = text.split_inclusive('\n').collect();
    for piece in all.chunks(lines) {
        for event in reader.piece(&Arc::new(piece.concat())) {
            match event {
                ExportEvent::Chain { line, replayer, tree } => verifier.chain(line, &replayer, tree)?,
                ExportEvent::Records(batch) => verifier.records(batch.check())?,
                ExportEvent::ChainEnd { line, count } => verifier.chain_end(line, count)?,
                ExportEvent::Raffle(given) => verifier.raffle(&given)?,
                ExportEvent::Sealed { line, sealed } => verifier.sealed(line, sealed)?,
                ExportEvent::Total { line, total } => verifier.total(line, total)?,
                ExportEvent::Broken(found) => return Err(found),
            }
        }
    }
    reader.end().map_or(Ok(verifier.verified()), Err)
}

#[test]
fn an_export_is_checked_whole_however_it_is_cut() {
    let trees = vec![PublishedTree { id: 5, version: 1, hash: tree().hash() }];
    let sealed = vec![sealed()];
    let whole = VerifiedCounts {
        chains: 1,
        records: 30,
        draws: 30,
        raffles: 1,
        winners: 3,
        sealed,
        trees,
        treeless: vec![],
    };
    for lines in [1, 2, 7, 1_000] {
        assert_eq!(verify(&export(), lines), Ok(whole.clone()), "pieces of {lines} lines");
        let saved_elsewhere = export().replace('\n', "\r\n");
        assert_eq!(
            verify(&saved_elsewhere, lines),
            Ok(whole.clone()),
            "carriage returns, pieces of {lines} lines"
        );
    }
}

/// What is done to the lines of an export, and what is said of it.
type Tampering = (&'static str, fn(&mut Vec<String>), &'static str);

/// Changes the last digit of a line's last word.
fn change(line: &mut String) {
    let digit = line.pop().unwrap();
    line.push(if digit == '0' { '1' } else { '0' });
}

#[test]
fn whatever_is_changed_is_found() {
    // Lines: 0 head, 1 and 2 nothing, 3 published, 4 strategy, 5 tree, 6 secret, 7 to 36 records, 37 end, 38 raffle,
    // 39 roll, 40 secret, 41 beacon, 42 to 44 winners, 45 end, 46 sealed, 47 total.
    let rows: [Tampering; 31] = [
        ("another strategy hash", |l| change(&mut l[3]), "strategy_mismatch"),
        ("another whole", |l| l[4].replace_range(38..39, "5"), "strategy_mismatch"),
        ("half a strategy", |l| l[4].truncate(61), "strategy_unreadable"),
        ("another secret", |l| change(&mut l[6]), "secret_mismatch"),
        ("no secret", |l| drop(l.remove(6)), "line_out_of_place"),
        ("a changed record", |l| change(&mut l[20]), "chain_mismatch"),
        ("a changed link", |l| l[20] = l[20].replacen(' ', " 0", 2).replacen(" 0", " ", 1), "line_malformed"),
        ("a record dropped", |l| drop(l.remove(20)), "chain_mismatch"),
        ("the last record dropped", |l| drop(l.remove(36)), "count_mismatch"),
        ("a record twice", |l| l.insert(20, l[20].clone()), "chain_mismatch"),
        ("two swapped", |l| l.swap(20, 21), "chain_mismatch"),
        ("digits that are none", |l| l[20].push('g'), "line_malformed"),
        ("capital digits", |l| l[20] = l[20].to_uppercase().replace("RECORD", "record"), "line_malformed"),
        ("a wrong count", |l| l[37] = "end 31".into(), "count_mismatch"),
        ("no end", |l| l.truncate(37), "unfinished"),
        ("cut off after a chain", |l| l.truncate(38), "unfinished"),
        ("cut off after a raffle", |l| l.truncate(46), "unfinished"),
        ("a chain left out", |l| drop(l.drain(3..38)), "count_mismatch"),
        ("what is not revealed left out", |l| drop(l.remove(46)), "count_mismatch"),
        ("something after the last line", |l| l.push("end 3".into()), "line_out_of_place"),
        ("half a tree", |l| l[5].truncate(61), "tree_unreadable"),
        ("a tree for something else", |l| l[5].replace_range(15..17, "00"), "tree_flawed"),
        (
            "the chain again",
            |l| {
                let again = l[3..38].to_vec();
                l.splice(38..38, again);
            },
            "line_out_of_place",
        ),
        ("a word that is not known", |l| l[5] = "trea 1".into(), "line_malformed"),
        ("another version of the form", |l| l[0] = "windfall-export 2".into(), "no_export"),
        ("another roll hash", |l| change(&mut l[38]), "roll_mismatch"),
        (
            "another roll",
            |l| {
                l[39].pop();
                l[39].push('5');
            },
            "roll_mismatch",
        ),
        ("another secret of the raffle", |l| change(&mut l[40]), "secret_mismatch"),
        ("another beacon", |l| change(&mut l[41]), "winner_mismatch"),
        ("another winner", |l| change(&mut l[42]), "winner_mismatch"),
        ("no beacon", |l| drop(l.remove(41)), "beacon_missing"),
    ];
    for (name, tamper, expected) in rows {
        let mut lines: Vec<String> = export().lines().map(str::to_owned).collect();
        tamper(&mut lines);
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let found = verify(&text, 5).expect_err(name);
        assert_eq!(found.finding.name(), expected, "{name}: {found}");
    }
    for (text, expected) in
        [("", "empty"), ("# nothing\n", "empty"), ("Hello!\n", "no_export"), ("end 7\n", "no_export")]
    {
        let finding = verify(text, 1).unwrap_err().finding;
        assert!(finding.is_no_export() && finding.name() == expected, "{text}: {finding}");
    }
}

/// What is changed, how, what is said of it, and of which line.
type Lie = (&'static str, fn(&mut Record), &'static str, u64);

/// Whoever writes the chain anew after a change is found by the draws themselves; the line is named.
#[test]
fn a_chain_that_was_written_anew_is_found_by_its_draws() {
    let text = export();
    let lines: Vec<&str> = text.lines().collect();
    let Ok(ExportLine::Published(published)) = ExportLine::read(lines[3]) else { panic!("published") };
    // A moment moved ahead shows where the next one lies before it.
    let no_path = |r: &mut Record| r.rule_path = RulePath::NONE;
    let denied = |r: &mut Record| r.rule_path = RulePath::new(&[1, 1]).unwrap();
    let rows: [Lie; 8] = [
        ("nobody let them in", no_path, "rule_path_mismatch", 18),
        ("they were not let in", denied, "rule_path_mismatch", 18),
        ("a better slot", |r| r.draws[0].drawn.slot.0 = 7, "draw_mismatch", 18),
        ("another number", |r| r.key.n = 9, "draw_mismatch", 18),
        ("more misses", |r| r.misses += 3, "input_untrue", 18),
        ("no date", |r| r.day = 19_700_100, "input_untrue", 18),
        ("the day after", |r| r.day += 1, "input_untrue", 18),
        ("a later moment", |r| r.at = Timestamp(DAY_MS), "input_untrue", 19),
    ];
    for (name, lie, expected, in_line) in rows {
        let mut last = published.begin();
        let mut out: String = lines[..7].iter().map(|line| format!("{line}\n")).collect();
        for (index, line) in lines[7..37].iter().enumerate() {
            let mut bytes = Vec::new();
            let digits = line.rsplit(' ').next().unwrap();
            assert!(super::hex::read(digits.as_bytes(), &mut bytes));
            if index == 10 {
                let mut record = Record::decode(&bytes).unwrap();
                lie(&mut record);
                bytes = record.encode();
            }
            last = last.next(&bytes);
            write::record(&mut out, &last, &bytes);
        }
        write::end(&mut out, 30);
        let found = verify(&out, 5).unwrap_err();
        assert_eq!((found.finding.name(), found.line), (expected, in_line), "{name}: {found}");
    }
}

/// Whoever takes the tree out leaves paths that lead nowhere. So does a routing tree, hence this is told and not refused.
#[test]
fn paths_without_a_tree_are_told() {
    let without: String =
        export().lines().filter(|line| !line.starts_with("tree ")).map(|line| format!("{line}\n")).collect();
    let Some(Ok(ExportLine::Published(published))) = without.lines().nth(3).map(ExportLine::read) else {
        panic!("published")
    };
    let verified = verify(&without, 5).unwrap();
    let treeless = Treeless { activity: published.activity, round: 1, version: 1 };
    assert_eq!((verified.trees, verified.treeless), (vec![], vec![treeless]));
}

/// However the text is cut, all that was right before the first fault is counted.
#[test]
fn what_was_before_the_fault_is_counted() {
    let mut lines: Vec<String> = export().lines().map(str::to_owned).collect();
    change(&mut lines[20]);
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    for pieces in [1, 5, 1_000] {
        let mut verifier = Verifier::default();
        assert_eq!(
            verify_with(&mut verifier, &text, pieces).unwrap_err().line,
            21,
            "pieces of {pieces} lines"
        );
        assert_eq!(verifier.verified().draws, 13, "pieces of {pieces} lines");
    }
}

/// The seventh ticket by its receipt, a receipt whose link is another, and one from beyond the end.
#[test]
fn a_receipt_is_looked_up() {
    let text = export();
    let lines: Vec<&str> = text.lines().collect();
    let Ok(ExportLine::Record(seventh, _)) = ExportLine::read(lines[13]) else { panic!("a record") };
    let mut other = seventh;
    other.link.0[0] ^= 1;
    let beyond = Receipt { place: 31, ..seventh };
    for (name, receipt, expected) in [
        ("the seventh", seventh, Ok(14)),
        ("another link", other, Err(vec![Unlike::Link(seventh.link)])),
        ("beyond the end", beyond, Err(vec![Unlike::Ends(30)])),
    ] {
        for pieces in [1, 5, 1_000] {
            let mut search = ReceiptSearch::new(receipt);
            let all: Vec<&str> = text.split_inclusive('\n').collect();
            let ticket = all.chunks(pieces).find_map(|piece| search.piece(&piece.concat()));
            if let Some(ticket) = &ticket {
                let given = ticket.record.draws[0].drawn.prize.map(|id| format!("prize {}", id.number()));
                assert_eq!(ticket.prizes, [given], "{name}");
            }
            let others = || search.others().into_iter().map(|other| other.why).collect::<Vec<_>>();
            assert_eq!(ticket.map(|ticket| ticket.line).ok_or_else(others), expected, "{name}");
        }
    }
}

#[test]
fn a_line_is_read_in_one_way() {
    for (text, expected) in [
        ("", Ok(ExportLine::Nothing)),
        ("# record", Ok(ExportLine::Nothing)),
        ("windfall-export 1", Ok(ExportLine::Head)),
        ("end 7", Ok(ExportLine::End(7))),
        ("end  7", Err(LineError::Words("end"))),
        ("end", Err(LineError::Unknown)),
        ("strategy 0a", Ok(ExportLine::Strategy(vec![10]))),
        ("strategy 0A", Err(LineError::Words("strategy"))),
        ("winner 0 1", Err(LineError::Words("winner"))),
        ("winner 0 1 5 6", Err(LineError::Words("winner"))),
        ("record 1 00 00", Err(LineError::Words("record"))),
        (" end 7", Err(LineError::Unknown)),
        ("sealed 7 2 1,3 51", Ok(ExportLine::Sealed(sealed()))),
        ("sealed 7 2 1, 51", Err(LineError::Words("sealed"))),
        ("total 1 2 3", Ok(ExportLine::Total(Total { chains: 1, raffles: 2, sealed: 3 }))),
        ("total 1 2", Err(LineError::Words("total"))),
    ] {
        assert_eq!(ExportLine::read(text), expected, "{text}");
    }
}
