//! What a handler's signature says about its operation: who may call it, and the body it takes.
//!
//! An argument of a handler is an [`Argument`]: an extractor of [`auth`](crate::auth) names the callers that pass it, any
//! other lets everybody pass. An operation is open to the callers that pass all of its arguments. So the document cannot
//! say anything else than what the handler enforces, and a type that is silent about it does not compile as an argument.

use axum::extract::State;
use axum::http::HeaderMap;
use utoipa::ToSchema;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{Ref, RefOr, Required, Schema};
use utoipa_axum::router::UtoipaMethodRouter;

use super::operations_of;
use crate::app::App;
use crate::body::{BatchBody, Body, NoBody, SmallBody, TextBody};
use crate::context::Context;
use crate::feed_page::{FeedPaged, FoundPaged, SnapshotPaged};
use crate::page::Paged;
use crate::picture_body::PictureBody;
use crate::problem::Problem;
use crate::routes::{Path, Query};
use crate::sheet_body::SheetBody;

/// Types of the document, by their names.
pub type Schemas = Vec<(String, RefOr<Schema>)>;

/// A type that a handler may take.
pub trait Argument {
    /// The callers that pass, each by what they show; nothing where everybody passes.
    fn callers() -> Option<Vec<SecurityRequirement>> {
        None
    }

    /// Writes down what it reads of the request, unless the handler does that itself.
    fn describe(_: &mut Operation, _: &mut Schemas) {}
}

impl<S> Argument for State<S> {}
impl Argument for Context {}
impl Argument for HeaderMap {}
impl<T> Argument for Path<T> {}
impl<T> Argument for Query<T> {}
impl Argument for Paged {}
impl Argument for FeedPaged {}
impl Argument for SnapshotPaged {}
impl Argument for FoundPaged {}
impl Argument for NoBody {}
impl Argument for SmallBody {}
impl Argument for SheetBody {}
impl Argument for PictureBody {}

impl<T: ToSchema> Argument for Body<T> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        describe_json::<T>(operation, schemas);
    }
}

impl<T: ToSchema> Argument for TextBody<T> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        describe_json::<T>(operation, schemas);
    }
}

impl<T: ToSchema> Argument for BatchBody<T> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        describe_json::<T>(operation, schemas);
    }
}

/// Somebody who does not pass is let in all the same, and sees less.
impl<T: Argument> Argument for Result<T, Problem> {
    fn callers() -> Option<Vec<SecurityRequirement>> {
        let mut callers = T::callers()?;
        callers.insert(0, SecurityRequirement::default());
        Some(callers)
    }
}

fn describe_json<T: ToSchema>(operation: &mut Operation, schemas: &mut Schemas) {
    let name = T::name();
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(&*name))).build();
    operation.request_body =
        Some(RequestBodyBuilder::new().content("application/json", content).build().into());
    schemas.push((name.into_owned(), T::schema()));
    T::schemas(schemas);
}

/// A handler, by the types of its arguments.
pub trait Signature<Arguments> {
    fn callers(&self) -> Vec<SecurityRequirement>;
    fn describe(&self, operation: &mut Operation, schemas: &mut Schemas);
}

macro_rules! signatures {
    ($($argument:ident)*) => {
        impl<F, Answer, $($argument: Argument),*> Signature<($($argument,)*)> for F
        where
            F: Fn($($argument),*) -> Answer,
        {
            fn callers(&self) -> Vec<SecurityRequirement> {
                pass_all([$($argument::callers()),*])
            }

            #[allow(unused_variables)] // By a handler without arguments.
            fn describe(&self, operation: &mut Operation, schemas: &mut Schemas) {
                $($argument::describe(operation, schemas);)*
            }
        }
    };
}

signatures!();
signatures!(A);
signatures!(A B);
signatures!(A B C);
signatures!(A B C D);
signatures!(A B C D E);
signatures!(A B C D E G);
signatures!(A B C D E G H);

fn pass_all<const N: usize>(guards: [Option<Vec<SecurityRequirement>>; N]) -> Vec<SecurityRequirement> {
    let both = |mut some: Vec<SecurityRequirement>, others: Vec<SecurityRequirement>| {
        some.retain(|caller| others.contains(caller));
        some
    };
    guards.into_iter().flatten().reduce(both).unwrap_or_default()
}

/// Adds what follows from the handler's signature and from its address to its operation.
pub fn describe<Arguments>(
    handler: &impl Signature<Arguments>,
    (mut schemas, mut paths, router): UtoipaMethodRouter<App>,
) -> UtoipaMethodRouter<App> {
    for (path, item) in &mut paths.paths {
        for operation in operations_of(item) {
            operation.security = Some(handler.callers());
            handler.describe(operation, &mut schemas);
            add_path_parameters(operation, path);
        }
    }
    (schemas, paths, router)
}

/// A part of an address is a text, unless the handler says more about it.
fn add_path_parameters(operation: &mut Operation, path: &str) {
    let parameters = operation.parameters.get_or_insert_default();
    let parts = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    for (place, name) in parts.enumerate() {
        let is_it = |one: &RefOr<Parameter>| matches!(one, RefOr::T(parameter) if parameter.name == name);
        if !parameters.iter().any(is_it) {
            let text = ObjectBuilder::new().schema_type(Type::String);
            let parameter = ParameterBuilder::new()
                .name(name)
                .parameter_in(ParameterIn::Path)
                .required(Required::True)
                .schema(Some(text));
            parameters.insert(place, parameter.build().into());
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::access::Scope;

    use super::*;
    use crate::auth::{AdminInPerson, Author, Player, Reader};
    use crate::openapi::security::{key, session};

    async fn open(_: State<App>, _: Context) {}
    async fn closed(_: State<App>, _: Player, _: Context) {}
    async fn more_for_some(_: Result<Reader, Problem>) {}
    async fn closed_and_more_for_some(_: Author, _: Result<AdminInPerson, Problem>) {}
    async fn both(_: Reader, _: Author) {}

    #[test]
    fn an_operation_is_open_to_whom_all_of_its_arguments_let_pass() {
        let anybody = SecurityRequirement::default;
        let check = |callers: Vec<SecurityRequirement>, expected: &[SecurityRequirement]| {
            assert!(callers == expected, "{}", serde_json::to_string(&callers).unwrap());
        };
        check(open.callers(), &[]);
        check(closed.callers(), &[session(), key(Scope::Play)]);
        check(more_for_some.callers(), &[anybody(), session(), key(Scope::Read), key(Scope::Admin)]);
        check(closed_and_more_for_some.callers(), &[session()]);
        check(both.callers(), &[session()]);
    }
}
