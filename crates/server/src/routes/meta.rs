//! The server's clock, and the list of everything it may refuse.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::Rejection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::problem::{INTERNAL, INTERNAL_EN, INTERNAL_ZH, status};

#[derive(Serialize, ToSchema)]
pub struct TimeBody {
    /// Milliseconds since 1970: count down by this clock, not by the phone's.
    pub now_ms: i64,
    /// The site's time zone.
    #[schema(example = "Asia/Shanghai")]
    pub time_zone: String,
    /// The currency that costs of prizes and budgets are counted in, by its ISO 4217 code.
    #[schema(example = "CNY")]
    pub currency: String,
}

/// The server's clock
#[utoipa::path(get, path = "/time", tag = "site", responses((status = 200, body = TimeBody)))]
pub async fn time(State(app): State<App>) -> Json<TimeBody> {
    let time_zone = app.world.settings.site_zone.iana_name().unwrap_or("UTC").to_owned();
    let currency = app.world.settings.currency.to_string();
    Json(TimeBody { now_ms: app.world.now().0, time_zone, currency })
}

#[derive(Serialize, ToSchema)]
pub struct ProblemsBody {
    /// Every "no" there is.
    pub items: Vec<KnownProblemBody>,
}

/// A problem that may be answered.
#[derive(Serialize, ToSchema)]
pub struct KnownProblemBody {
    /// The stable name to branch on.
    #[schema(example = "sold_out")]
    pub code: &'static str,
    /// The HTTP status.
    #[schema(example = 409)]
    pub status: u16,
    /// Its title in English; what is filled in is named in braces.
    #[schema(example = "{pool} has only {left} left.")]
    pub en: String,
    /// And in Chinese.
    #[schema(example = "{pool} 仅剩 {left} 件。")]
    pub zh: String,
}

/// Every problem: code, status and text in both languages
#[utoipa::path(get, path = "/problems", tag = "site", responses((status = 200, body = ProblemsBody)))]
pub async fn problems() -> Json<ProblemsBody> {
    // What can be done from a state is written with a mark that is the program's own.
    let plain = |text: &str| text.replace("{state:#}", "{next}");
    let known = Rejection::samples().into_iter().zip(Rejection::TEXTS).map(|(sample, (code, en, zh))| {
        KnownProblemBody { code, status: status(&sample).as_u16(), en: plain(en), zh: plain(zh) }
    });
    let internal = KnownProblemBody {
        code: INTERNAL,
        status: StatusCode::INTERNAL_SERVER_ERROR.as_u16(),
        en: INTERNAL_EN.to_owned(),
        zh: INTERNAL_ZH.to_owned(),
    };
    Json(ProblemsBody { items: known.chain([internal]).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_problem_is_there_with_its_status_and_two_texts() {
        let Json(ProblemsBody { items }) = problems().await;
        assert_eq!(items.len(), Rejection::CODES.len() + 1);
        for (code, status, en) in [
            ("sold_out", 409, "{pool} has only {left} left."),
            ("flawed", 422, "This has {flaws}."),
            ("step_illegal", 409, "An activity that is {state} does not allow the step {action}. {next}."),
            (INTERNAL, 500, INTERNAL_EN),
        ] {
            let told =
                items.iter().find(|item| item.code == code).map(|item| (item.status, item.en.as_str()));
            assert_eq!(told, Some((status, en)), "{code}");
        }
        for (item, sample) in items.iter().zip(Rejection::samples()) {
            assert_eq!(item.code, sample.code());
            assert!(!item.zh.is_ascii() && !item.en.contains(":#"), "{}", item.code);
        }
    }
}
