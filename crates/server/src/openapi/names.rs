//! Names that become names in generated clients: what a request carries ends in `Request`, a page of rows in `Page`, and an
//! operation is called after the thing and what is done with it.

use std::collections::{BTreeMap, BTreeSet};

use utoipa::openapi::content::Content;
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems};
use utoipa::openapi::{OpenApi, Ref, RefOr, Schema};

use super::operations;

/// How the names of generated page types begin.
const PAGE: &str = "PageBody_";
/// What Rust calls requests by their part in a conversation; the longest first.
const ENDINGS: [&str; 8] = ["Edited", "Change", "Given", "Patch", "Body", "Edit", "Ask", "New"];

/// Types whose Rust names say little to others.
const TYPES: [(&str, &str); 12] = [
    ("ToldBody", "DrawResponse"),
    ("EnteredBody", "EntryResponse"),
    ("BatchTold", "BatchResponse"),
    ("BehavioursTold", "BehavioursResponse"),
    ("PictureTold", "PictureResponse"),
    ("UserMade", "CreatedUserResponse"),
    ("ApprovalAsked", "ApprovalRequested"),
    ("LineGiven", "LineRequest"),
    ("BehaviourGiven", "BehaviourRequest"),
    ("CartNew", "CartAttemptRequest"),
    ("TreeNext", "TreeUpdateRequest"),
    ("OfferEdited", "OfferUpdateRequest"),
];

/// Operations whose functions have short names.
const OPERATIONS: [(&str, &str); 30] = [
    ("activity", "activity_get"),
    ("approval", "approval_get"),
    ("attempt", "attempt_get"),
    ("batch", "inventory_batch"),
    ("behaviours", "behaviour_record"),
    ("captcha", "sale_captcha_create"),
    ("code_look", "fulfilment_code_get"),
    ("draw", "draw_create"),
    ("draw_by_tree", "tree_draw_create"),
    ("enter", "entry_create"),
    ("export", "activity_export"),
    ("fulfilment", "fulfilment_get"),
    ("halt", "halt_set"),
    ("halted", "halt_get"),
    ("hold", "hold_get"),
    ("join", "room_join"),
    ("leaders", "leader_list"),
    ("live", "room_live"),
    ("me", "me_get"),
    ("my_orders", "my_shop_orders"),
    ("offer", "shop_offer_get"),
    ("order", "shop_order_create"),
    ("place", "room_get"),
    ("play", "play_activity_get"),
    ("play_list", "play_activity_list"),
    ("pool", "pool_get"),
    ("publish", "winners_publish"),
    ("shop", "shop_offer_list"),
    ("token", "sale_token_create"),
    ("winners_listed", "winner_list"),
];

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
        if let Some(id) = &mut operation.operation_id
            && let Some((_, plain)) = OPERATIONS.iter().find(|(short, _)| short == id)
        {
            (*plain).clone_into(id);
        }
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

/// Every schema that is called otherwise in the document, by its name in Rust.
fn renamed(document: &mut OpenApi) -> BTreeMap<String, String> {
    let mut requests = BTreeSet::new();
    for operation in operations(&mut document.paths) {
        let Some(RefOr::T(body)) = &operation.request_body else { continue };
        for content in body.content.values() {
            if let RefOr::T(Content { schema: Some(RefOr::Ref(given)), .. }) = content {
                requests.insert(last(given).to_owned());
            }
        }
    }
    let schemas = document.components.iter().flat_map(|components| components.schemas.keys());
    let mut renamed = BTreeMap::new();
    for name in schemas {
        let own = TYPES.iter().find(|(rust, _)| rust == name).map(|(_, plain)| (*plain).to_owned());
        let page = || {
            name.strip_prefix(PAGE).map(|rows| rows.strip_suffix("Body").unwrap_or(rows).to_owned() + "Page")
        };
        let request = || requests.contains(name).then(|| as_request(name));
        if let Some(plain) = own.or_else(page).or_else(request)
            && plain != *name
        {
            renamed.insert(name.clone(), plain);
        }
    }
    renamed
}

/// `KeyGiven` is `KeyRequest`, `WebhookChange` is `WebhookUpdateRequest`; a form is one already.
fn as_request(name: &str) -> String {
    if name.ends_with("Form") || name.ends_with("Request") {
        return name.to_owned();
    }
    let ending = ENDINGS.iter().find(|ending| name.ends_with(**ending)).copied().unwrap_or_default();
    let noun = name.strip_suffix(ending).unwrap_or(name);
    match ending {
        "Edited" | "Change" | "Patch" | "Edit" => format!("{noun}UpdateRequest"),
        _ => format!("{noun}Request"),
    }
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
