//! Which route an address belongs to: metrics and logs must not grow with the ids in it. And which words a route knows in
//! its query, as the API document says: a filter with a typo must not become a listing of everything.

use axum::extract::Query as Pairs;
use axum::http::{Method, Uri};
use domain::Rejection;
use domain::nearest::meant;
use domain::rejection::FieldProblem;
use matchit::Router;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::{PathItem, RefOr};

use crate::openapi::{PREFIX, document};

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
    words: Vec<String>,
}

impl Patterns {
    pub fn new() -> Self {
        let api = document()
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

    /// Refuses a query with a word that the route does not know.
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
        for (word, _) in pairs.map_err(malformed)?.0 {
            if !known.words.contains(&word) {
                let nearest = meant(&word, known.words.iter().map(String::as_str));
                let problem = nearest.map_or(FieldProblem::Unknown, |nearest| FieldProblem::Mistyped {
                    nearest: nearest.to_owned(),
                });
                return Err(Rejection::Invalid { field: word.chars().take(SHOWN_MAX).collect(), problem });
            }
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
            RefOr::T(parameter) => (parameter.parameter_in == ParameterIn::Query).then_some(parameter.name),
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
