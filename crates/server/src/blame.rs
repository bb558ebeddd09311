//! Which field of a JSON body is to blame, and what is wrong with it, from what serde says.

use domain::Rejection;
use domain::nearest::meant;
use domain::rejection::FieldProblem;

use crate::forms::MOMENT_WORDS;

/// Characters of somebody's input that come back at most.
const SHOWN_MAX: usize = 120;

/// `path` is where serde was.
pub(crate) fn blame(path: &str, error: &serde_json::Error) -> Rejection {
    let text = error.to_string();
    let named = |prefix: &str| text.strip_prefix(prefix).and_then(|rest| rest.split('`').next());
    let invalid = |field: &str, problem| Rejection::Invalid { field: cut(field), problem };
    if let Some(field) = named("unknown field `") {
        return invalid(&within(path, field), unknown(field, &text));
    }
    if let Some(field) = named("missing field `") {
        return invalid(&within(path, field), FieldProblem::Missing);
    }
    if let Some(field) = named("duplicate field `") {
        return invalid(&within(path, field), FieldProblem::Duplicate);
    }
    if error.is_data() && path != "." && !path.is_empty() {
        let moment = text.contains(MOMENT_WORDS).then_some(FieldProblem::MOMENT);
        return invalid(path, moment.or_else(|| out_of_type(&text)).unwrap_or(FieldProblem::Malformed));
    }
    Rejection::BodyMalformed { detail: cut(&text) }
}

/// Serde lists the fields there are: ``unknown field `odd`, expected one of `name`, `odds` ``.
fn unknown(field: &str, text: &str) -> FieldProblem {
    let known = text.split('`').skip(1).step_by(2).skip(1);
    match meant(field, known) {
        Some(nearest) => FieldProblem::Mistyped { nearest: nearest.to_owned() },
        None => FieldProblem::Unknown,
    }
}

/// A whole number that its type does not hold: ``invalid value: integer `-1`, expected u32``.
fn out_of_type(text: &str) -> Option<FieldProblem> {
    let (_, rest) = text.strip_prefix("invalid value: integer `")?.split_once("`, expected ")?;
    let (min, max) = match rest.split_whitespace().next()? {
        "u8" => (0, i64::from(u8::MAX)),
        "u16" => (0, i64::from(u16::MAX)),
        "u32" => (0, i64::from(u32::MAX)),
        "u64" | "usize" => (0, i64::MAX),
        "i32" => (i64::from(i32::MIN), i64::from(i32::MAX)),
        "i64" => (i64::MIN, i64::MAX),
        _ => return None,
    };
    Some(FieldProblem::OutOfRange { min, max })
}

/// A field named from the whole. Serde may or may not have stepped into it already.
fn within(path: &str, field: &str) -> String {
    let inside = path.strip_suffix(field).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    match path {
        "." | "" => field.to_owned(),
        path if inside => path.to_owned(),
        path => format!("{path}.{field}"),
    }
}

/// Nobody's input comes back at full length.
fn cut(text: &str) -> String {
    text.chars().take(SHOWN_MAX).collect()
}

#[cfg(test)]
mod tests {
    use domain::Lang;

    use crate::body::parse;
    use crate::forms::ActivityForm;

    #[test]
    fn the_field_is_named_from_the_whole_and_so_is_what_it_should_be() {
        let whole = r#"{"name":"a","from":0,"until":1,"prizes":[{"name":"b"},{"name":"c"}]}"#;
        for (from, to, field, told) in [
            (r#""name":"a""#, r#""nmae":"a""#, "nmae", "is not a field here; did you mean name"),
            (r#""until":1"#, r#""until":1,"stock":2"#, "stock", "is not a field here"),
            (
                r#""name":"c""#,
                r#""name":"c","odd":1"#,
                "prizes[1].odd",
                "is not a field here; did you mean odds",
            ),
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
            (
                r#""from":0"#,
                r#""from":"2026-11-15T08:00:00""#,
                "from",
                "has to be milliseconds since 1970, or",
            ),
        ] {
            assert!(whole.contains(from), "{from}");
            let refused = parse::<ActivityForm>(whole.replacen(from, to, 1).as_bytes()).unwrap_err();
            assert_eq!(refused.field(), Some(field), "{to}");
            let text = refused.text(Lang::En);
            assert!(text.starts_with(&format!("{field}: {told}")), "{to}: {text}");
        }
    }
}
