//! The same for activities: forms that cannot be read, steps without what they need, prizes that are not there.

use serde_json::{Value, json};

use super::rows::row;
use super::suite::{Row, Stage};
use crate::activities::fixtures::running;

/// The beacon of a raffle.
pub fn raffles(stage: &Stage) -> Vec<Row> {
    let tell =
        |id: &str, body: Value| stage.admin("POST", &format!("/activities/{id}/raffle/beacon")).json(body);
    let (raffle, value) = (stage.raffle.as_str(), json!({ "value": "6 2 5" }));
    let look = |rest: &str| stage.anybody("GET", &format!("/play/activities/{raffle}/raffle{rest}"));
    vec![
        row("a beacon before the roll", tell(raffle, value.clone()), 409, "roll_unpublished", ""),
        row("a beacon of a wheel", tell(&stage.activity, value.clone()), 409, "draws_only", ""),
        row("a beacon of nothing", tell("7", value), 404, "not_found", ""),
        row("no value", tell(raffle, json!({})), 400, "invalid_field", "value"),
        row("an empty value", tell(raffle, json!({ "value": "" })), 400, "invalid_field", "value"),
        row(
            "a value with a zero byte",
            tell(raffle, json!({ "value": "\u{0}" })),
            400,
            "invalid_field",
            "value",
        ),
        row(
            "a value too long",
            tell(raffle, json!({ "value": "字".repeat(334) })),
            400,
            "invalid_field",
            "value",
        ),
        row("a mistyped field", tell(raffle, json!({ "valeu": "6" })), 400, "invalid_field", "valeu"),
        row(
            "a round that is not there",
            tell(raffle, json!({ "value": "6", "round": 2 })),
            404,
            "not_found",
            "",
        ),
        row("a roll before its time", look("/roll"), 409, "roll_unpublished", ""),
        row("winners before the roll", look("/winners"), 409, "roll_unpublished", ""),
        row("a round in words", look("?round=one"), 400, "invalid_field", "round"),
    ]
}

pub fn activities(stage: &Stage) -> Vec<Row> {
    let write = |change: fn(&mut Value)| {
        let mut form = running();
        change(&mut form);
        stage.admin("POST", "/activities").json(form)
    };
    let at = |rest: &str| format!("/activities/{}{rest}", stage.activity);
    let post = |rest: &str, body: Value| stage.admin("POST", &at(rest)).json(body);
    let edit = |query: &str| stage.admin("PUT", &at(query)).json(running());
    let restock = |prize: &str, id: &str, delta: i64, reason: &str| {
        post(&format!("/prizes/{prize}/restock"), json!({ "id": id, "delta": delta, "reason": reason }))
    };
    let switch = |what: &str, prize: &str, id: &str, reason: &str| {
        post(&format!("/prizes/{prize}/{what}"), json!({ "id": id, "reason": reason }))
    };
    let grant = |user: &str, rule: &str, period: &str, chances: i64, reason: &str| {
        let body =
            json!({ "user": user, "rule": rule, "period": period, "chances": chances, "reason": reason });
        post("/grants", body)
    };
    let player = stage.player_id();
    let play = |rest: &str| stage.player("GET", &format!("/play/activities/{}{rest}", stage.activity));
    let look = |rest: &str| stage.admin("GET", &at(rest));
    let halt = |body: Value| stage.admin("POST", "/admin/halt").json(body);
    let discard = |body: Value| post("/discard", body);
    vec![
        row("a draft without its edition", discard(json!({})), 400, "invalid_field", "edition"),
        row("nothing in the making", discard(json!({ "edition": 1 })), 409, "step_illegal", ""),
        row(
            "a draft of nothing",
            stage.admin("POST", "/activities/7/discard").json(json!({ "edition": 1 })),
            404,
            "not_found",
            "",
        ),
        row("a timeline of words", stage.admin("GET", "/activities/tea/timeline"), 404, "not_found", ""),
        row("uses of no tree", stage.admin("GET", "/trees/7/uses"), 404, "not_found", ""),
        row("a game that is none", write(|form| form["game"] = json!("chess")), 400, "invalid_field", "game"),
        row(
            "an end in words",
            stage.admin("GET", "/activities?ended_from_ms=x"),
            400,
            "invalid_field",
            "ended_from_ms",
        ),
        row("no name", write(|form| form["name"] = json!("")), 422, "flawed", ""),
        row("a name of the wrong type", write(|form| form["name"] = json!(7)), 400, "invalid_field", "name"),
        row("a mistyped field", write(|form| form["entrys"] = json!(7)), 400, "invalid_field", "entrys"),
        row(
            "a mistyped field of a prize",
            write(|form| form["prizes"][1]["odd"] = json!(7)),
            400,
            "invalid_field",
            "prizes[1].odd",
        ),
        row(
            "odds below nothing",
            write(|form| form["prizes"][0]["odds"] = json!(-1)),
            400,
            "invalid_field",
            "prizes[0].odds",
        ),
        row(
            "half a part",
            write(|form| form["prizes"][0]["odds"] = json!(0.5)),
            400,
            "invalid_field",
            "prizes[0].odds",
        ),
        row("a moment in words", write(|form| form["from"] = json!("soon")), 400, "invalid_field", "from"),
        row("an end before the start", write(|form| form["until"] = json!(1)), 422, "flawed", ""),
        row("a zone that is not", write(|form| form["zone"] = json!("Mars/Olympus")), 422, "flawed", ""),
        row("a kind that is not", write(|form| form["kind"] = json!("bingo")), 400, "invalid_field", "kind"),
        row(
            "points without an amount",
            write(|form| form["prizes"][1]["amount"] = json!(null)),
            422,
            "flawed",
            "",
        ),
        row("an edit that names no edition", edit(""), 400, "invalid_field", "query"),
        row("an edition below nothing", edit("?edition=-1"), 400, "invalid_field", "edition"),
        row("an edition that is not the newest", edit("?edition=7"), 409, "edited_meanwhile", ""),
        row(
            "an edit of nothing",
            stage.admin("PUT", "/activities/7?edition=1").json(running()),
            404,
            "not_found",
            "",
        ),
        row("an id in words", stage.admin("GET", "/activities/wheel"), 404, "not_found", ""),
        row("a version in words", stage.admin("GET", &at("/versions/first")), 404, "not_found", ""),
        row("a version that is not there", stage.admin("GET", &at("/versions/9/diff")), 404, "not_found", ""),
        row(
            "a state that is not",
            stage.admin("GET", "/activities?state=asleep"),
            400,
            "invalid_field",
            "state",
        ),
        row("closing without a word", post("/close", json!({})), 400, "invalid_field", "reason"),
        row(
            "closing without a reason",
            post("/close", json!({ "reason": " " })),
            400,
            "invalid_field",
            "reason",
        ),
        row(
            "a reason too long",
            post("/pause", json!({ "reason": "x".repeat(501) })),
            400,
            "invalid_field",
            "reason",
        ),
        row("refusing without a reason", post("/refuse", json!({})), 400, "invalid_field", "reason"),
        row(
            "approving half a version",
            post("/approve", json!({ "version": 1 })),
            400,
            "invalid_field",
            "edition",
        ),
        row("approving nothing", post("/approve", json!({})), 409, "step_illegal", ""),
        row("reopening what runs", post("/reopen", json!({ "reason": "x" })), 409, "step_illegal", ""),
        row("a restock of nothing", restock("0", "r", 0, "x"), 400, "invalid_field", "delta"),
        row("a restock without a reason", restock("0", "r", 1, ""), 400, "invalid_field", "reason"),
        row("a restock without an id", restock("0", "", 1, "x"), 400, "invalid_field", "id"),
        row("more taken than there is", restock("0", "r", -4, "x"), 409, "not_free", ""),
        row("a prize that is not there", restock("9", "r", 1, "x"), 404, "not_found", ""),
        row("a prize that is not counted", restock("1", "r", 1, "x"), 404, "pool_unknown", ""),
        row("a prize in words", restock("car", "r", 1, "x"), 404, "not_found", ""),
        row(
            "a withdrawal without a reason",
            switch("withdraw", "0", "w", ""),
            400,
            "invalid_field",
            "reason",
        ),
        row("a withdrawal without an id", switch("withdraw", "0", "", "x"), 400, "invalid_field", "id"),
        row("withdrawing what is not there", switch("withdraw", "9", "w", "x"), 404, "not_found", ""),
        row(
            "a halt without a reason",
            halt(json!({ "on": true, "reason": "" })),
            400,
            "invalid_field",
            "reason",
        ),
        row("a halt that says neither", halt(json!({ "reason": "x" })), 400, "invalid_field", "on"),
        row("a grant for nobody", grant("7", "support", "1", 1, "x"), 404, "not_found", ""),
        row("a grant for a name", grant("Ann", "support", "1", 1, "x"), 400, "invalid_field", "user"),
        row("a grant of nothing", grant(player, "support", "1", 0, "x"), 400, "invalid_field", "chances"),
        row("a grant below nothing", grant(player, "support", "1", -1, "x"), 400, "invalid_field", "chances"),
        row(
            "a grant of too much",
            grant(player, "support", "1", 1 << 31, "x"),
            400,
            "invalid_field",
            "chances",
        ),
        row("a grant for no rule", grant(player, "", "1", 1, "x"), 400, "invalid_field", "rule"),
        row("a grant for no period", grant(player, "support", "", 1, "x"), 400, "invalid_field", "period"),
        row(
            "a grant without a reason",
            grant(player, "support", "1", 1, " "),
            400,
            "invalid_field",
            "reason",
        ),
        row("a report of nothing", stage.admin("GET", "/activities/7/report"), 404, "not_found", ""),
        row("a report of no round", look("/report?round=0"), 400, "invalid_field", "round"),
        row("a report of a round to come", look("/report?round=2"), 400, "invalid_field", "round"),
        row("a report from some time", look("/report?from_ms=noon"), 400, "invalid_field", "from_ms"),
        row("figures of nothing", stage.admin("GET", "/activities/7/live"), 404, "not_found", ""),
        row("draws of nothing", stage.admin("GET", "/activities/7/draws.csv"), 404, "not_found", ""),
        row("draws of a round to come", look("/draws.csv?round=9"), 400, "invalid_field", "round"),
        row("winners of nothing", stage.admin("GET", "/activities/7/winners"), 404, "not_found", ""),
        row(
            "winners of nothing, as a table",
            stage.admin("GET", "/activities/7/winners?format=csv"),
            404,
            "not_found",
            "",
        ),
        row(
            "a filter with a typo",
            stage.admin("GET", "/activities?stat=running"),
            400,
            "invalid_field",
            "stat",
        ),
        row("winners as a song", look("/winners?format=song"), 400, "invalid_field", "format"),
        row("winners after a word", look("/winners?after=x"), 400, "cursor_invalid", ""),
        row(
            "winners of nothing for everybody",
            stage.admin("POST", "/activities/7/winners/publish"),
            404,
            "not_found",
            "",
        ),
        row(
            "all about the winners of nothing",
            stage.admin("GET", "/admin/activities/7/winners"),
            404,
            "not_found",
            "",
        ),
        row("an export of nothing", stage.admin("GET", "/activities/7/export"), 404, "not_found", ""),
        row("a proof of no ticket", play("/me/proof/00"), 404, "not_found", ""),
        row("a proof of words", play("/me/proof/mine"), 404, "not_found", ""),
        row(
            "a proof of nobody's ticket",
            play("/me/proof/000102030405060708090a0b0c0d0e0f"),
            404,
            "not_found",
            "",
        ),
        row("my draws of a round to come", play("/me/draws?round=2"), 400, "invalid_field", "round"),
        row("my draws after a word", play("/me/draws?after=x"), 400, "cursor_invalid", ""),
        row("my wins, too many", stage.player("GET", "/me/wins?limit=201"), 400, "invalid_field", "limit"),
        row(
            "winners of no activity",
            stage.anybody("GET", "/play/activities/7/winners"),
            404,
            "not_found",
            "",
        ),
        row(
            "live winners of no activity",
            stage.anybody("GET", "/play/activities/7/winners/events"),
            404,
            "not_found",
            "",
        ),
        row(
            "leaders of no activity",
            stage.anybody("GET", "/play/activities/7/leaders"),
            404,
            "not_found",
            "",
        ),
        row("support for nobody", stage.admin("GET", "/admin/users/7/support"), 404, "not_found", ""),
        row("secrets of nothing", stage.anybody("GET", "/activities/7/secrets"), 404, "not_found", ""),
    ]
}
