//! What a type refused, and where: the error of reading from a tree.

use std::fmt::{self, Display, Write};

use domain::Rejection;
use domain::nearest::meant;
use domain::rejection::FieldProblem;
use serde::de::{self, Expected, Unexpected};

use crate::forms::MOMENT_WORDS;

/// Characters of somebody's input that come back at most.
const SHOWN_MAX: usize = 120;
/// Steps of a path that are named; JSON is never nested deeper.
const STEPS_MAX: usize = super::shape::DEPTH_MAX;

/// How a type says that a name of its own map appears twice: this, and the name. Serde knows duplicates only of fields.
pub(crate) const DUPLICATE_NAME: &str = "duplicate name: ";

#[derive(Debug)]
pub(super) struct Wrong {
    what: What,
    /// The innermost first.
    path: Vec<Step>,
}

#[derive(Debug)]
enum What {
    Unknown { field: String, known: &'static [&'static str] },
    Missing(&'static str),
    Duplicate(String),
    OutOfRange { min: i64, max: i64 },
    Other(String),
}

#[derive(Debug)]
pub(super) enum Step {
    Field(String),
    Place(usize),
}

impl Wrong {
    fn new(what: What) -> Self {
        Self { what, path: Vec::new() }
    }

    /// Found inside that.
    pub fn within(mut self, step: Step) -> Self {
        if self.path.len() < STEPS_MAX {
            self.path.push(step);
        }
        self
    }

    pub fn into_rejection(mut self) -> Rejection {
        let problem = match self.what {
            What::Unknown { field, known } => {
                let nearest = meant(&field, known.iter().copied());
                self.path.insert(0, Step::Field(cut(&field)));
                nearest.map_or(FieldProblem::Unknown, |nearest| FieldProblem::Mistyped {
                    nearest: nearest.to_owned(),
                })
            }
            What::Missing(field) => {
                self.path.insert(0, Step::Field(field.to_owned()));
                FieldProblem::Missing
            }
            What::Duplicate(field) => {
                self.path.insert(0, Step::Field(field));
                FieldProblem::Duplicate
            }
            What::OutOfRange { min, max } => FieldProblem::OutOfRange { min, max },
            What::Other(text) if self.path.is_empty() => return Rejection::BodyMalformed { detail: text },
            What::Other(text) if text.contains(MOMENT_WORDS) => FieldProblem::MOMENT,
            What::Other(_) => FieldProblem::Malformed,
        };
        // The whole is what it should be; only a part can be out of range.
        let field = path(&self.path);
        Rejection::Invalid { field: cut(&field), problem }
    }
}

/// `prizes[1].name`, from the outermost.
fn path(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps.iter().rev() {
        match step {
            Step::Field(name) if text.is_empty() => text.push_str(name),
            Step::Field(name) => {
                text.push('.');
                text.push_str(name);
            }
            Step::Place(at) => drop(write!(text, "[{at}]")),
        }
    }
    text
}

impl de::Error for Wrong {
    fn custom<T: Display>(message: T) -> Self {
        let text = cut(&message);
        match text.strip_prefix(DUPLICATE_NAME) {
            Some(name) => Self::new(What::Duplicate(name.to_owned())),
            None => Self::new(What::Other(text)),
        }
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match (found, range(&cut(&expected))) {
            (Unexpected::Signed(_) | Unexpected::Unsigned(_), Some((min, max))) => {
                Self::new(What::OutOfRange { min, max })
            }
            _ => Self::custom(format_args!("invalid value: {found}, expected {expected}")),
        }
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Self {
        Self::new(What::Unknown { field: cut(&field), known })
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(What::Missing(field))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new(What::Duplicate(field.to_owned()))
    }
}

/// The whole numbers that a type holds.
fn range(named: &str) -> Option<(i64, i64)> {
    Some(match named {
        "u8" => (0, i64::from(u8::MAX)),
        "u16" => (0, i64::from(u16::MAX)),
        "u32" => (0, i64::from(u32::MAX)),
        "u64" | "usize" => (0, i64::MAX),
        "i32" => (i64::from(i32::MIN), i64::from(i32::MAX)),
        "i64" => (i64::MIN, i64::MAX),
        _ => return None,
    })
}

impl Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.what)
    }
}

impl std::error::Error for Wrong {}

/// The beginning of a text. However long it is, no more of it is written than is kept.
pub(super) fn cut(text: &impl Display) -> String {
    let mut kept = Cut { text: String::new(), left: SHOWN_MAX };
    // Writing ends with an error where enough is there.
    let _ = write!(kept, "{text}");
    kept.text
}

struct Cut {
    text: String,
    left: usize,
}

impl Write for Cut {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let end = piece.char_indices().nth(self.left).map_or(piece.len(), |(end, _)| end);
        self.text.push_str(&piece[..end]);
        if end < piece.len() {
            self.left = 0;
            return Err(fmt::Error);
        }
        self.left -= piece.chars().count();
        Ok(())
    }
}
