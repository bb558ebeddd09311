//! What is wrong with a form, gathered until everything is said.

use domain::Rejection;
use domain::rejection::FieldProblem;

pub(super) const RAFFLE_ONLY: FieldProblem = FieldProblem::Misplaced {
    en: "is for raffles only (kind raffle)",
    zh: "仅用于开奖型活动（kind 为 raffle）",
};
pub(super) const INSTANT_ONLY: FieldProblem = FieldProblem::Misplaced {
    en: "is for draws at once only (kind instant), not for raffles",
    zh: "仅用于即时抽奖活动（kind 为 instant），不用于开奖型活动",
};
pub(super) const COUNTED_ONLY: FieldProblem = FieldProblem::Misplaced {
    en: "is for prizes of points or chances only",
    zh: "仅用于积分或抽奖次数类奖品",
};
pub(super) const ONE_OR_OTHER: FieldProblem = FieldProblem::Misplaced {
    en: "cannot be given together with unlimited: one or the other",
    zh: "不能与 unlimited 同时填写，二者选一",
};

pub(super) const SALE_ONLY: FieldProblem = FieldProblem::Misplaced {
    en: "is for sales only (kind sale)",
    zh: "仅用于秒杀活动（kind 为 sale）",
};
pub(super) const NOT_FOR_SALES: FieldProblem = FieldProblem::Misplaced {
    en: "is not for sales (kind sale)",
    zh: "不用于秒杀活动（kind 为 sale）",
};
pub(super) const CODE_ONLY: FieldProblem = FieldProblem::Misplaced {
    en: "is for codes only (item code)",
    zh: "仅用于兑换码（item 为 code）",
};

/// What is wrong so far.
#[derive(Debug, Default)]
pub(super) struct Wrong(pub Vec<Rejection>);

impl Wrong {
    pub fn say(&mut self, field: &str, problem: FieldProblem) {
        self.0.push(Rejection::invalid(field, problem));
    }

    /// A field that means nothing here, and why.
    pub fn misplaced(&mut self, field: &str, given: bool, why: FieldProblem) {
        if given {
            self.say(field, why);
        }
    }

    pub fn text(&mut self, field: &str, text: &str, max: usize) {
        if text.trim().chars().count() > max {
            self.say(field, FieldProblem::TooLong { max: max as u64 });
        } else if text.chars().any(|c| c.is_control() && c != '\n') {
            self.say(field, FieldProblem::Malformed);
        }
    }

    pub fn has(&self, field: &str) -> bool {
        self.0.iter().any(|one| one.field() == Some(field))
    }

    pub fn all<T>(&mut self, read: Result<T, Vec<Rejection>>) -> Option<T> {
        read.map_err(|wrong| self.0.extend(wrong)).ok()
    }

    pub fn or<T>(self, read: T) -> Result<T, Vec<Rejection>> {
        if self.0.is_empty() { Ok(read) } else { Err(self.0) }
    }
}

pub(super) fn range(min: u64, max: u64) -> FieldProblem {
    let bound = |bound: u64| i64::try_from(bound).unwrap_or(i64::MAX);
    FieldProblem::OutOfRange { min: bound(min), max: bound(max) }
}
