//! What every operation has in common: problems, descriptions, headers, optional bodies.

use std::collections::BTreeSet;

use domain::access::Scope;
use domain::account::ExternalId;
use utoipa::openapi::content::{Content, ContentBuilder};
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{ArrayItems, Object, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{OpenApi, Ref, RefOr, Required, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::operations;
use super::security::key;
use crate::body::KEY_MAX;
use crate::problem::{PROBLEM, ProblemBody};

/// These operations read neither the database nor the ledger.
const SITE: &str = "site";

const ACTING_USER: &str = "Windfall-User";
/// The part of an address that names one of the company's own users.
const EXTERNAL_ID: &str = "external_id";
const ACTING_USER_WORDS: &str =
    "Your own id of the user for whom a `play` key acts. Required with such a key, ignored for anybody else.";
const IDEMPOTENCY_KEY: &str = "Idempotency-Key";
const IDEMPOTENCY_KEY_WORDS: &str =
    "Your own id of this request: the same key and body give the same answer, and nothing happens twice.";

/// How the names of generated page types begin; the type of the rows follows.
const PAGE: &str = "PageBody_";

pub(super) fn complete(document: &mut OpenApi) {
    add_problem_body(document);
    name_rows(document);
    let optional = schemas_without_required(document);
    for operation in operations(&mut document.paths) {
        let is_site = operation.tags.iter().flatten().any(|tag| tag == SITE);
        add_problems(operation, is_site);
        describe(operation);
        for response in operation.responses.responses.values_mut() {
            if let RefOr::T(response) = response {
                response.content.iter_mut().for_each(|(kind, content)| settle_picture(kind, content));
            }
        }
        add_acting_user(operation);
        for parameter in operation.parameters.iter_mut().flatten() {
            if let RefOr::T(parameter) = parameter {
                settle_parameter(parameter);
            }
        }
        if let Some(RefOr::T(body)) = &mut operation.request_body {
            settle_body(body, &optional);
        }
    }
}

/// A page has rows of a type that has a name: it is not written out once more.
fn name_rows(document: &mut OpenApi) {
    let Some(components) = &mut document.components else { return };
    let names: BTreeSet<String> = components.schemas.keys().cloned().collect();
    for (name, schema) in &mut components.schemas {
        let Some(row) = name.strip_prefix(PAGE).filter(|row| names.contains(*row)) else { continue };
        if let RefOr::T(Schema::Object(page)) = schema
            && let Some(RefOr::T(Schema::Array(list))) = page.properties.get_mut("items")
        {
            list.items = ArrayItems::RefOrSchema(Box::new(Ref::from_schema_name(row).into()));
        }
    }
}

/// What every refusal is answered with; no handler names it.
fn add_problem_body(document: &mut OpenApi) {
    let components = document.components.get_or_insert_default();
    let mut schemas = vec![(ProblemBody::name().into_owned(), ProblemBody::schema())];
    ProblemBody::schemas(&mut schemas);
    components.schemas.extend(schemas);
}

/// Everything that touches the database or the ledger may be too busy for it, or take too long.
fn add_problems(operation: &mut Operation, is_site: bool) {
    let statuses: &[&str] = if is_site { &["4XX"] } else { &["4XX", "503", "504"] };
    for status in statuses {
        let problem = || {
            let body = ContentBuilder::new().schema(Some(Ref::from_schema_name(ProblemBody::name()))).build();
            ResponseBuilder::new().content(PROBLEM, body).build().into()
        };
        operation.responses.responses.entry((*status).to_owned()).or_insert_with(problem);
    }
}

fn describe(operation: &mut Operation) {
    for (status, response) in &mut operation.responses.responses {
        if let RefOr::T(response) = response
            && response.description.is_empty()
        {
            meaning(status).clone_into(&mut response.description);
        }
    }
}

fn meaning(status: &str) -> &'static str {
    match status {
        "200" => "The answer.",
        "201" => "Created.",
        "202" => "Accepted: the outcome comes later.",
        "204" => "Done; there is nothing to say.",
        "4XX" => "Refused. `code` is the stable name of the reason.",
        "503" => {
            "Too busy, or the outcome is not known yet. Repeat the same request after `retry_after_s`: what was done \
             is not done twice."
        }
        "504" => "It took too long. What came of it is not known: repeat the same request.",
        _ => "See the status.",
    }
}

/// A `play` key says for whom it acts, unless the address names the user already.
fn add_acting_user(operation: &mut Operation) {
    let security = operation.security.as_deref().unwrap_or_default();
    let for_players = security.contains(&key(Scope::Play));
    let parameters = operation.parameters.get_or_insert_default();
    let is_named = |one: &RefOr<Parameter>| matches!(one, RefOr::T(parameter) if parameter.name == ACTING_USER || parameter.name == EXTERNAL_ID);
    if for_players && !parameters.iter().any(is_named) {
        let id = ObjectBuilder::new().schema_type(Type::String);
        let header = ParameterBuilder::new()
            .name(ACTING_USER)
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .schema(Some(id));
        parameters.push(header.build().into());
    }
    if parameters.is_empty() {
        operation.parameters = None;
    }
}

/// A header or a word of a query is there or not: it is never null.
fn settle_parameter(parameter: &mut Parameter) {
    let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema else { return };
    without_null(schema);
    match (&parameter.parameter_in, parameter.name.as_str()) {
        (ParameterIn::Header, IDEMPOTENCY_KEY) => {
            (schema.min_length, schema.max_length) = (Some(1), Some(KEY_MAX));
            parameter.description = Some(IDEMPOTENCY_KEY_WORDS.to_owned());
        }
        (ParameterIn::Header, ACTING_USER) => {
            (schema.min_length, schema.max_length) = (Some(1), Some(ExternalId::MAX));
            parameter.description = Some(ACTING_USER_WORDS.to_owned());
        }
        (_, _) => {}
    }
}

fn without_null(schema: &mut Object) {
    if let SchemaType::Array(types) = &schema.schema_type {
        let mut others = types.iter().filter(|one| **one != Type::Null);
        if let (Some(only), None) = (others.next(), others.next()) {
            schema.schema_type = SchemaType::Type(only.clone());
        }
    }
}

/// A body of which every field may be left out may be left out itself.
fn settle_body(body: &mut RequestBody, optional: &BTreeSet<String>) {
    let mut may_be_left_out = false;
    for (kind, content) in &mut body.content {
        settle_picture(kind, content);
        if let RefOr::T(Content { schema: Some(RefOr::Ref(given)), .. }) = content {
            may_be_left_out |= optional.contains(&given.ref_location);
        }
    }
    body.required = Some(if may_be_left_out { Required::False } else { Required::True });
}

/// A picture is bytes, and no list of numbers: a media type without a schema says so.
fn settle_picture(kind: &str, content: &mut RefOr<Content>) {
    if let RefOr::T(content) = content
        && kind.starts_with("image/")
    {
        content.schema = None;
    }
}

/// Where every field may be left out.
fn schemas_without_required(document: &OpenApi) -> BTreeSet<String> {
    let schemas = document.components.iter().flat_map(|components| &components.schemas);
    let optional = schemas.filter(|(_, schema)| {
        matches!(schema, RefOr::T(Schema::Object(object))
            if object.required.is_empty() && !object.properties.is_empty())
    });
    optional.map(|(name, _)| format!("#/components/schemas/{name}")).collect()
}
