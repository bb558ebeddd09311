//! The document holds together, whatever handlers say. A real validator reads it in `make check`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;

fn whole() -> Value {
    serde_json::to_value(document()).unwrap()
}

/// Method and address, and the operation.
fn each(document: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            all.push((format!("{} {path}", method.to_uppercase()), operation.clone()));
        }
    }
    assert!(all.len() > 200, "{}", all.len());
    all
}

fn parameter<'a>(operation: &'a Value, name: &str) -> Option<&'a Value> {
    operation["parameters"].as_array()?.iter().find(|one| one["name"] == name)
}

/// Clients are generated from the document, and an operation's name becomes a name in them.
#[test]
fn no_two_operations_have_the_same_name() {
    let mut seen = BTreeSet::new();
    for (place, operation) in each(&whole()) {
        assert!(seen.insert(operation["operationId"].as_str().unwrap().to_owned()), "{place}");
    }
}

/// Pages get plainer names than they have in Rust; no two types may end up with the same one.
#[test]
fn no_two_types_have_the_same_name() {
    let mut document = raw();
    complete::complete(&mut document);
    let count = |document: &OpenApi| document.components.as_ref().unwrap().schemas.len();
    let before = count(&document);
    names::apply(&mut document);
    assert_eq!(count(&document), before);
    let whole = serde_json::to_value(&document).unwrap();
    let there = whole["components"]["schemas"].as_object().unwrap();
    let text = whole.to_string();
    for part in text.split("#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(there.contains_key(name), "{name} is named and is not there");
    }
}

/// A form is written by people and read back as one.
#[test]
fn what_a_request_carries_is_called_a_request() {
    for (place, operation) in each(&whole()) {
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let Some(target) = schema["$ref"].as_str() else { continue };
        assert!(target.ends_with("Request") || target.ends_with("Form"), "{place}: {target}");
    }
}

#[test]
fn every_answer_is_described_and_every_operation_may_be_refused() {
    for (place, operation) in each(&whole()) {
        let answers = operation["responses"].as_object().unwrap();
        for (status, answer) in answers {
            assert!(
                answer["description"].as_str().is_some_and(|words| !words.is_empty()),
                "{place} {status}"
            );
        }
        assert!(answers["4XX"]["content"]["application/problem+json"].is_object(), "{place}");
        let waits = operation["tags"] != json!(["site"]);
        for status in ["503", "504"] {
            assert_eq!(answers.contains_key(status), waits, "{place} {status}");
        }
        let tag = operation["tags"][0].as_str().unwrap();
        assert!(TAGS.iter().any(|(name, _)| *name == tag), "{place}: describe the tag {tag}");
    }
}

#[test]
fn a_play_key_says_for_whom_it_acts() {
    let mut acting = 0;
    for (place, operation) in each(&whole()) {
        let security =
            operation["security"].as_array().unwrap_or_else(|| panic!("{place}: who may call it?"));
        for one in security {
            let scopes = one["key"].as_array();
            assert!(scopes.is_none_or(|scopes| scopes.len() == 1), "{place}: one scope each: {one}");
        }
        let for_players = security.iter().any(|one| one["key"] == json!(["play"]));
        let by_header = for_players && parameter(&operation, "external_id").is_none();
        assert_eq!(parameter(&operation, "Windfall-User").is_some(), by_header, "{place}");
        acting += usize::from(by_header);
    }
    assert!(acting > 20, "{acting}");
}

#[test]
fn what_may_be_left_out_is_never_null() {
    let document = whole();
    for (place, operation) in each(&document) {
        for one in operation["parameters"].as_array().into_iter().flatten() {
            assert!(!one["schema"]["type"].is_array(), "{place}: {one}");
        }
        let body = &operation["requestBody"];
        let Some(target) = body["content"]["application/json"]["schema"]["$ref"].as_str() else { continue };
        let schema = &document["components"]["schemas"][target.rsplit('/').next().unwrap()];
        let needs_something = schema["required"].as_array().is_some_and(|all| !all.is_empty())
            || schema["properties"].is_null();
        assert_eq!(body["required"], json!(needs_something), "{place}: {target}");
    }
}

#[test]
fn a_session_is_named_as_the_browser_names_it() {
    for (secure, name) in [(false, "windfall_session"), (true, "__Host-windfall_session")] {
        let document = serde_json::to_value(document_of(secure)).unwrap();
        let session = &document["components"]["securitySchemes"]["session"];
        assert_eq!((session["in"].as_str(), session["name"].as_str()), (Some("cookie"), Some(name)));
    }
}

/// Fields that look like the name of an enum and are none.
const FREE: [&str; 15] = [
    "AuditBody.action",
    "BehaviourRequest.kind",
    "BehaviourBody.kind",
    "DeadLetterBody.kind",
    "DifferenceBody.what",
    "GrantRequest.period",
    "GrantedStaffBody.period",
    "GrantBackRequest.kind",
    "JobBody.schedule",
    "MovementBody.by",
    "ProblemBody.type",
    "QuarantinedMessageBody.kind",
    "AttemptBody.code",
    "RaffleWinnerBody.kind",
    "RecordedBody.kind",
];
const LIKE_AN_ENUM: [&str; 22] = [
    "state",
    "kind",
    "kinds",
    "mode",
    "policy",
    "purpose",
    "period",
    "gives",
    "why",
    "review",
    "source",
    "outcome",
    "scopes",
    "roles",
    "waits_for",
    "came",
    "bound_by",
    "item",
    "leaf",
    "scope",
    "off_why",
    "back_why",
];

#[test]
fn names_are_enums() {
    let mut document = raw();
    complete::complete(&mut document);
    webhooks::add(&mut document);
    let missing = enums::apply(&mut document);
    assert!(missing.is_empty(), "these places of enums.rs are not there: {missing:?}");
    let document = serde_json::to_value(document).unwrap();
    let mut plain = Vec::new();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let parts = schema["allOf"].as_array().into_iter().flatten().chain([schema]);
        for (field, property) in parts.filter_map(|part| part["properties"].as_object()).flatten() {
            let text = json!("string");
            let is_text = |of: &Value| {
                let types = &of["type"];
                (*types == text || types.as_array().is_some_and(|all| all.contains(&text)))
                    && of["enum"].is_null()
            };
            let place = format!("{name}.{field}");
            if LIKE_AN_ENUM.contains(&field.as_str())
                && (is_text(property) || is_text(&property["items"]))
                && !FREE.contains(&place.as_str())
                && !name.ends_with("Event")
            {
                plain.push(place);
            }
        }
    }
    assert!(plain.is_empty(), "list their names in enums.rs: {plain:?}");
}

#[test]
fn every_body_and_every_part_of_an_address_has_an_example() {
    let document = whole();
    let events = document["webhooks"].as_object().unwrap().iter();
    let events = events.map(|(name, item)| (name.clone(), item["post"].clone()));
    for (place, operation) in each(&document).into_iter().chain(events) {
        let answers = operation["responses"].as_object().unwrap().iter();
        let answers =
            answers.filter(|(status, _)| status.starts_with('2')).map(|(_, answer)| &answer["content"]);
        for content in answers.chain([&operation["requestBody"]["content"]]) {
            let json = &content["application/json"];
            assert!(json.is_null() || !json["example"].is_null(), "{place}");
        }
        for one in operation["parameters"].as_array().into_iter().flatten() {
            let needed = one["in"] == "path" || one["required"] == true;
            let schema = &one["schema"];
            let there = !schema["example"].is_null()
                || schema["examples"][0] != Value::Null
                || !schema["$ref"].is_null();
            assert!(!needed || there, "{place} {}", one["name"]);
        }
    }
}

#[test]
fn every_event_is_described() {
    let document = whole();
    let described: BTreeSet<&str> =
        document["webhooks"].as_object().unwrap().keys().map(String::as_str).collect();
    let there: BTreeSet<&str> = domain::webhook::EventKind::ALL.map(domain::webhook::EventKind::name).into();
    assert_eq!(described, there);
}
