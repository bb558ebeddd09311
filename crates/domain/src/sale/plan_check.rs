//! What a sale's plan may say: every field that is wrong, at once; and why a sale could not work in its activity.

use super::attempt::CART_LINES_MAX;
use super::plan::SalePlan;
use crate::Rejection;
use crate::account::name::short_text;
use crate::activity::Configuration;
use crate::flaw::Flaw;
use crate::ids::PictureId;
use crate::ledger::TOTAL_MAX;
use crate::rejection::FieldProblem;
use crate::time::{DAY_MS, MINUTE_MS, SECOND_MS};

/// Characters of an item's name.
pub const NAME_MAX: usize = 80;
/// Characters of what is said about it.
pub const DETAILS_MAX: usize = 4_000;
pub const PICTURES_MAX: usize = 8;
/// Characters of a picture's id or address.
pub const PICTURE_MAX: usize = 500;
/// Of one unit, in the smallest unit of money.
pub const PRICE_MINOR_MAX: u64 = 10_000_000_000;
/// Units of one sale in one order.
pub const ORDER_UNITS_MAX: u32 = 1_000;
// What an order costs is a whole number in every program that reads it as JSON.
const _: () = assert!(PRICE_MINOR_MAX * ORDER_UNITS_MAX as u64 * (CART_LINES_MAX as u64) < 1 << 53);
/// Characters of an emoji with everything that is joined to it.
const EMOJI_MAX: usize = 8;
pub const PER_USER_MAX: u32 = 1_000_000;
pub const HOLD_MS_MIN: i64 = SECOND_MS;
pub const HOLD_MS_MAX: i64 = DAY_MS;
pub const HOLD_MS_DEFAULT: i64 = 15 * MINUTE_MS;
/// People whom a waiting room lets in per second.
pub const PER_SECOND_MAX: u32 = 100_000;

impl SalePlan {
    /// Every field that is wrong by itself, each by its name in the form.
    pub fn problems(&self) -> Vec<Rejection> {
        let Self {
            item,
            name,
            name_en,
            details,
            details_en,
            pictures,
            price,
            list_price_minor,
            units,
            per_user,
            hold_ms,
            policy: _,
            gate,
        } = self;
        let mut wrong = Vec::new();
        wrong.extend(short_text("sale.name", name, 1, NAME_MAX).err());
        wrong.extend(short_text("sale.name_en", name_en, 0, NAME_MAX).err());
        for (field, text) in [("sale.details", details), ("sale.details_en", details_en)] {
            let lines = text.replace("\r\n", "\n").replace('\n', " ");
            wrong.extend(short_text(field, &lines, 0, DETAILS_MAX).err());
        }
        if pictures.len() > PICTURES_MAX {
            let problem = FieldProblem::TooLong { max: PICTURES_MAX as u64 };
            wrong.push(Rejection::invalid("sale.pictures", problem));
        }
        for (at, picture) in pictures.iter().enumerate().take(PICTURES_MAX) {
            let field = format!("sale.pictures[{at}]");
            match short_text(&field, picture, 1, PICTURE_MAX) {
                Err(rejection) => wrong.push(rejection),
                Ok(_) if !is_picture(picture) => {
                    wrong.push(Rejection::invalid(&field, FieldProblem::Malformed));
                }
                Ok(_) => {}
            }
        }
        if item.pool().is_some_and(|pool| pool.0 <= 0) {
            wrong.push(Rejection::invalid("sale.pool", FieldProblem::Malformed));
        }
        wrong.extend(out_of("sale.price_minor", price.minor, 1, PRICE_MINOR_MAX));
        // A price that is struck through is higher than what is asked for now.
        let above = price.minor.saturating_add(1).min(PRICE_MINOR_MAX);
        wrong.extend(
            list_price_minor.and_then(|minor| out_of("sale.list_price_minor", minor, above, PRICE_MINOR_MAX)),
        );
        wrong.extend(out_of("sale.units", *units, 1, TOTAL_MAX));
        wrong.extend(out_of("sale.per_user", u64::from(*per_user), 0, u64::from(PER_USER_MAX)));
        if !(HOLD_MS_MIN..=HOLD_MS_MAX).contains(hold_ms) {
            let range =
                FieldProblem::OutOfRange { min: HOLD_MS_MIN / SECOND_MS, max: HOLD_MS_MAX / SECOND_MS };
            wrong.push(Rejection::invalid("sale.hold_s", range));
        }
        let per_second = gate.room.map(|room| u64::from(room.per_second));
        let max = u64::from(PER_SECOND_MAX);
        wrong.extend(per_second.and_then(|people| out_of("sale.gate.room.per_second", people, 1, max)));
        wrong
    }

    /// Why it could not be sold as it says, and what an activity says that means nothing to a sale.
    pub(crate) fn flaws(&self, configuration: &Configuration, cards: usize) -> Vec<Flaw> {
        let mut flaws: Vec<Flaw> = self.problems().into_iter().map(Flaw::from).collect();
        let mut say = |wrong: bool, field: &str, code, english, chinese| {
            if wrong {
                flaws.push(Flaw::new(field, code, english, chinese));
            }
        };
        let chances = configuration.chances();
        say(
            u64::from(self.per_user) > self.units && self.units > 0,
            "sale.per_user",
            "per_user_beyond_units",
            "One person may have more than there are: the limit would never bind. Use 0 for no limit.",
            "每人限购超过总库存，限购永远不会生效；不限购请填 0。",
        );
        say(
            !self.price.currency.is_known(),
            "sale.currency",
            "currency_unknown",
            "There is no such currency. Use a code of ISO 4217, such as CNY.",
            "没有这种货币，请使用 ISO 4217 代码，例如 CNY。",
        );
        say(
            chances.total > 0 || chances.month.is_some() || chances.day.is_some(),
            "chances",
            "sale_chances",
            "A sale has no chances. Limit what one person may buy instead.",
            "秒杀没有抽奖次数，请改用每人限购。",
        );
        say(
            configuration.entries().is_some(),
            "entries",
            "sale_entries",
            "A sale has no entries. Its units are its stock.",
            "秒杀没有总抽奖次数，库存即销售数量。",
        );
        say(cards > 0, "prizes", "sale_prizes", "A sale has no prizes.", "秒杀没有奖品。");
        flaws
    }

    /// Which of its pictures are ids of uploads, each with its place; nothing for a number that can be nobody's id.
    pub fn picture_ids(&self) -> impl Iterator<Item = (usize, Option<PictureId>)> + '_ {
        let ids = self.pictures.iter().enumerate().filter(|(_, picture)| is_id(picture));
        ids.map(|(at, picture)| (at, picture.parse().ok()))
    }
}

/// An id of an uploaded picture, an address on this site, an address elsewhere that a browser loads safely, or an emoji.
fn is_picture(picture: &str) -> bool {
    let here = picture.starts_with('/') && !picture.starts_with("//");
    let emoji = picture.chars().count() <= EMOJI_MAX && !picture.contains(|c: char| c.is_ascii());
    (is_id(picture) || here || emoji || picture.starts_with("https://"))
        && !picture.contains(char::is_whitespace)
}

fn is_id(picture: &str) -> bool {
    !picture.is_empty() && picture.bytes().all(|byte| byte.is_ascii_digit())
}

fn out_of(field: &str, value: u64, min: u64, max: u64) -> Option<Rejection> {
    let bound = |bound: u64| i64::try_from(bound).unwrap_or(i64::MAX);
    let range = FieldProblem::OutOfRange { min: bound(min), max: bound(max) };
    (!(min..=max).contains(&value)).then(|| Rejection::invalid(field, range))
}

#[cfg(test)]
pub(crate) mod rows {
    use super::*;
    use crate::activity::tests::draft;
    use crate::activity::{ActivityDraft, Chances, KindSettings};
    use crate::ids::CodePoolId;
    use crate::sale::{Currency, GatePlan, ItemKind, Policy, Price, RoomPlan};

    pub(crate) fn plan() -> SalePlan {
        SalePlan {
            item: ItemKind::Parcel,
            name: "Teapot".to_owned(),
            name_en: String::new(),
            details: "Clay.\nHolds a litre.".to_owned(),
            details_en: String::new(),
            pictures: Vec::new(),
            price: Price { minor: 9_900, currency: Currency::parse("CNY").unwrap() },
            list_price_minor: None,
            units: 200,
            per_user: 1,
            hold_ms: HOLD_MS_DEFAULT,
            policy: Policy::AtOrder,
            gate: GatePlan::default(),
        }
    }

    fn activity() -> ActivityDraft {
        let chances = Chances { total: 0, month: None, day: None };
        ActivityDraft { kind: KindSettings::Sale, chances, entries: None, tree: None, ..draft() }
    }

    fn check(expected: &[&str], change: impl FnOnce(&mut SalePlan, &mut ActivityDraft)) {
        let (mut plan, mut draft) = (plan(), activity());
        change(&mut plan, &mut draft);
        let flaws = plan.flaws(&draft.check().unwrap(), 0);
        let told: Vec<String> = flaws.iter().map(|flaw| format!("{} {}", flaw.field, flaw.code)).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn what_could_not_be_sold() {
        let text = |length: usize| "x".repeat(length);
        let room = |per_second| Some(RoomPlan { per_second });
        let pictures = |picture: &str| vec![picture.to_owned()];
        check(&[], |_, _| {});
        check(&[], |plan, _| plan.name = text(NAME_MAX));
        check(&["sale.name too_short"], |plan, _| plan.name = " ".into());
        check(&["sale.name too_long"], |plan, _| plan.name = text(NAME_MAX + 1));
        check(&["sale.details too_long"], |plan, _| plan.details = text(DETAILS_MAX + 1));
        check(&[], |plan, _| plan.pictures = vec!["12".into(); PICTURES_MAX]);
        check(&["sale.pictures too_long"], |plan, _| plan.pictures = vec!["12".into(); PICTURES_MAX + 1]);
        check(&[], |plan, _| plan.pictures = pictures("https://example.com/a.png"));
        check(&[], |plan, _| plan.pictures = pictures("/pictures/tea.svg"));
        check(&[], |plan, _| plan.pictures = pictures("❄️"));
        check(&["sale.pictures[0] too_short"], |plan, _| plan.pictures = pictures(""));
        for bad in [
            "http://example.com/a.png",
            "//example.com/a",
            "javascript:alert(1)",
            "-1",
            "https://a b",
            "茶壶茶壶茶壶茶壶茶",
        ] {
            check(&["sale.pictures[0] malformed"], |plan, _| plan.pictures = pictures(bad));
        }
        check(&["sale.pool malformed"], |plan, _| plan.item = ItemKind::Code { pool: CodePoolId(0) });
        for (code, flaws) in [("JPY", &[][..]), ("ZZZ", &["sale.currency currency_unknown"])] {
            check(flaws, |plan, _| plan.price.currency = Currency::parse(code).unwrap());
        }
        check(&[], |plan, _| plan.price.minor = PRICE_MINOR_MAX);
        for minor in [0, PRICE_MINOR_MAX + 1] {
            check(&["sale.price_minor out_of_range"], |plan, _| plan.price.minor = minor);
        }
        check(&[], |plan, _| plan.list_price_minor = Some(9_901));
        for minor in [0, 9_900, PRICE_MINOR_MAX + 1] {
            check(&["sale.list_price_minor out_of_range"], |plan, _| plan.list_price_minor = Some(minor));
        }
        check(&["sale.name_en too_long"], |plan, _| plan.name_en = text(NAME_MAX + 1));
        check(&["sale.details_en too_long"], |plan, _| plan.details_en = text(DETAILS_MAX + 1));
        for units in [0, TOTAL_MAX + 1] {
            check(&["sale.units out_of_range"], |plan, _| plan.units = units);
        }
        check(&[], |plan, _| plan.per_user = 0);
        check(&["sale.per_user per_user_beyond_units"], |plan, _| plan.per_user = 201);
        check(&["sale.per_user out_of_range"], |plan, _| {
            (plan.per_user, plan.units) = (PER_USER_MAX + 1, TOTAL_MAX);
        });
        for hold_ms in [0, -1, HOLD_MS_MIN - 1, HOLD_MS_MAX + 1] {
            check(&["sale.hold_s out_of_range"], |plan, _| plan.hold_ms = hold_ms);
        }
        check(&[], |plan, _| plan.gate.room = room(PER_SECOND_MAX));
        for per_second in [0, PER_SECOND_MAX + 1] {
            check(&["sale.gate.room.per_second out_of_range"], |plan, _| plan.gate.room = room(per_second));
        }
    }

    #[test]
    fn what_means_nothing_to_a_sale() {
        check(&["chances sale_chances"], |_, draft| draft.chances.total = 1);
        check(&["entries sale_entries"], |_, draft| draft.entries = Some(5));
        check(&[], |_, draft| draft.tree = Some(5));
        check(&["sale.name too_short", "entries sale_entries"], |plan, draft| {
            plan.name.clear();
            draft.entries = Some(5);
        });
        let codes: Vec<&str> =
            plan().flaws(&activity().check().unwrap(), 1).iter().map(|flaw| flaw.code).collect();
        assert_eq!(codes, ["sale_prizes"]);
    }
}
