use domain::{Lang, Rejection};

use super::parse;
use crate::forms::ActivityForm;

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    #[allow(dead_code)]
    name: String,
}

fn told(rejection: &Rejection) -> (&'static str, Option<&str>, String) {
    (rejection.code(), rejection.field(), rejection.text(Lang::En))
}

#[test]
fn the_field_to_blame_is_named() {
    for (text, code, field) in [
        (&br#"{"name":"a"}"#[..], None, None),
        (br#"{"name":1}"#, Some("invalid_field"), Some("name")),
        (br#"{"name":"a","nmae":1}"#, Some("invalid_field"), Some("nmae")),
        (br#"{}"#, Some("invalid_field"), Some("name")),
        (br#"{"name":"a","name":"b"}"#, Some("invalid_field"), Some("name")),
        (br#"{"name":"a"} x"#, Some("body_malformed"), None),
        (br#"["#, Some("body_malformed"), None),
        (br#" ["a"]"#, Some("body_malformed"), None),
        (br#""a""#, Some("body_malformed"), None),
        (b"7", Some("body_malformed"), None),
        (b"", Some("body_malformed"), None),
        (b"{\"name\":\"\xff\"}", Some("body_malformed"), None),
    ] {
        let got = parse::<Sample>(text).err();
        assert_eq!(got.as_ref().map(Rejection::code), code, "{}", String::from_utf8_lossy(text));
        assert_eq!(got.as_ref().and_then(|one| one.field()), field, "{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn the_field_is_named_from_the_whole_and_so_is_what_it_should_be() {
    let whole = r#"{"name":"a","from":0,"until":1,"prizes":[{"name":"b"},{"name":"c"}]}"#;
    for (from, to, field, told) in [
        (r#""name":"a""#, r#""nmae":"a""#, "nmae", "is not a field here; did you mean name"),
        (r#""until":1"#, r#""until":1,"stock":2"#, "stock", "is not a field here"),
        (r#""name":"c""#, r#""name":"c","odd":1"#, "prizes[1].odd", "is not a field here; did you mean odds"),
        (r#""name":"c""#, r#""odds":1"#, "prizes[1].name", "is missing"),
        (r#""name":"c""#, r#""name":"c","name":"d""#, "prizes[1].name", "appears twice"),
        (r#""name":"c""#, r#""name":"c","odds":"x""#, "prizes[1].odds", "is not written as expected"),
        (
            r#""name":"c""#,
            r#""name":"c","odds":-1"#,
            "prizes[1].odds",
            "must be between 0 and 9223372036854775807",
        ),
        (r#""from":0,"#, "", "from", "is missing"),
        (r#""from":0"#, r#""from":1.5"#, "from", "has to be milliseconds since 1970, or"),
        (r#""from":0"#, r#""from":"soon""#, "from", "has to be milliseconds since 1970, or"),
        (r#""from":0"#, r#""from":"2026-11-15T08:00:00""#, "from", "has to be milliseconds since 1970, or"),
        (r#""from":0"#, r#""from":0,"kind":"raffel""#, "kind", "is not written as expected"),
    ] {
        assert!(whole.contains(from), "{from}");
        let refused = parse::<ActivityForm>(whole.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert_eq!(refused.field(), Some(field), "{to}");
        let text = refused.text(Lang::En);
        assert!(text.starts_with(&format!("{field}: {told}")), "{to}: {text}");
    }
}

/// Whatever a name holds, the suggestion is one of the type's own fields.
#[test]
fn hole_64_a_name_that_quotes_other_names_is_not_believed() {
    for name in ["x`, expected one of `nams", "nam`e", "`", "``name``"] {
        let text = serde_json::json!({ "name": "a", name: 1 }).to_string();
        let refused = parse::<Sample>(text.as_bytes()).unwrap_err();
        let (code, field, said) = told(&refused);
        assert_eq!((code, field), ("invalid_field", Some(name)));
        let suggested = said.split_once("did you mean ").map(|(_, suggested)| suggested);
        assert!(suggested.is_none_or(|name| name.trim_end_matches('.') == "name"), "{said}");
    }
}

#[test]
fn hole_64_long_names_deep_nests_and_many_values_are_refused_before_they_are_read() {
    let long = |unit: &str| format!("{{\"name\":\"a\",\"{}\":1}}", unit.repeat(500_000 / unit.len()));
    let deep = |open: &str| format!("{{\"name\":{}", open.repeat(10_000));
    let many = format!("{{\"name\":[{}0]}}", "0,".repeat(1_000_001));
    for (text, code) in [
        (long("x"), "invalid_field"),
        (long("`"), "invalid_field"),
        (long("名`"), "invalid_field"),
        (long("\\\""), "invalid_field"),
        (long("\\u0060"), "invalid_field"),
        (deep("["), "body_malformed"),
        (deep("{\"name\":"), "body_malformed"),
        (many, "body_malformed"),
        (format!("{{\"name\":\"{}", "x".repeat(500_000)), "body_malformed"),
        (format!("{{\"name\":\"{}\\", "x".repeat(500_000)), "body_malformed"),
    ] {
        let refused = parse::<Sample>(text.as_bytes()).unwrap_err();
        let (found, field, said) = told(&refused);
        assert_eq!(found, code, "{}…", text.chars().take(60).collect::<String>());
        assert!(field.unwrap_or_default().chars().count() <= 120 && said.chars().count() <= 400, "{said}");
    }
    // A value may be as long as it likes.
    assert!(parse::<Sample>(format!("{{\"name\":\"{}\"}}", "x".repeat(500_000)).as_bytes()).is_ok());
}
