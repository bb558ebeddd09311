//! What goes wrong, as `application/problem+json`.
//!
//! A handler returns a [`Problem`]; the edge renders it once, in the caller's language and with the request's
//! id. The exhaustive match below is where a new rejection gets its status.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::flaw::Flaw;
use domain::rejection::Details;
use domain::{Lang, Rejection};
use engine::{Failure, Fault};
use serde::Serialize;
use utoipa::ToSchema;

use crate::context::Context;
use crate::requests::Requests;

#[derive(Debug)]
pub struct Problem(pub Failure);

impl<T: Into<Failure>> From<T> for Problem {
    fn from(failure: T) -> Self {
        Self(failure.into())
    }
}

/// Travels inside the unrendered response to the edge.
#[derive(Clone, Debug)]
pub(crate) enum Unrendered {
    Rejected(Rejection),
    Faulted(std::sync::Arc<Fault>),
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        let unrendered = match self.0 {
            Failure::Rejected(rejection) => {
                *response.status_mut() = status(&rejection);
                Unrendered::Rejected(rejection)
            }
            Failure::Fault(fault) => {
                *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
                Unrendered::Faulted(fault.into())
            }
        };
        response.extensions_mut().insert(unrendered);
        response
    }
}

/// The HTTP status of each rejection.
pub fn status(rejection: &Rejection) -> StatusCode {
    use Rejection as R;
    match rejection {
        R::Invalid { .. }
        | R::BodyMalformed { .. }
        | R::HostWrong
        | R::CursorInvalid
        | R::PasswordWeak { .. }
        | R::ScheduleInvalid { .. }
        | R::WebhookAddressPrivate
        | R::ActingUserMissing => StatusCode::BAD_REQUEST,
        R::Flawed { .. } | R::PictureUnreadable | R::WordsRefused { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        R::BodyTooLarge { .. } | R::PictureTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        R::HeadTooLarge { .. } => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        R::MediaType | R::SheetMediaType | R::PictureMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        R::NotFound { .. } | R::PoolUnknown { .. } | R::HoldUnknown => StatusCode::NOT_FOUND,
        R::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        R::Unauthenticated => StatusCode::UNAUTHORIZED,
        R::CodeWrong { .. } | R::CodeSpent { .. } | R::CredentialsWrong | R::PasswordWrong | R::SecondFactorNeeded | R::ConsentNeeded | R::SecondFactorWrong | R::LinkSpent | R::SignatureWrong => {
            StatusCode::UNAUTHORIZED
        }
        R::CrossSite
        | R::Forbidden { .. }
        | R::ScopeMissing { .. }
        | R::PeopleOnly
        | R::SecondFactorRequired
        | R::PhoneCountry
        | R::DeletionByCompany
        | R::ConsoleOnly
        | R::Banned { .. }
        | R::OwnWork
        | R::OwnAccount
        | R::StaffInPerson
        | R::KeyOfAnother
        | R::RefundAloneMax { .. }
        | R::PointsAloneMax { .. }
        | R::ChancesAloneMax { .. }
        | R::PiecesAloneMax { .. }
        | R::KeyStopsMax { .. }
        | R::KeyBarsMax { .. }
        | R::NotAuthor
        | R::TokenNeeded
        | R::TokenWrong
        | R::CaptchaNeeded
        | R::CaptchaWrong
        | R::PlaceNeeded
        | R::PlaceWrong
        | R::PhoneNeeded
        | R::LinksTooSoon { .. }
        | R::NotEligible => StatusCode::FORBIDDEN,
        R::IdempotencyConflict
        | R::PhoneTaken
        | R::PhoneUnchanged
        | R::AddressBookFull { .. }
        | R::FactsFull { .. }
        | R::FactReserved { .. }
        | R::SelfBan
        | R::LastAdmin
        | R::SecondFactorOn
        | R::SecondFactorOff
        | R::VersionStale { .. }
        | R::BlockListFull { .. }
        | R::AlreadyDecided { .. }
        | R::LeaseLost
        | R::BackupElsewhere
        | R::LeaderElsewhere { .. }
        | R::SoldOut { .. }
        | R::LimitReached { .. }
        | R::PoolFrozen { .. }
        | R::PoolClosed { .. }
        | R::IdConflict
        | R::AlreadyConfirmed
        | R::AlreadyCancelled
        // Not 410: the hold can still be read. All ends of a hold share a status and differ by name.
        | R::HoldExpired
        | R::NotHeld { .. }
        | R::NotFree { .. }
        | R::TotalTooLarge { .. }
        | R::RoundStale { .. }
        | R::ExtendTooFar { .. }
        | R::StepIllegal { .. }
        | R::NotDue { .. }
        | R::FulfilmentStepIllegal { .. }
        | R::GivenForGood { .. }
        | R::ClaimOver { .. }
        | R::WebhooksFull { .. }
        | R::WebhookIsOff
        | R::DeliveryWaiting
        | R::GrantRulesFull { .. }
        | R::KeysFull { .. }
        | R::OfferOff
        | R::OfferNotStarted { .. }
        | R::OfferOver
        | R::OffersFull { .. }
        | R::OfferStepIllegal { .. }
        | R::AttemptUnderWay { .. }
        | R::AttemptLost
        | R::PriceChanged { .. }
        | R::CartCurrencies
        | R::CartAtPayment { .. }
        | R::OrderStepIllegal { .. }
        | R::OrderPaying
        | R::PaymentsOff
        | R::PaymentConflict
        | R::WindowOver { .. }
        | R::RoundsSpent
        | R::EditedMeanwhile { .. }
        | R::VersionUnchanged
        | R::NotRunning
        | R::NotStarted { .. }
        | R::Ended
        | R::Paused
        | R::Halted
        | R::EntriesGone { .. }
        | R::ChancesSpent { .. }
        | R::ChancesSpentMonth { .. }
        | R::ChancesSpentDay { .. }
        | R::ClientValueFixed
        | R::GrantOutOfRange { .. }
        | R::PointsShort { .. }
        | R::PointsOutOfRange { .. }
        | R::PointsReversed { .. }
        | R::PointsFinal { .. }
        | R::EntersOnly
        | R::LeadersUnoffered
        | R::DrawsOnly
        | R::SellsOnly
        | R::VersionInMaking
        | R::PicturesFull { .. }
        | R::ReminderLate
        | R::RemindersFull { .. }
        | R::RollUnpublished
        | R::BeaconUnnamed
        | R::BeaconFixed
        | R::CodePoolExists
        | R::CodePoolsFull { .. }
        | R::CodesFull { .. }
        | R::TokenExpired
        | R::TokenSpent
        | R::CaptchaExpired
        | R::CaptchaSpent
        | R::NotYourTurn { .. }
        | R::NoCaptcha
        | R::VotingOver
        | R::MakeUpDay { .. }
        | R::MakeUpsSpent { .. }
        | R::InviteLate { .. }
        | R::InviteKnown
        | R::PinsFull { .. }
        | R::PostHidden { .. }
        | R::CommentsLocked
        | R::Yourself
        | R::BlockedByYou
        | R::FollowingFull { .. }
        | R::BlocksFull { .. }
        | R::MutesFull { .. }
        | R::AnswerAwaited
        | R::ReportClosed
        | R::FilterFull { .. }
        | R::AppealMade
        | R::AppealClosed
        | R::DecisionOver
        | R::NoRoom => StatusCode::CONFLICT,
        R::SnapshotExpired => StatusCode::GONE,
        R::RateLimited { .. }
        | R::CodeTooSoon { .. }
        | R::CodeDailyCap
        | R::DailyCap { .. }
        | R::ConversationsFull { .. }
        | R::CodeSiteCap
        | R::TombstonesFull { .. }
        | R::StreamsOfAddressFull { .. }
        | R::StreamsOfCallerFull { .. } => {
            StatusCode::TOO_MANY_REQUESTS
        }
        R::Overloaded { .. } | R::LedgerUnavailable { .. } | R::NoLeader { .. } | R::RowsBehind { .. } | R::ClockBehind { .. } | R::OutcomeUnknown | R::StreamsFull { .. } | R::RoomFull { .. } | R::TooBusy { .. } => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        R::TimedOut => StatusCode::GATEWAY_TIMEOUT,
    }
}

/// The body of every answer that is a "no".
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProblemBody {
    /// Where this problem is described.
    #[serde(rename = "type")]
    #[schema(example = "/docs/problems#code_wrong")]
    pub kind: String,
    /// One sentence for people, in the caller's language.
    pub title: String,
    /// The HTTP status again.
    pub status: u16,
    /// The stable name to branch on.
    #[schema(example = "code_wrong")]
    pub code: &'static str,
    /// The field of the request that is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Everything that is wrong, when the whole was checked at once (`flawed`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<FlawBody>,
    /// Seconds after which trying again makes sense.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_s: Option<i64>,
    /// The pool that is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// Units of that pool that are free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<u64>,
    /// Units of that pool that one owner may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Units of that pool that this owner has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has: Option<u32>,
    /// What one unit costs now (`price_changed`), in the smallest unit of its currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_minor: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Quote this when asking for help.
    pub request_id: String,
}

/// One of the things that are wrong.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FlawBody {
    /// What is to blame: `[3]` is a place in a list, from 0, and `.3` an id. Empty for the whole.
    #[schema(example = "prizes[3].odds")]
    pub field: String,
    /// The stable name to branch on.
    #[schema(example = "odds_zero")]
    pub code: &'static str,
    /// One sentence for people, in the caller's language.
    pub text: String,
}

impl FlawBody {
    fn of(flaw: &Flaw, lang: Lang) -> Self {
        Self { field: flaw.field.clone(), code: flaw.code, text: flaw.text(lang).to_owned() }
    }
}

impl ProblemBody {
    /// A rejection as it is told to this caller.
    pub(crate) fn of(rejection: &Rejection, context: &Context) -> Self {
        Self::in_words(rejection, context.lang, context.request_id.clone())
    }

    /// A rejection in a language, about a request. The request's id is the last member.
    pub(crate) fn in_words(rejection: &Rejection, lang: Lang, request_id: String) -> Self {
        let Details { pool, left, limit, has, price } = rejection.details();
        let code = rejection.code();
        Self {
            kind: format!("/docs/problems#{code}"),
            title: rejection.text(lang),
            status: status(rejection).as_u16(),
            code,
            field: rejection.field().map(str::to_owned),
            problems: rejection.flaws().iter().map(|flaw| FlawBody::of(flaw, lang)).collect(),
            retry_after_s: rejection.retry_after_s(),
            pool,
            left,
            limit,
            has,
            price_minor: price.map(|price| price.minor),
            currency: price.map(|price| price.currency.to_string()),
            request_id,
        }
    }

    /// A fault as it is told to anybody.
    fn internal(context: &Context) -> Self {
        let title = match context.lang {
            Lang::En => INTERNAL_EN,
            Lang::Zh => INTERNAL_ZH,
        };
        Self {
            kind: format!("/docs/problems#{INTERNAL}"),
            title: title.to_owned(),
            status: StatusCode::INTERNAL_SERVER_ERROR.as_u16(),
            code: INTERNAL,
            field: None,
            problems: Vec::new(),
            retry_after_s: None,
            pool: None,
            left: None,
            limit: None,
            has: None,
            price_minor: None,
            currency: None,
            request_id: context.request_id.clone(),
        }
    }
}

/// A refusal is counted where it is told: this one within an answer about several things.
pub(crate) fn counted(rejection: &Rejection) {
    metrics::counter!("windfall_rejections_total", "code" => rejection.code()).increment(1);
}

pub(crate) const PROBLEM: &str = "application/problem+json";

pub(crate) fn content_language(lang: Lang) -> HeaderValue {
    HeaderValue::from_static(match lang {
        Lang::En => "en",
        Lang::Zh => "zh-CN",
    })
}

/// The code of a fault: ours to find, not the caller's.
pub(crate) const INTERNAL: &str = "internal";
pub(crate) const INTERNAL_EN: &str = "Something broke on our side. The request id below tells us what.";
pub(crate) const INTERNAL_ZH: &str = "服务器内部错误，请提供下方的请求编号以便排查。";

/// Renders what a handler left in the response; faults are logged here and nowhere else.
pub(crate) fn render(
    mut response: Response,
    context: &Context,
    route: &str,
    requests: &Requests,
) -> Response {
    let Some(unrendered) = response.extensions_mut().remove::<Unrendered>() else { return response };
    let body = match unrendered {
        Unrendered::Rejected(rejection) => {
            requests.refused(rejection.code());
            ProblemBody::of(&rejection, context)
        }
        Unrendered::Faulted(fault) => {
            tracing::error!(
                request_id = &*context.request_id,
                route,
                fault = fault.story(),
                "request failed"
            );
            metrics::counter!("windfall_faults_total").increment(1);
            ProblemBody::internal(context)
        }
    };
    let headers = response.headers_mut();
    // The router has measured the body that was not written yet.
    headers.remove(header::CONTENT_LENGTH);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM));
    headers.insert(header::CONTENT_LANGUAGE, content_language(context.lang));
    if let Some(seconds) = body.retry_after_s {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    *response.body_mut() = serde_json::to_vec(&body).map_or_else(|_| Body::empty(), Body::from);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_stands_in_the_api_page() {
        let page = include_str!("../../../docs/api.md");
        for rejection in Rejection::samples() {
            let code = rejection.code();
            assert!(page.contains(&format!("`{code}`")), "{code}");
        }
    }
}
