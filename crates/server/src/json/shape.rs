//! How large the parts of a JSON text may be, judged before any of it is parsed: one pass over its bytes.

use domain::Rejection;
use domain::rejection::FieldProblem;

/// What is shorter is parsed as it is: nothing in it can be large.
const SMALL_BYTES: usize = 4 * 1024;
/// The longest name of a member, in bytes as it is written. Names that mean anything have 64 characters at most, and an
/// escaped character takes six bytes.
const NAME_BYTES_MAX: usize = 512;
/// Lists and objects within each other.
pub(super) const DEPTH_MAX: usize = 64;
/// Values in all.
const VALUES_MAX: usize = 1_000_000;
/// Characters of a name that come back.
const SHOWN_MAX: usize = 60;

/// Refuses what would be more work to read than anything that is meant.
pub(super) fn check(bytes: &[u8]) -> Result<(), Rejection> {
    if bytes.len() <= SMALL_BYTES {
        return Ok(());
    }
    let too_much = |detail: String| Rejection::BodyMalformed { detail };
    let (mut at, mut depth, mut values) = (0, 0_usize, 1_usize);
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => {
                let end = end_of_text(bytes, at);
                let text = &bytes[at..end];
                at = end + 1;
                if text.len() > NAME_BYTES_MAX && is_name(bytes, at) {
                    return Err(Rejection::Invalid { field: begin(text), problem: FieldProblem::Unknown });
                }
            }
            b'{' | b'[' => {
                depth += 1;
                values += 1;
                if depth > DEPTH_MAX {
                    return Err(too_much(format!("nested more than {DEPTH_MAX} deep")));
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => values += 1,
            _ => {}
        }
        if values > VALUES_MAX {
            return Err(too_much(format!("more than {VALUES_MAX} values")));
        }
    }
    Ok(())
}

/// Where the quotation mark is that ends a text; the end of everything where there is none.
fn end_of_text(bytes: &[u8], begin: usize) -> usize {
    let mut at = begin;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// A text before a colon is a name.
fn is_name(bytes: &[u8], at: usize) -> bool {
    bytes.get(at..).is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"))
}

fn begin(name: &[u8]) -> String {
    String::from_utf8_lossy(&name[..SHOWN_MAX * 4]).chars().take(SHOWN_MAX).collect()
}
