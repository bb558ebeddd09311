//! The catalogue: every rejection has a row and speaks both languages.

use super::table::examples;
use super::{FieldProblem, Lang, Milliseconds, Rejection};
use crate::activity::{Action, LifeState};
use crate::time::Timestamp;

#[test]
fn every_rejection_has_a_row_and_two_texts() {
    let rows = examples();
    let codes: Vec<_> = rows.iter().map(|(rejection, _)| rejection.code()).collect();
    assert_eq!(codes, Rejection::CODES, "the rows follow the table");
    for (rejection, english) in rows {
        assert_eq!(rejection.text(Lang::En), english);
        let chinese = rejection.text(Lang::Zh);
        assert!(chinese.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{chinese}");
    }
}

#[test]
fn codes_are_distinct() {
    let mut codes = Rejection::CODES.to_vec();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), Rejection::CODES.len());
}

#[test]
fn every_field_problem_speaks_both_languages() {
    use FieldProblem::*;
    for (problem, english, chinese) in [
        (Missing, "is missing", "缺失"),
        (Unknown, "is not a field here", "此处没有该字段"),
        (
            Mistyped { nearest: "odds".to_owned() },
            "is not a field here; did you mean odds",
            "此处没有该字段，是否想写 odds",
        ),
        (Misplaced { en: "is for raffles", zh: "仅用于开奖" }, "is for raffles", "仅用于开奖"),
        (Malformed, "is not written as expected", "格式不正确"),
        (
            FieldProblem::ZONE,
            "has to be the IANA name of a time zone, such as Asia/Shanghai or UTC",
            "须为 IANA 时区名称，例如 Asia/Shanghai 或 UTC",
        ),
        (TooShort { min: 1 }, "is too short (at least 1)", "太短（长度至少 1）"),
        (TooLong { max: 2 }, "is too long (at most 2)", "太长（长度最多 2）"),
        (OutOfRange { min: 1, max: 2 }, "must be between 1 and 2", "必须在 1 与 2 之间"),
        (
            NotAfter { at: Timestamp(0) },
            "must be after 1970-01-01T00:00:00Z",
            "必须晚于 1970-01-01T00:00:00Z",
        ),
        (
            MomentOutOfRange { min: Timestamp(0), max: Timestamp(1) },
            "must be between 1970-01-01T00:00:00Z and 1970-01-01T00:00:00.001Z",
            "必须在 1970-01-01T00:00:00Z 与 1970-01-01T00:00:00.001Z 之间",
        ),
        (NotOneOf { allowed: "a, b" }, "must be one of a, b", "必须是以下之一：a, b"),
        (Duplicate, "appears twice", "重复出现"),
    ] {
        let rejection = Rejection::invalid("f", problem);
        assert_eq!(rejection.text(Lang::En), format!("f: {english}."));
        assert_eq!(rejection.text(Lang::Zh), format!("f：{chinese}。"));
    }
}

#[test]
fn a_chinese_sentence_has_chinese_words_beside_the_names() {
    use crate::fulfilment::{FulfilmentState, FulfilmentStep, PrizeKind};
    for (rejection, chinese) in [
        (
            Rejection::FulfilmentStepIllegal {
                state: FulfilmentState::ToShip,
                step: FulfilmentStep::Deliver,
            },
            "奖品处于待发货（to_ship）状态，不能执行签收（deliver）。",
        ),
        (Rejection::GivenForGood { kind: PrizeKind::Code }, "已发放的兑换码无法收回。"),
        (
            Rejection::OfferStepIllegal {
                state: crate::shop::OfferState::On,
                to: crate::shop::OfferState::Draft,
            },
            "商品处于上架（on）状态，不能改为草稿（draft）。",
        ),
    ] {
        assert_eq!(rejection.text(Lang::Zh), chinese);
    }
}

#[test]
fn spans_are_told_in_words() {
    for (ms, english, chinese) in [
        (2_592_000_000, "30 days", "30 天"),
        (86_400_000, "1 day", "1 天"),
        (90_000, "1 minute 30 seconds", "1 分钟 30 秒"),
        (3_600_000 + 1_000, "1 hour 1 second", "1 小时 1 秒"),
        (1_500, "1 second 500 ms", "1 秒 500 毫秒"),
        (0, "0 seconds", "0 秒"),
    ] {
        let rejection = Rejection::ExtendTooFar { max: Milliseconds(ms) };
        assert_eq!(
            rejection.text(Lang::En),
            format!("A hold lasts {english} at most, counted from its beginning.")
        );
        assert_eq!(rejection.text(Lang::Zh), format!("预扣自创建起最长保留 {chinese}。"));
    }
}

/// Whoever is told that a step does not exist hears which do.
#[test]
fn an_illegal_step_names_the_next_one() {
    for (state, words) in [
        (LifeState::Editing, ["Submit", "submit"]),
        (LifeState::InReview, ["withdraw", "withdraw"]),
        (LifeState::Refused, ["Edit it, at least to save it as it is, then submit it again", "重新提审"]),
        (LifeState::Approved, ["closed", "close"]),
        (LifeState::Running, ["paused", "pause"]),
        (LifeState::Paused, ["resumed", "resume"]),
        (LifeState::Closed, ["reopened", "reopen"]),
        (LifeState::Reopened, ["closed", "close"]),
    ] {
        let rejection = Rejection::StepIllegal { state, action: Action::Start };
        for (lang, word) in Lang::ALL.into_iter().zip(words) {
            let text = rejection.text(lang);
            assert!(text.contains(word) && text.contains(state.name()), "{state:?}: {text}");
        }
    }
}
