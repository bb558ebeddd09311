//! What happens to every request of the API before its handler: the key or session is resolved, a write that a browser
//! sent from another site is rejected, and the request is counted against the caller's allowance.
//!
//! Only an attempt at a sale that is known to be sold out is answered before that, with what everybody may know.

use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use domain::Rejection;

use super::allowance::{count, count_address, limit_headers, too_often};
use super::identity::{Identity, resolve};
use crate::app::App;
use crate::context::Context;
use crate::problem::Problem;

/// What payment providers tell comes as fast as people pay, from one address: it has an allowance of its own.
const PAYMENT_CALLBACKS: &str = "/api/v1/payments/";

/// Who is asking and what is left of their allowance go with the request; what `answer` makes of it comes back with the
/// headers that say so.
pub(crate) async fn identify<F: Future<Output = Response>>(
    app: &App,
    context: &Context,
    mut request: Request,
    answer: impl FnOnce(Request) -> F,
) -> Response {
    let identity = match resolve(app, context, request.headers()).await {
        Ok(identity) => identity,
        Err(failure) => return Problem(failure).into_response(),
    };
    let from_browser = matches!(identity, Identity::Nobody | Identity::Person(_) | Identity::Refused(_));
    if from_browser && !same_site(&request, app.http.public_url.as_deref()) {
        return Problem::from(Rejection::CrossSite).into_response();
    }
    let is_callback =
        matches!(identity, Identity::Nobody) && request.uri().path().starts_with(PAYMENT_CALLBACKS);
    let counted = if is_callback {
        count_address(app, context, "callback", app.world.settings.quotas.callback_ip).await.map(Some)
    } else {
        count(app, context, &identity).await
    };
    let allowance = match counted {
        Ok(allowance) => allowance,
        Err(failure) => return Problem(failure).into_response(),
    };
    let mut response = match allowance {
        Some(allowance) if !allowance.allowed => Problem::from(too_often(allowance)).into_response(),
        Some(_) | None => {
            request.extensions_mut().insert(identity);
            answer(request).await
        }
    };
    // Answers of the API are for this caller at this moment.
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if let Some(allowance) = allowance {
        limit_headers(response.headers_mut(), allowance);
    }
    response
}

/// Browsers say where a request comes from; what they say must be this site. Clients that are no browsers say
/// nothing and carry no cookie they did not mean to send.
fn same_site(request: &Request, public_url: Option<&str>) -> bool {
    if request.method().is_safe() {
        return true;
    }
    let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text("sec-fetch-site") {
        return matches!(site, "same-origin" | "none");
    }
    // HTTP/2 names the host in the address itself.
    let host = text("host").or_else(|| request.uri().authority().map(Authority::as_str));
    let Some(origin) = text("origin") else { return true };
    // A proxy may speak TLS for us, so both schemes of our own host are ours.
    let ours = |(scheme, authority): (&str, &str)| {
        matches!(scheme, "http" | "https") && host.is_some_and(|host| host.eq_ignore_ascii_case(authority))
    };
    public_url == Some(origin) || origin.split_once("://").is_some_and(ours)
}

#[cfg(test)]
mod tests {
    use axum::http::Method;

    use super::*;

    /// Method, what the browser says, and whether the request is carried out.
    #[test]
    fn requests_from_other_sites_are_refused() {
        for (method, pairs, passes) in [
            (Method::POST, vec![], true),
            (Method::POST, vec![("sec-fetch-site", "same-origin")], true),
            (Method::POST, vec![("sec-fetch-site", "none")], true),
            (Method::POST, vec![("sec-fetch-site", "cross-site")], false),
            (Method::POST, vec![("sec-fetch-site", "same-site")], false),
            (Method::GET, vec![("sec-fetch-site", "cross-site")], true),
            (Method::POST, vec![("origin", "http://shop.example"), ("host", "shop.example")], true),
            (Method::DELETE, vec![("origin", "http://evil.example"), ("host", "shop.example")], false),
            (Method::PUT, vec![("origin", "null"), ("host", "shop.example")], false),
            (Method::POST, vec![("origin", "https://play.example"), ("host", "10.0.0.1:8088")], true),
            (Method::POST, vec![("origin", "http://shop.example.evil"), ("host", "shop.example")], false),
            (Method::POST, vec![("origin", "ftp://shop.example"), ("host", "shop.example")], false),
        ] {
            let mut request = Request::builder().method(&method).uri("/");
            for (name, value) in &pairs {
                request = request.header(*name, *value);
            }
            let request = request.body(axum::body::Body::empty()).unwrap();
            assert_eq!(same_site(&request, Some("https://play.example")), passes, "{method} {pairs:?}");
        }
    }
}
