//! An example for every body and every word of an address.
//!
//! They are put together from the schemas: a field's own example where it has one, else something that its name and type
//! suggest. So there is one for every operation, and none that its schema refuses: `make check` validates each.

use serde_json::{Map, Value, json};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::{Content, OpenApi, RefOr, Required, Schema};

use super::operations;

/// Objects within objects; a rule tree would go on for ever.
const DEPTH_MAX: usize = 8;

/// What a text of this name may be.
const TEXTS: [(&str, &str); 34] = [
    ("id", "7318349394477056"),
    ("activity", "7318349394470000"),
    ("number", "1"),
    ("version", "1"),
    ("prize", "0"),
    ("n", "1"),
    ("name", "Spring wheel"),
    ("reason", "as agreed with the shop"),
    ("phone", "+8613800138000"),
    ("new_phone", "+8613900139000"),
    ("code", "123456"),
    ("password", "a long pass phrase"),
    ("token", "wfl_0123456789abcdef"),
    ("url", "https://shop.example.com/windfall"),
    ("currency", "CNY"),
    ("country", "CN"),
    ("province", "上海市"),
    ("city", "上海市"),
    ("district", "浦东新区"),
    ("street", "世纪大道 1 号"),
    ("line", "世纪大道 1 号"),
    ("postcode", "200120"),
    ("carrier", "SF Express"),
    ("tracking", "SF1234567890"),
    ("external_id", "shop-42"),
    ("user", "7318349394477057"),
    ("provider", "sandbox"),
    ("kind", "check_in"),
    ("beacon", "drand round 4200000"),
    ("schedule", "every 5m"),
    ("avatar", "https://shop.example.com/a.png"),
    ("picture", "🎁"),
    ("currency_code", "CNY"),
    ("ticket", "1"),
];
const MOMENT_MS: i64 = 1_794_700_800_000;

pub(super) fn add(document: &mut OpenApi) {
    let Ok(whole) = serde_json::to_value(&*document) else { return };
    let schemas = &whole["components"]["schemas"];
    let paths = [Some(&mut document.paths), document.webhooks.as_mut()];
    for operation in paths.into_iter().flatten().flat_map(operations) {
        for parameter in operation.parameters.iter_mut().flatten() {
            if let RefOr::T(parameter) = parameter {
                add_to_parameter(parameter, schemas);
            }
        }
        if let Some(RefOr::T(body)) = &mut operation.request_body {
            body.content.iter_mut().for_each(|(kind, content)| add_to_content(kind, content, schemas));
        }
        for (status, response) in &mut operation.responses.responses {
            if let RefOr::T(response) = response
                && status.starts_with('2')
            {
                response
                    .content
                    .iter_mut()
                    .for_each(|(kind, content)| add_to_content(kind, content, schemas));
            }
        }
    }
}

fn add_to_content(kind: &str, content: &mut RefOr<Content>, schemas: &Value) {
    let RefOr::T(content) = content else { return };
    if kind == "application/json" && content.example.is_none() {
        let schema = serde_json::to_value(&content.schema).unwrap_or_default();
        content.example = Some(example("", &schema, schemas, 0));
    }
}

/// Those that a request cannot do without.
fn add_to_parameter(parameter: &mut Parameter, schemas: &Value) {
    let is_needed = parameter.parameter_in == ParameterIn::Path || parameter.required == Required::True;
    let described = serde_json::to_value(&parameter.schema).unwrap_or_default();
    if let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema
        && is_needed
        && schema.example.is_none()
        && schema.examples.is_empty()
    {
        schema.examples = vec![example(&parameter.name, &described, schemas, 0)];
    }
}

fn example(name: &str, schema: &Value, schemas: &Value, depth: usize) -> Value {
    if let Some(given) = schema.get("example").or_else(|| schema["examples"].get(0)) {
        return given.clone();
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    if let Some(target) = schema["$ref"].as_str() {
        let target = target.rsplit('/').next().unwrap_or_default();
        return example(name, &schemas[target], schemas, depth);
    }
    for word in ["oneOf", "anyOf"] {
        let choices = schema[word].as_array();
        if let Some(choice) = choices.and_then(|all| all.iter().find(|one| one["type"] != "null")) {
            return example(name, choice, schemas, depth);
        }
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let parts = parts.iter().map(|part| example(name, part, schemas, depth));
        return Value::Object(parts.filter_map(|part| part.as_object().cloned()).flatten().collect());
    }
    match type_of(schema) {
        "object" if depth < DEPTH_MAX => object(schema, schemas, depth + 1),
        "object" => json!({}),
        "array" if depth < DEPTH_MAX => json!([example(name, &schema["items"], schemas, depth + 1)]),
        "array" => json!([]),
        "string" => text(name, schema),
        "integer" | "number" => number(name, schema),
        "boolean" => json!(true),
        _ => Value::Null,
    }
}

/// The first type that is not null.
fn type_of(schema: &Value) -> &str {
    match &schema["type"] {
        Value::String(only) => only,
        Value::Array(several) => {
            several.iter().filter_map(Value::as_str).find(|one| *one != "null").unwrap_or("")
        }
        _ => "",
    }
}

/// What has to be there, and what has an example of its own.
fn object(schema: &Value, schemas: &Value, depth: usize) -> Value {
    let required = |name: &str| schema["required"].as_array().is_some_and(|all| all.contains(&json!(name)));
    let mut object = Map::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let has_own = property.get("example").is_some() || property.get("examples").is_some();
        if required(name) || has_own {
            object.insert(name.clone(), example(name, property, schemas, depth));
        }
    }
    if let Some(values) = schema.get("additionalProperties").filter(|values| values.is_object()) {
        object.insert("level".to_owned(), example("level", values, schemas, depth));
    }
    Value::Object(object)
}

fn text(name: &str, schema: &Value) -> Value {
    let known = TEXTS.iter().find(|(known, _)| *known == name);
    let by_ending = || name.ends_with("_id").then_some("7318349394477056");
    let text = known.map(|(_, text)| *text).or_else(by_ending).unwrap_or("text");
    match schema["maxLength"].as_u64() {
        Some(max) if (text.len() as u64) > max => json!(text.get(..usize::try_from(max).unwrap_or(0))),
        _ => json!(text),
    }
}

fn number(name: &str, schema: &Value) -> Value {
    let least = schema["minimum"].as_i64().unwrap_or(0);
    match name {
        "status" => json!(200),
        "ttl_ms" => json!(900_000),
        _ if name.ends_with("_ms") => json!(MOMENT_MS),
        _ => json!(least.max(1)),
    }
}
