//! What can be wrong with one field of a request, and how it is said.

use std::fmt;

use super::lang::Lang;
use super::worded::Worded;
use crate::time::Timestamp;

/// What can be wrong with one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldProblem {
    Missing,
    Unknown,
    /// Unknown, and near to a name that is known there.
    Mistyped {
        nearest: String,
    },
    /// Known, but not for what was asked; the words complete "the field …".
    Misplaced {
        en: &'static str,
        zh: &'static str,
    },
    Malformed,
    /// Malformed, and what it has to be; the words complete "it has to be …".
    Expected {
        en: &'static str,
        zh: &'static str,
    },
    TooShort {
        min: u64,
    },
    TooLong {
        max: u64,
    },
    OutOfRange {
        min: i64,
        max: i64,
    },
    NotAfter {
        at: Timestamp,
    },
    MomentOutOfRange {
        min: Timestamp,
        max: Timestamp,
    },
    NotOneOf {
        allowed: &'static str,
    },
    Duplicate,
}

impl FieldProblem {
    pub const ZONE: Self = Self::Expected {
        en: "the IANA name of a time zone, such as Asia/Shanghai or UTC",
        zh: " IANA 时区名称，例如 Asia/Shanghai 或 UTC",
    };
    pub const MOMENT: Self = Self::Expected {
        en: "milliseconds since 1970, or RFC 3339 text with an offset, such as 2026-11-15T08:00:00+08:00",
        zh: "自 1970 年起的毫秒数，或带时区偏移的 RFC 3339 时间，例如 2026-11-15T08:00:00+08:00",
    };

    pub const LABELS: Self = Self::Expected {
        en: "a list of labels, each of 1 to 64 characters",
        zh: "标签列表，每个标签 1 至 64 个字符",
    };

    pub const NOT_ZERO: Self = Self::Expected { en: "more or less than 0", zh: "非零数值" };

    /// The stable name.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Unknown | Self::Mistyped { .. } => "unknown",
            Self::Misplaced { .. } => "misplaced",
            Self::Malformed | Self::Expected { .. } => "malformed",
            Self::TooShort { .. } => "too_short",
            Self::TooLong { .. } => "too_long",
            Self::OutOfRange { .. } | Self::NotAfter { .. } | Self::MomentOutOfRange { .. } => "out_of_range",
            Self::NotOneOf { .. } => "not_one_of",
            Self::Duplicate => "duplicate",
        }
    }
}

impl fmt::Display for Worded<'_, FieldProblem> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use FieldProblem::{
            Duplicate, Expected, Malformed, Misplaced, Missing, Mistyped, MomentOutOfRange, NotAfter,
            NotOneOf, OutOfRange, TooLong, TooShort, Unknown,
        };
        match (self.0, self.1) {
            (Lang::En, Missing) => f.write_str("is missing"),
            (Lang::Zh, Missing) => f.write_str("缺失"),
            (Lang::En, Unknown) => f.write_str("is not a field here"),
            (Lang::Zh, Unknown) => f.write_str("此处没有该字段"),
            (Lang::En, Mistyped { nearest }) => write!(f, "is not a field here; did you mean {nearest}"),
            (Lang::Zh, Mistyped { nearest }) => write!(f, "此处没有该字段，是否想写 {nearest}"),
            (Lang::En, Misplaced { en, .. }) => f.write_str(en),
            (Lang::Zh, Misplaced { zh, .. }) => f.write_str(zh),
            (Lang::En, Expected { en, .. }) => write!(f, "has to be {en}"),
            (Lang::Zh, Expected { zh, .. }) => write!(f, "须为{zh}"),
            (Lang::En, NotAfter { at }) => write!(f, "must be after {}", at.rfc3339()),
            (Lang::Zh, NotAfter { at }) => write!(f, "必须晚于 {}", at.rfc3339()),
            (Lang::En, MomentOutOfRange { min, max }) => {
                write!(f, "must be between {} and {}", min.rfc3339(), max.rfc3339())
            }
            (Lang::Zh, MomentOutOfRange { min, max }) => {
                write!(f, "必须在 {} 与 {} 之间", min.rfc3339(), max.rfc3339())
            }
            (Lang::En, Malformed) => f.write_str("is not written as expected"),
            (Lang::Zh, Malformed) => f.write_str("格式不正确"),
            (Lang::En, TooShort { min }) => write!(f, "is too short (at least {min})"),
            (Lang::Zh, TooShort { min }) => write!(f, "太短（长度至少 {min}）"),
            (Lang::En, TooLong { max }) => write!(f, "is too long (at most {max})"),
            (Lang::Zh, TooLong { max }) => write!(f, "太长（长度最多 {max}）"),
            (Lang::En, OutOfRange { min, max }) => write!(f, "must be between {min} and {max}"),
            (Lang::Zh, OutOfRange { min, max }) => write!(f, "必须在 {min} 与 {max} 之间"),
            (Lang::En, NotOneOf { allowed }) => write!(f, "must be one of {allowed}"),
            (Lang::Zh, NotOneOf { allowed }) => write!(f, "必须是以下之一：{allowed}"),
            (Lang::En, Duplicate) => f.write_str("appears twice"),
            (Lang::Zh, Duplicate) => f.write_str("重复出现"),
        }
    }
}
