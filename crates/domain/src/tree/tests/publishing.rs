//! The bytes of a tree: pinned, read back, and in one way only.

use super::*;
use crate::lottery::LotteryWireError;
use FactKind::{Flag, Number, Text};
use When::*;

/// A tree with every kind of node, condition and value.
fn example() -> TreeDraft {
    let numbers = vec![
        (Equal(n(18)), 2),
        (Above(n(-1)), 2),
        (Below(n(0)), 2),
        (AtLeast(n(1)), 2),
        (AtMost(n(2)), 2),
        (OneOf(vec![n(3), n(4)]), 2),
        (Between { from: n(5), to: n(6) }, 2),
        (Otherwise, 3),
    ];
    let mut draft = draft(
        TreePurpose::Routing,
        vec![
            decide(1, "age", Number, numbers),
            decide(2, "city", Text, vec![(Equal(t("上海")), 4), (Otherwise, 3)]),
            decide(3, "vip", Flag, vec![(Equal(Operand::Flag(true)), 4), (Otherwise, 5)]),
            leaf(4, activity(7)),
            leaf(5, Leaf::Deny),
        ],
    );
    draft.nodes[0].name = "Age".to_owned();
    draft
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_example_is_encoded_as_documented() {
    let draft = example();
    draft.check().unwrap();
    assert_eq!(
        hex(&draft.encode()),
        "575401000005000000010100034167650300036167650000080000000201000000000000000012000000020200\
         ffffffffffffffff00000002030000000000000000000000000204000000000000000001000000020500000000\
         000000000200000002060002000000000000000003000000000000000004000000020700000000000000000500\
         0000000000000006000000030000000002000000030004636974790100020000000401010006e4b88ae6b5b700\
         000003000000000300000003000376697002000200000004010201000000050000000004000000020000000000\
         0000070000000500000000"
    );
    assert_eq!(hex(&draft.hash().0), "d16504ef240e635e363874732e9fe71ea2bea7def37034416be4587a842cffb5");
    assert_eq!(TreeDraft::decode(&draft.encode()), Ok(draft));
}

#[test]
fn everything_in_a_tree_is_in_its_hash() {
    let changes: [fn(&mut TreeDraft); 6] = [
        |draft| draft.purpose = TreePurpose::Admission,
        |draft| draft.nodes[0].name.clear(),
        |draft| draft.nodes[0].root = false,
        |draft| draft.nodes[3].body = NodeKind::Leaf(Leaf::Allow),
        |draft| draft.nodes.swap(3, 4),
        |draft| {
            if let NodeKind::Decide { edges, .. } = &mut draft.nodes[0].body {
                edges.swap(0, 1);
            }
        },
    ];
    for (row, change) in changes.into_iter().enumerate() {
        let mut changed = example();
        change(&mut changed);
        assert_ne!(changed.hash(), example().hash(), "row {row}");
    }
}

#[test]
fn bytes_that_are_no_tree() {
    let bytes = example().encode();
    let with = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        bytes
    };
    for (what, bytes, expected) in [
        ("nothing", vec![], LotteryWireError::Short),
        ("another beginning", with(1, b'S'), LotteryWireError::Value("the beginning of a tree")),
        ("another form", with(2, 2), LotteryWireError::Version(2)),
        ("another purpose", with(3, 2), LotteryWireError::Value("a purpose")),
        ("a root that is neither", with(10, 2), LotteryWireError::Value("a flag")),
        ("more after the end", [bytes.as_slice(), &[0]].concat(), LotteryWireError::Long),
    ] {
        assert_eq!(TreeDraft::decode(&bytes), Err(expected), "{what}");
    }
    for length in 0..bytes.len() {
        assert!(TreeDraft::decode(&bytes[..length]).is_err(), "cut at {length}");
    }
}

#[test]
fn a_condition_is_its_symbol_and_its_operands() {
    for node in example().nodes {
        let NodeKind::Decide { edges, .. } = node.body else { continue };
        for Edge { when, .. } in edges {
            let operands = when.operands().into_iter().cloned().collect();
            assert_eq!(When::of(when.symbol(), operands), Some(when));
        }
    }
    for (symbol, operands) in [
        ("~", vec![n(1)]),
        ("=", vec![]),
        ("=", vec![n(1), n(2)]),
        ("range", vec![n(1)]),
        ("otherwise", vec![n(1)]),
    ] {
        assert_eq!(When::of(symbol, operands.clone()), None, "{symbol} {operands:?}");
    }
}
