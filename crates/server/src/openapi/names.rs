//! A page of rows is called after its rows: `KeyPage`, and not as Rust names what is generic.

use std::collections::BTreeMap;

use utoipa::openapi::content::Content;
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems};
use utoipa::openapi::{OpenApi, Ref, RefOr, Schema};

use super::operations;

/// How the names of generated page types begin.
const PAGE: &str = "PageBody_";

pub(super) fn apply(document: &mut OpenApi) {
    let renamed = renamed(document);
    if let Some(components) = &mut document.components {
        let schemas = std::mem::take(&mut components.schemas);
        for (name, mut schema) in schemas {
            rename(&mut schema, &renamed);
            components.schemas.insert(renamed.get(&name).cloned().unwrap_or(name), schema);
        }
    }
    let paths = [Some(&mut document.paths), document.webhooks.as_mut()];
    for operation in paths.into_iter().flatten().flat_map(operations) {
        for parameter in operation.parameters.iter_mut().flatten() {
            if let RefOr::T(parameter) = parameter
                && let Some(schema) = &mut parameter.schema
            {
                rename(schema, &renamed);
            }
        }
        if let Some(RefOr::T(body)) = &mut operation.request_body {
            body.content.values_mut().for_each(|content| rename_content(content, &renamed));
        }
        for response in operation.responses.responses.values_mut() {
            if let RefOr::T(response) = response {
                response.content.values_mut().for_each(|content| rename_content(content, &renamed));
            }
        }
    }
}

/// The pages, by their names in Rust.
fn renamed(document: &OpenApi) -> BTreeMap<String, String> {
    let schemas = document.components.iter().flat_map(|components| components.schemas.keys());
    let page = |name: &String| {
        let rows = name.strip_prefix(PAGE)?;
        Some((name.clone(), rows.strip_suffix("Body").unwrap_or(rows).to_owned() + "Page"))
    };
    schemas.filter_map(page).collect()
}

fn last(reference: &Ref) -> &str {
    reference.ref_location.rsplit('/').next().unwrap_or_default()
}

fn rename_content(content: &mut RefOr<Content>, renamed: &BTreeMap<String, String>) {
    if let RefOr::T(Content { schema: Some(schema), .. }) = content {
        rename(schema, renamed);
    }
}

fn rename(schema: &mut RefOr<Schema>, renamed: &BTreeMap<String, String>) {
    match schema {
        RefOr::Ref(reference) => {
            if let Some(plain) = renamed.get(last(reference)) {
                reference.ref_location = Ref::from_schema_name(plain).ref_location;
            }
        }
        RefOr::T(Schema::Array(list)) => {
            if let ArrayItems::RefOrSchema(items) = &mut list.items {
                rename(items, renamed);
            }
        }
        RefOr::T(Schema::Object(object)) => {
            object.properties.values_mut().for_each(|property| rename(property, renamed));
            if let Some(AdditionalProperties::RefOr(values)) = object.additional_properties.as_deref_mut() {
                rename(values, renamed);
            }
        }
        RefOr::T(Schema::OneOf(choice)) => choice.items.iter_mut().for_each(|item| rename(item, renamed)),
        RefOr::T(Schema::AllOf(parts)) => parts.items.iter_mut().for_each(|item| rename(item, renamed)),
        RefOr::T(Schema::AnyOf(choice)) => choice.items.iter_mut().for_each(|item| rename(item, renamed)),
        RefOr::T(_) => {}
    }
}
