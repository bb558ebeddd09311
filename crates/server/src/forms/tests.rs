//! Forms: what is written comes back, and everything that is wrong is said with its field.

use std::path::Path;

use domain::Lang;
use domain::activity::{Plan, PoolUse, flaws};
use domain::fulfilment::{Gift, PrizeKind};
use domain::ids::ActivityId;
use domain::lottery::strategy::{Mode, PrizeId, PrizeStock};
use domain::time::Timestamp;

use super::{ActivityForm, form_field, resolve_moments};

const ACTIVITY: ActivityId = ActivityId(77);
const VERSION: u32 = 3;
/// What the examples count from.
const NOW_MS: i64 = 1_794_700_800_000;

const SMALL: &str = r#"
    name = "Small"
    from = "2026-11-15T00:00:00Z"
    until = 1795000000000
    chances = { total = 10, day = 2 }
    prizes = [
        { name = "Tea", odds = 1000, units = 5 },
        { name = "Points", odds = 2000, unlimited = true, kind = "points", amount = 3 },
    ]
"#;

fn form(text: &str) -> ActivityForm {
    toml::from_str(&resolve_moments(text, Timestamp(NOW_MS))).unwrap_or_else(|error| panic!("{error}"))
}

fn examples() -> Vec<(String, ActivityForm)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let written = files.filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let named = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path.file_name().unwrap().to_string_lossy().into_owned(), form(&text))
    };
    written.map(named).collect()
}

#[test]
fn the_examples_have_no_flaw() {
    let examples = examples();
    assert!(examples.len() >= 6, "wheel, nine-grid, blind box, raffle, sale, collectible");
    for (name, form) in examples {
        let written = form.read(ACTIVITY, VERSION).unwrap_or_else(|wrong| panic!("{name}: {wrong:?}"));
        assert_eq!(flaws(&written, form_field), [], "{name}");
    }
}

/// TOML → form → plan → form → JSON → form → plan.
#[test]
fn what_was_read_can_be_written_again() {
    let small = ("small".to_owned(), form(SMALL));
    for (name, form) in examples().into_iter().chain([small]) {
        let written = form.read(ACTIVITY, VERSION).unwrap();
        let again = ActivityForm::from((&written.configuration, &written.plan, &written.cards[..]));
        assert_eq!(again.read(ACTIVITY, VERSION).as_ref(), Ok(&written), "{name}");
        let json = serde_json::to_string(&again).unwrap();
        let reread: ActivityForm = serde_json::from_str(&json).unwrap();
        assert_eq!(reread, again, "{name}");
        assert_eq!(
            ActivityForm::from((&written.configuration, &written.plan, &written.cards[..])),
            again,
            "{name}: filled in once, it does not change"
        );
    }
}

#[test]
fn what_is_not_said_has_a_meaning() {
    let written = form(SMALL).read(ACTIVITY, VERSION).unwrap();
    let Plan::Instant(strategy) = &written.plan else { panic!("instant unless said otherwise") };
    assert_eq!((strategy.whole, strategy.mode, strategy.version), (1_000_000, Mode::Fixed, VERSION));
    assert_eq!(written.configuration.zone(), "UTC");
    let id = |number| PrizeId::new(number).unwrap();
    let places: Vec<_> = strategy.prizes.iter().map(|prize| (prize.id, prize.slot.0)).collect();
    assert_eq!(places, [(id(0), 0), (id(1), 1)], "ids and slots are places");
    assert_eq!(strategy.miss_slot.0, 2, "the first that is free");
    let pool = PoolUse::Prize(id(0)).pool_name(ACTIVITY).pool();
    assert_eq!(strategy.prizes[0].stock, PrizeStock::Pool { pool, units: 5 });
    let gifts: Vec<_> = written.cards.iter().map(|card| Some(card.gift)).collect();
    assert_eq!(gifts, [Some(Gift::TEXT), Gift::new(PrizeKind::Points, Some(3))]);
}

/// What a changed line is said to be wrong with.
fn wrong(from: &str, to: &str) -> Vec<String> {
    assert!(SMALL.contains(from), "{from}");
    let told = form(&SMALL.replace(from, to)).read(ACTIVITY, VERSION).err().unwrap_or_default();
    told.iter().map(|one| one.text(Lang::En)).collect()
}

#[test]
fn every_problem_names_its_field() {
    for (from, to, fields) in [
        ("Small", "Little", &[][..]),
        ("Small", "", &["name"]),
        ("until = 1795000000000", "until = 1", &["until"]),
        ("chances", "zone = \"Atlantis\"\nchances", &["zone"]),
        ("chances", "zone = \"?\"\nchances", &["zone"]),
        ("chances", "tree = \"seven\"\nchances", &["tree"]),
        ("chances", "tree = \"-7\"\nchances", &["tree"]),
        ("chances", "draw_at = 5\nbeacon = \"b\"\nchances", &["draw_at", "beacon"]),
        ("units = 5", "units = 5, unlimited = true", &["prizes[0].units"]),
        ("units = 5", "cost_minor = 5", &["prizes[0].units"]),
        ("units = 5", "units = 5, id = 4096", &["prizes[0].id"]),
        ("units = 5", "units = 5, amount = 1", &["prizes[0].amount"]),
        ("units = 5", "units = 5, kind = \"code\", pool = \"here\"", &["prizes[0].pool"]),
        ("amount = 3", "amount = 0", &["prizes[1].amount"]),
        (", amount = 3", "", &["prizes[1].amount"]),
        ("amount = 3", "amount = 3, picture = \"\\u0007\"", &["prizes[1].picture"]),
        (
            "chances",
            "consolation = 5000\npity = { prize = 5000, misses = 1 }\nchances",
            &["consolation", "pity.prize"],
        ),
        (
            "chances",
            "tiers = { steps = [{ from = 1, odds = [{ prize = 0, odds = 1 }, { prize = 9999, odds = 1 }] }] }\nchances",
            &["tiers.steps[0].odds[1].prize"],
        ),
        (
            "chances",
            "kind = \"raffle\"\npity = { prize = 0, misses = 1 }\nchances",
            &[
                "draw_at",
                "pity",
                "prizes[0].odds",
                "prizes[1].odds",
                "prizes[1].unlimited",
                "prizes[1].units",
            ],
        ),
    ] {
        let got = wrong(from, to);
        let named: Vec<&str> = got.iter().filter_map(|text| text.split(": ").next()).collect();
        assert_eq!(named, fields, "{to}: {got:?}");
    }
}

/// A flaw of the strategy is told in the form's own fields.
#[test]
fn flaws_are_told_where_they_were_written() {
    for (from, to, expected) in [
        (
            "odds = 1000",
            "odds = 0",
            &[("odds_zero", "prizes[0].odds"), ("prize_unreachable", "prizes[0]")][..],
        ),
        ("odds = 1000, ", "", &[("prize_unreachable", "prizes[0]")]),
        ("odds = 1000", "odds = 999000", &[("odds_exceed_whole", "prizes")]),
        ("units = 5", "units = 0", &[("stock_zero", "prizes[0].units")]),
        ("units = 5", "units = 5, slot = 1", &[("slot_twice", "prizes[1].slot")]),
        (
            "units = 5",
            "units = 5, unlock = { draws = 3, scope = \"today\" }",
            &[("unlock_beyond_quota", "prizes[0].unlock.draws")],
        ),
        (
            "chances",
            "tiers = { steps = [{ from = 0, odds = [] }, { from = 4, odds = [{ prize = 0, odds = 0 }] }] }\nchances",
            &[
                ("table_empty", "tiers.steps[0].odds"),
                ("table_empty", "tiers.steps[1].odds"),
                ("odds_zero", "tiers.steps[1].odds[0].odds"),
                ("tiers_not_increasing", "tiers.steps[0].from"),
            ],
        ),
        ("units = 5", "units = 5, kind = \"code\"", &[("pool_missing", "prizes[0].pool")]),
        ("units = 5", "units = 5, kind = \"code\", pool = \"12\"", &[]),
        (
            "units = 5",
            "units = 5, claim_within = \"0d\"",
            &[("claim_within_out_of_range", "prizes[0].claim_within")],
        ),
        ("units = 5", "units = 5, grant = 5", &[("grant_too_early", "prizes[0].grant")]),
    ] {
        assert!(SMALL.contains(from), "{from}");
        let written = form(&SMALL.replacen(from, to, 1)).read(ACTIVITY, VERSION).unwrap();
        let told = flaws(&written, form_field);
        let told: Vec<_> = told.iter().map(|one| (one.code, one.field.as_str())).collect();
        assert_eq!(told, expected, "{to}");
    }
}

#[test]
fn a_word_that_is_not_known_is_refused() {
    for (from, to) in [
        ("chances", "chanses = 1\nchances"),
        ("odds = 1000", "ods = 1000"),
        ("day = 2", "daily = 2"),
        ("\"points\"", "\"money\""),
        ("units = 5", "units = 5, grant = \"soon\""),
        ("units = 5", "units = 5, claim_within = \"a week\""),
    ] {
        assert!(toml::from_str::<ActivityForm>(&SMALL.replacen(from, to, 1)).is_err(), "{to}");
    }
}
