//! The events that are posted to subscribers, from the one list of their kinds.

use domain::webhook::{EventKind, Field, FieldShape};
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::{
    HttpMethod, OperationBuilder, ParameterBuilder, ParameterIn, PathItem, PathsBuilder,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{
    ArrayBuilder, KnownFormat, Object, ObjectBuilder, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{OpenApi, Ref, RefOr, Required, Schema};

const HEADERS: [(&str, &str); 3] = [
    ("Windfall-Event", "The kind of the event."),
    (
        "Windfall-Delivery",
        "The id of this delivery to you, the same in every attempt: do the work once per id.",
    ),
    (
        "Windfall-Signature",
        "`t=<seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the webhook's secret.",
    ),
];

pub(super) fn add(document: &mut OpenApi) {
    let components = document.components.get_or_insert_default();
    components.schemas.insert("EventUser".to_owned(), user().into());
    let mut paths = PathsBuilder::new();
    for kind in EventKind::ALL {
        let name = type_name(kind);
        components.schemas.insert(name.clone(), event(kind).into());
        paths = paths.path(kind.name(), item(kind, &name));
    }
    document.webhooks = Some(paths.build());
}

/// `win.to_ship` is `WinToShipEvent`.
fn type_name(kind: EventKind) -> String {
    let words = kind.name().split(['.', '_']).map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    words.collect::<String>() + "Event"
}

fn item(kind: EventKind, name: &str) -> PathItem {
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name(name))).build();
    let request =
        RequestBodyBuilder::new().content("application/json", body).required(Some(Required::True)).build();
    let taken =
        ResponseBuilder::new().description("Any answer from 200 to 299 means that you have it.").build();
    let mut operation = OperationBuilder::new()
        .tag("webhooks")
        .summary(Some(kind.when()))
        .operation_id(Some(format!("event_{}", kind.name().replace('.', "_"))))
        .request_body(Some(request))
        .response("2XX", taken);
    for (header, words) in HEADERS {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let parameter = ParameterBuilder::new()
            .name(header)
            .parameter_in(ParameterIn::Header)
            .required(Required::True)
            .description(Some(words))
            .schema(Some(text));
        operation = operation.parameter(parameter);
    }
    PathItem::new(HttpMethod::Post, operation.build())
}

/// The same shape for every kind; `data` is its own.
fn event(kind: EventKind) -> Object {
    let id = shape(FieldShape::Id, "Of the event, the same for every receiver.");
    let name = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([kind.name()]));
    ObjectBuilder::new()
        .description(Some(kind.when()))
        .property("id", id)
        .required("id")
        .property("kind", name)
        .required("kind")
        .property("at_ms", shape(FieldShape::Moment, "When it happened."))
        .required("at_ms")
        .property("user", Ref::from_schema_name("EventUser"))
        .property("data", object(kind.fields().iter().flat_map(|group| group.iter())))
        .required("data")
        .build()
}

/// Whom it is about, where it is about somebody.
fn user() -> Object {
    ObjectBuilder::new()
        .description(Some("Whom the event is about."))
        .property("id", shape(FieldShape::Id, "The user."))
        .required("id")
        .property("external_id", shape(FieldShape::Text, "Your own id of the user, where there is one."))
        .build()
}

fn object<'a>(fields: impl Iterator<Item = &'a Field>) -> Object {
    let mut object = ObjectBuilder::new();
    for Field { name, shape: of, always, words } in fields {
        object = object.property(*name, if *always { shape(*of, words) } else { or_null(shape(*of, words)) });
        if *always {
            object = object.required(*name);
        }
    }
    object.build()
}

fn shape(shape: FieldShape, words: &str) -> RefOr<Schema> {
    let plain = |of: Type| ObjectBuilder::new().schema_type(of).description(Some(words));
    let whole = || plain(Type::Integer).format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)));
    match shape {
        FieldShape::Id => plain(Type::String).examples(["7318349394477056"]).into(),
        FieldShape::Text => plain(Type::String).into(),
        FieldShape::Count => whole().minimum(Some(0)).into(),
        FieldShape::Number | FieldShape::Moment => whole().into(),
        FieldShape::List(fields) => {
            ArrayBuilder::new().items(object(fields.iter())).description(Some(words)).build().into()
        }
    }
}

fn or_null(schema: RefOr<Schema>) -> RefOr<Schema> {
    match schema {
        RefOr::T(Schema::Object(mut object)) => {
            if let SchemaType::Type(only) = &object.schema_type {
                object.schema_type = SchemaType::Array(vec![only.clone(), Type::Null]);
            }
            object.into()
        }
        other => other,
    }
}
