//! Which route an address belongs to: metrics and logs must not grow with the ids in it. And which words a route knows in
//! its query, as the API document says: a filter with a typo must not become a listing of everything.

use axum::extract::Query as Pairs;
use axum::http::{Method, Uri};
use domain::Rejection;
use domain::nearest::meant;
use domain::rejection::FieldProblem;
use matchit::Router;
use utoipa::openapi::path::{Operation, Parameter, ParameterIn};
use utoipa::openapi::{PathItem, RefOr, Schema};

use crate::openapi::{PREFIX, raw};

/// What is served beside the API.
const BESIDE: [&str; 21] = [
    "/",
    "/enter",
    "/sign-in",
    "/register",
    "/shop",
    "/activities/{id}",
    "/activities/{id}/{*rest}",
    "/me",
    "/me/{*rest}",
    "/console",
    "/console/",
    "/console/{*rest}",
    "/favicon.ico",
    "/docs",
    "/docs/{*rest}",
    "/docs/problems",
    "/assets/{name}",
    "/healthz",
    "/readyz",
    "/metrics",
    "/api/v1/openapi.json",
];

/// What no route is for.
const OTHER: &str = "other";
/// Characters of somebody's query that come back at most.
const SHOWN_MAX: usize = 60;

/// The patterns of all routes.
#[derive(Debug)]
pub struct Patterns(Router<Pattern>);

#[derive(Debug)]
struct Pattern {
    text: String,
    /// Nothing beside the API: pages are given all kinds of things.
    queries: Option<Vec<Query>>,
}

/// The words that one method knows.
#[derive(Debug)]
struct Query {
    method: Method,
    words: Vec<Word>,
}

#[derive(Debug)]
struct Word {
    name: String,
    /// Whether it may be said several times: it has a list of values.
    many: bool,
}

impl Word {
    fn of(parameter: Parameter) -> Self {
        let many = matches!(parameter.schema, Some(RefOr::T(Schema::Array(_))));
        Self { name: parameter.name, many }
    }
}

impl Patterns {
    pub fn new() -> Self {
        let api = raw()
            .paths
            .paths
            .into_iter()
            .map(|(path, item)| Pattern { text: format!("{PREFIX}{path}"), queries: Some(queries(item)) });
        let beside = BESIDE.map(|text| Pattern { text: text.to_owned(), queries: None });
        let mut router = Router::new();
        for pattern in api.chain(beside) {
            // Two that cannot be told apart cannot both be routes; the router of the application has refused that.
            let _ = router.insert(pattern.text.clone(), pattern);
        }
        Self(router)
    }

    pub fn of(&self, path: &str) -> &str {
        self.find(path).map_or(OTHER, |found| &found.text)
    }

    /// Refuses a query with a word that the route does not know, or with one twice that has one value.
    pub fn check(&self, method: &Method, uri: &Uri) -> Result<(), Rejection> {
        if uri.query().is_none_or(str::is_empty) {
            return Ok(());
        }
        let queries = self.find(uri.path()).and_then(|pattern| pattern.queries.as_ref());
        let Some(known) = queries.and_then(|all| all.iter().find(|query| query.method == *method)) else {
            return Ok(());
        };
        let pairs = Pairs::<Vec<(String, String)>>::try_from_uri(uri);
        let malformed = |_| Rejection::invalid("query", FieldProblem::Malformed);
        // A word is refused when it comes again: there are never more of them than the route knows.
        let mut said: Vec<&Word> = Vec::new();
        for (word, _) in pairs.map_err(malformed)?.0 {
            let Some(known) = known.words.iter().find(|known| known.name == word) else {
                let nearest = meant(&word, known.words.iter().map(|known| known.name.as_str()));
                let problem = nearest.map_or(FieldProblem::Unknown, |nearest| FieldProblem::Mistyped {
                    nearest: nearest.to_owned(),
                });
                return Err(Rejection::Invalid { field: word.chars().take(SHOWN_MAX).collect(), problem });
            };
            if !known.many && said.iter().any(|before| std::ptr::eq(*before, known)) {
                return Err(Rejection::invalid(&known.name, FieldProblem::Duplicate));
            }
            said.push(known);
        }
        Ok(())
    }

    fn find(&self, path: &str) -> Option<&Pattern> {
        self.0.at(path).ok().map(|found| found.value)
    }
}

fn queries(item: PathItem) -> Vec<Query> {
    let methods = [
        (Method::GET, item.get),
        (Method::POST, item.post),
        (Method::PUT, item.put),
        (Method::PATCH, item.patch),
        (Method::DELETE, item.delete),
    ];
    let query = |(method, operation): (Method, Option<Operation>)| {
        let parameters = operation?.parameters.unwrap_or_default().into_iter();
        let words = parameters.filter_map(|parameter| match parameter {
            RefOr::T(parameter) => {
                (parameter.parameter_in == ParameterIn::Query).then(|| Word::of(parameter))
            }
            // The document writes every parameter out where it is.
            RefOr::Ref(_) => None,
        });
        Some(Query { method, words: words.collect() })
    };
    methods.into_iter().filter_map(query).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_by_its_route() {
        let patterns = Patterns::new();
        for (path, expected) in [
            ("/api/v1/play/activities/77/draws", "/api/v1/play/activities/{id}/draws"),
            ("/api/v1/time", "/api/v1/time"),
            ("/api/v1/openapi.json", "/api/v1/openapi.json"),
            ("/", "/"),
            ("/docs/problems", "/docs/problems"),
            ("/docs/swagger-ui.css", "/docs/{*rest}"),
            ("/assets/page.js", "/assets/{name}"),
            ("/activities/77/fairness/9", "/activities/{id}/{*rest}"),
            ("/console/activities", "/console/{*rest}"),
            ("/metrics", "/metrics"),
            ("/api/v1/no/such", "other"),
            ("/../etc", "other"),
        ] {
            assert_eq!(patterns.of(path), expected, "{path}");
        }
    }

    #[test]
    fn a_word_with_one_value_is_said_once() {
        let patterns = Patterns::new();
        for (query, blamed) in [
            ("limit=5&state=running", None),
            ("limit=5&limit=6", Some("limit")),
            ("limit=5&lim%69t=6", Some("limit")),
            ("state=running&limit=5&state=", Some("state")),
        ] {
            let uri = format!("/api/v1/activities?{query}").parse().unwrap();
            let found = patterns.check(&Method::GET, &uri).err();
            assert!(found.as_ref().is_none_or(|rejection| matches!(
                rejection,
                Rejection::Invalid { problem: FieldProblem::Duplicate, .. }
            )));
            assert_eq!(found.as_ref().and_then(Rejection::field), blamed, "{query}");
        }
    }

    #[test]
    fn a_query_says_only_what_its_route_knows() {
        let patterns = Patterns::new();
        for (method, path, query, blamed) in [
            (Method::GET, "/api/v1/activities", "", None),
            (Method::GET, "/api/v1/activities", "state=running&limit=5&after=x", None),
            (Method::GET, "/api/v1/activities", "stat=running", Some(("stat", Some("state")))),
            (Method::GET, "/api/v1/activities", "limit=5&colour", Some(("colour", None))),
            (Method::GET, "/api/v1/activities", "st%61te=running", None),
            (Method::GET, "/api/v1/time", "x=1", Some(("x", None))),
            (Method::DELETE, "/api/v1/time", "x=1", None),
            (Method::GET, "/", "from=wechat", None),
            (Method::GET, "/api/v1/no/such", "x=1", None),
        ] {
            let uri = format!("{path}?{query}").parse().unwrap();
            let found = patterns.check(&method, &uri).err().map(|rejection| match rejection {
                Rejection::Invalid { field, problem: FieldProblem::Mistyped { nearest } } => {
                    (field, Some(nearest))
                }
                Rejection::Invalid { field, problem: FieldProblem::Unknown } => (field, None),
                other => panic!("{other:?}"),
            });
            let blamed = blamed.map(|(field, nearest)| (field.to_owned(), nearest.map(str::to_owned)));
            assert_eq!(found, blamed, "{method} {path}?{query}");
        }
    }
}
