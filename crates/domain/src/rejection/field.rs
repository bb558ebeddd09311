//! What can be wrong with one field of a request, and how it is said.

use std::fmt;

use super::lang::Lang;
use super::worded::Worded;

/// What can be wrong with one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldProblem {
    Missing,
    Unknown,
    Malformed,
    TooShort { min: u64 },
    TooLong { max: u64 },
    OutOfRange { min: i64, max: i64 },
    NotOneOf { allowed: &'static str },
    Duplicate,
}

impl FieldProblem {
    /// The stable name.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Unknown => "unknown",
            Self::Malformed => "malformed",
            Self::TooShort { .. } => "too_short",
            Self::TooLong { .. } => "too_long",
            Self::OutOfRange { .. } => "out_of_range",
            Self::NotOneOf { .. } => "not_one_of",
            Self::Duplicate => "duplicate",
        }
    }
}

impl fmt::Display for Worded<'_, FieldProblem> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use FieldProblem::{Duplicate, Malformed, Missing, NotOneOf, OutOfRange, TooLong, TooShort, Unknown};
        match (self.0, self.1) {
            (Lang::En, Missing) => f.write_str("is missing"),
            (Lang::Zh, Missing) => f.write_str("缺失"),
            (Lang::En, Unknown) => f.write_str("is not a field of this request"),
            (Lang::Zh, Unknown) => f.write_str("不是此请求的字段"),
            (Lang::En, Malformed) => f.write_str("is not written as expected"),
            (Lang::Zh, Malformed) => f.write_str("格式不正确"),
            (Lang::En, TooShort { min }) => write!(f, "is too short (at least {min})"),
            (Lang::Zh, TooShort { min }) => write!(f, "太短（至少 {min} 个字符）"),
            (Lang::En, TooLong { max }) => write!(f, "is too long (at most {max})"),
            (Lang::Zh, TooLong { max }) => write!(f, "太长（最多 {max} 个字符）"),
            (Lang::En, OutOfRange { min, max }) => write!(f, "must be between {min} and {max}"),
            (Lang::Zh, OutOfRange { min, max }) => write!(f, "必须在 {min} 与 {max} 之间"),
            (Lang::En, NotOneOf { allowed }) => write!(f, "must be one of {allowed}"),
            (Lang::Zh, NotOneOf { allowed }) => write!(f, "必须是以下之一：{allowed}"),
            (Lang::En, Duplicate) => f.write_str("appears twice"),
            (Lang::Zh, Duplicate) => f.write_str("重复出现"),
        }
    }
}
