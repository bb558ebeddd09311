//! Why a prize could never be given as its card says, asked at submit.

use super::configuration::Configuration;
use super::plan::Card;
use super::validate::WINDOW_MS_MAX;
use crate::flaw::Flaw;
use crate::fulfilment::PrizeKind;
use crate::fulfilment::{CLAIM_WITHIN_MS_MAX, CLAIM_WITHIN_MS_MIN};

/// Every reason at once. A card goes by its place among the prizes.
pub fn card_flaws(configuration: &Configuration, cards: &[Card]) -> Vec<Flaw> {
    cards.iter().enumerate().flat_map(|(at, card)| one(configuration, at, card)).collect()
}

fn one(configuration: &Configuration, at: usize, card: &Card) -> Vec<Flaw> {
    let window = configuration.window();
    let mut flaws = Vec::new();
    let mut say = |wrong: bool, field: &str, code, english, chinese| {
        if wrong {
            flaws.push(Flaw::new(format!("prizes[{at}].{field}"), code, english, chinese));
        }
    };
    let is_code = card.gift.kind() == PrizeKind::Code;
    say(
        is_code && card.pool.is_none(),
        "pool",
        "pool_missing",
        "A code has to come from a pool of codes.",
        "兑换码奖品必须指定码池。",
    );
    say(
        !is_code && card.pool.is_some(),
        "pool",
        "pool_misplaced",
        "Only a code comes from a pool of codes.",
        "只有兑换码奖品可以指定码池。",
    );
    let too_early = card.grant.at().is_some_and(|time| time <= window.from);
    say(
        too_early,
        "grant",
        "grant_too_early",
        "Nothing can be won before this time: it would be granted at once.",
        "该时间之前不可能中奖，等同于立即发放。",
    );
    let too_late = card.grant.at().is_some_and(|time| time > window.until + WINDOW_MS_MAX);
    say(
        too_late,
        "grant",
        "grant_too_late",
        "This is years after the activity has ended.",
        "发放时间距活动结束过久。",
    );
    let bounds = CLAIM_WITHIN_MS_MIN..=CLAIM_WITHIN_MS_MAX;
    say(
        card.claim_within_ms.is_some_and(|within| !bounds.contains(&within)),
        "claim_within",
        "claim_within_out_of_range",
        "Give the winner a minute at least, and three years at most.",
        "领取期限须在一分钟到三年之间。",
    );
    flaws
}

#[cfg(test)]
mod rows {
    use super::*;
    use crate::activity::tests::draft;
    use crate::fulfilment::{Gift, Grant};
    use crate::ids::CodePoolId;
    use crate::lottery::strategy::PrizeId;
    use crate::time::Timestamp;

    #[test]
    fn what_could_never_be_given() {
        let pool = Some(CodePoolId(1));
        let at = |ms| Grant::At(Timestamp(ms));
        // The window is from 1000 to 2000.
        for (kind, grant, claim_within_ms, pool, expected) in [
            (PrizeKind::Text, Grant::Now, None, None, &[][..]),
            (PrizeKind::Code, Grant::Now, None, pool, &[]),
            (PrizeKind::Code, Grant::Now, None, None, &["pool_missing"]),
            (PrizeKind::Coupon, Grant::Now, None, pool, &["pool_misplaced"]),
            (PrizeKind::Parcel, at(1_000), None, None, &["grant_too_early"]),
            (PrizeKind::Parcel, at(1_001), None, None, &[]),
            (PrizeKind::Parcel, at(2_000 + WINDOW_MS_MAX), None, None, &[]),
            (PrizeKind::Parcel, at(2_001 + WINDOW_MS_MAX), None, None, &["grant_too_late"]),
            (PrizeKind::Text, Grant::ByHand, Some(0), None, &["claim_within_out_of_range"]),
            (PrizeKind::Text, Grant::ByHand, Some(-1), None, &["claim_within_out_of_range"]),
            (PrizeKind::Text, Grant::ByHand, Some(CLAIM_WITHIN_MS_MIN), None, &[]),
            (
                PrizeKind::Text,
                Grant::ByHand,
                Some(CLAIM_WITHIN_MS_MAX + 1),
                None,
                &["claim_within_out_of_range"],
            ),
        ] {
            let gift = Gift::new(kind, None).unwrap();
            let card = Card { grant, claim_within_ms, pool, ..Card::plain(PrizeId::new(1).unwrap(), gift) };
            let flaws = card_flaws(&draft().check().unwrap(), &[Card::plain(card.prize, Gift::TEXT), card]);
            let codes: Vec<&str> = flaws.iter().map(|flaw| flaw.code).collect();
            assert_eq!(codes, expected, "{kind:?} {grant:?} {claim_within_ms:?}");
            assert!(flaws.iter().all(|flaw| flaw.field.starts_with("prizes[1].")));
        }
    }
}
