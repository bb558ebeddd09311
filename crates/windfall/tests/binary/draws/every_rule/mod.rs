//! Hole 72: every rule that the form of an activity offers is driven from the form to what a player draws.
//!
//! The table below has a row for every field and every choice in the schemas of the form. A field without a row fails the
//! test, and so does a row that names a test which is not there: nothing can be offered and plugged in nowhere.

mod stories;

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::activities::fixtures::{Crew, HOUR_MS, now_ms};
use crate::process::Home;

/// What shows that a field has its effect.
#[derive(Clone, Copy)]
enum Shown {
    /// A story of this module.
    Here(&'static str),
    /// A test with this name.
    By(&'static str),
}

use Shown::{By, Here};

/// Schemas of the form that say something about draws. Sales have a form of their own.
const SCHEMAS: [&str; 14] = [
    "ActivityForm",
    "PrizeForm",
    "ChancesForm",
    "UnlockForm",
    "ReleaseForm",
    "TiersForm",
    "TierBy",
    "TierForm",
    "OddsForm",
    "FallbackForm",
    "PityForm",
    "BudgetForm",
    "OddsMode",
    "UnlockScope",
];

const ROWS: &[(&str, Shown)] = &[
    ("ActivityForm.name", By("a_draw_is_told_with_its_slot_its_prize_and_what_is_left")),
    ("ActivityForm.description", By("a_draw_is_told_with_its_slot_its_prize_and_what_is_left")),
    ("ActivityForm.name_en", By("texts_in_two_languages_reach_players_as_they_were_approved")),
    ("ActivityForm.description_en", By("texts_in_two_languages_reach_players_as_they_were_approved")),
    ("ActivityForm.organiser", By("texts_in_two_languages_reach_players_as_they_were_approved")),
    ("ActivityForm.organiser_en", By("texts_in_two_languages_reach_players_as_they_were_approved")),
    ("ActivityForm.rules", By("texts_in_two_languages_reach_players_as_they_were_approved")),
    ("ActivityForm.rules_en", By("texts_in_two_languages_reach_players_as_they_were_approved")),
    ("ActivityForm.contact", By("texts_in_two_languages_reach_players_as_they_were_approved")),
    ("PrizeForm.name_en", By("texts_in_two_languages_reach_players_as_they_were_approved")),
    ("PrizeForm.details_en", By("texts_in_two_languages_reach_players_as_they_were_approved")),
    ("ActivityForm.from", By("windows_states_and_switches_have_refusals_of_their_own")),
    ("ActivityForm.until", By("windows_states_and_switches_have_refusals_of_their_own")),
    ("ActivityForm.zone", By("a_day_belongs_to_its_zone_and_has_its_own_length")),
    ("ActivityForm.kind", By("from_the_first_entry_to_winners_that_anybody_can_draw_again")),
    ("ActivityForm.game", By("texts_in_two_languages_reach_players_as_they_were_approved")),
    ("ActivityForm.ten", Here("ten_at_once")),
    ("ActivityForm.draw_at", By("from_the_first_entry_to_winners_that_anybody_can_draw_again")),
    ("ActivityForm.beacon", By("a_beacon_is_told_after_the_roll_and_once")),
    ("ActivityForm.entries", Here("entries_of_everybody_together")),
    ("ActivityForm.chances", Here("chances_in_all_by_month_and_by_day")),
    ("ActivityForm.tree", Here("a_tree_says_who_may_take_part")),
    ("ActivityForm.whole", Here("odds_are_parts_of_the_whole")),
    ("ActivityForm.mode", Here("what_is_gone_keeps_its_slice_or_leaves")),
    ("ActivityForm.prizes", Here("odds_are_parts_of_the_whole")),
    ("ActivityForm.sale", By("a_sale_is_written_reviewed_and_shown")),
    ("ActivityForm.tiers", Here("tiers_by_draws")),
    ("ActivityForm.consolation", Here("the_block_list_gets_the_consolation")),
    ("ActivityForm.fallback", Here("the_fallback_has_a_range_and_a_budget")),
    ("ActivityForm.pity", Here("pity_after_misses")),
    ("ActivityForm.budget", Here("budgets_in_all_and_by_day")),
    ("ActivityForm.miss_slot", Here("prizes_and_misses_have_their_slots")),
    ("PrizeForm.id", Here("prizes_and_misses_have_their_slots")),
    ("PrizeForm.name", Here("odds_are_parts_of_the_whole")),
    ("PrizeForm.slot", Here("prizes_and_misses_have_their_slots")),
    ("PrizeForm.odds", Here("odds_are_parts_of_the_whole")),
    ("PrizeForm.units", Here("units_run_out_and_unlimited_does_not")),
    ("PrizeForm.unlimited", Here("units_run_out_and_unlimited_does_not")),
    ("PrizeForm.cost_minor", Here("budgets_in_all_and_by_day")),
    ("PrizeForm.kind", By("a_parcel_from_the_win_to_the_door")),
    ("PrizeForm.amount", By("points_are_on_the_account")),
    ("PrizeForm.details", By("a_text_is_given_by_being_won")),
    ("PrizeForm.picture", By("everybody_sees_who_wins_and_nobody_who_that_is")),
    ("PrizeForm.grant", By("hole_50_what_is_granted_by_hand_waits_for_a_hand")),
    ("PrizeForm.claim_within", By("hole_49_what_lapses_returns_its_unit_once")),
    ("PrizeForm.pool", By("a_code_is_shown_to_its_winner_alone")),
    ("PrizeForm.unlock", Here("unlock_in_all_and_today")),
    ("PrizeForm.win_cap", Here("a_cap_of_wins_per_player")),
    ("PrizeForm.release", Here("units_are_released_over_time")),
    ("PrizeForm.hourly_cap", Here("a_cap_per_hour")),
    ("PrizeForm.withdrawn_for", Here("withdrawn_for_users_with_a_risk_label")),
    ("ChancesForm.total", Here("chances_in_all_by_month_and_by_day")),
    ("ChancesForm.month", Here("chances_in_all_by_month_and_by_day")),
    ("ChancesForm.day", Here("chances_in_all_by_month_and_by_day")),
    ("UnlockForm.draws", Here("unlock_in_all_and_today")),
    ("UnlockForm.scope", Here("unlock_in_all_and_today")),
    ("UnlockForm.current_counts", Here("unlock_in_all_and_today")),
    ("UnlockScope=today", Here("unlock_in_all_and_today")),
    ("UnlockScope=in_all", Here("unlock_in_all_and_today")),
    ("ReleaseForm.at", Here("units_are_released_over_time")),
    ("ReleaseForm.units", Here("units_are_released_over_time")),
    ("TiersForm.by", Here("tiers_by_points_spent")),
    ("TiersForm.steps", Here("tiers_by_draws")),
    ("TierForm.from", Here("tiers_by_points_spent")),
    ("TierForm.odds", Here("tiers_by_draws")),
    ("TierBy=draws", Here("tiers_by_draws")),
    ("TierBy=points_spent", Here("tiers_by_points_spent")),
    ("OddsForm.prize", Here("tiers_by_draws")),
    ("OddsForm.odds", Here("tiers_by_draws")),
    ("FallbackForm.prize", Here("the_fallback_has_a_range_and_a_budget")),
    ("FallbackForm.amount_min", Here("the_fallback_has_a_range_and_a_budget")),
    ("FallbackForm.amount_max", Here("the_fallback_has_a_range_and_a_budget")),
    ("FallbackForm.budget_amount", Here("the_fallback_has_a_range_and_a_budget")),
    ("PityForm.prize", Here("pity_after_misses")),
    ("PityForm.misses", Here("pity_after_misses")),
    ("BudgetForm.total_minor", Here("budgets_in_all_and_by_day")),
    ("BudgetForm.day_minor", Here("budgets_in_all_and_by_day")),
    ("OddsMode=fixed", Here("what_is_gone_keeps_its_slice_or_leaves")),
    ("OddsMode=renormalised", Here("what_is_gone_keeps_its_slice_or_leaves")),
];

/// Every field `Schema.field` and every choice `Schema=choice` of the form, from the API document.
fn offered() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("api/openapi.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let mut found = BTreeSet::new();
    for name in SCHEMAS {
        let schema = &document["components"]["schemas"][name];
        assert!(schema.is_object(), "there is no schema {name}");
        let fields = schema["properties"].as_object().into_iter().flatten();
        found.extend(fields.map(|(field, _)| format!("{name}.{field}")));
        let listed = schema["enum"].as_array().cloned().unwrap_or_default();
        // With words of its own, a choice is a schema of its own.
        let told = schema["oneOf"].as_array().into_iter().flatten().filter_map(|one| one["enum"].as_array());
        let choices = listed.iter().chain(told.flatten()).filter_map(Value::as_str);
        found.extend(choices.map(|choice| format!("{name}={choice}")));
    }
    found
}

/// The names of all functions in the tests and sources of the workspace.
fn functions() -> BTreeSet<String> {
    fn walk(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                if entry.file_name() != "target" {
                    walk(&path, found);
                }
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let names = text.split("fn ").skip(1).filter_map(|rest| rest.split(['(', '<']).next());
                found.extend(names.map(str::to_owned));
            }
        }
    }
    let mut found = BTreeSet::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut found);
    found
}

#[test]
fn hole_72_every_field_of_the_form_has_a_row_and_every_row_a_test() {
    let rows: BTreeSet<String> = ROWS.iter().map(|(field, _)| (*field).to_owned()).collect();
    assert_eq!(rows.len(), ROWS.len(), "a field has one row");
    assert_eq!(offered(), rows, "what is offered, and what is shown to work");
    let (functions, stories) = (functions(), stories::NAMES);
    for (field, shown) in ROWS {
        match shown {
            Here(story) => assert!(stories.contains(story), "{field}: there is no story {story}"),
            By(test) => assert!(functions.contains(*test), "{field}: there is no test {test}"),
        }
    }
}

#[tokio::test]
async fn hole_72_every_rule_works_from_the_form_to_the_draw() {
    // No hour, day or month ends between two draws: the clock starts in the first half of an hour.
    let (home, past) = (Home::with_clock(&[]), now_ms() % HOUR_MS);
    home.clock_off(if past < HOUR_MS / 2 { 0 } else { HOUR_MS - past });
    let server = home.demo().await;
    let stage = stories::Stage { home: &home, server: &server, crew: Crew::new(&server).await };
    stories::tell_all(&stage).await;
}
