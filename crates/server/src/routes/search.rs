//! Search over posts, people, activities and items.

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use domain::rejection::FieldProblem;
use domain::search::{IndexedKind, SearchKind, SearchQuery, TextPart};
use engine::search::{FoundItem, SearchRequest, Searcher, Shown};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Query;
use super::community::wire::PersonBody;
use super::sales::wire::picture_address;
use crate::app::App;
use crate::auth::Spectator;
use crate::context::Context;
use crate::feed_page::{FeedQuery, FoundPaged, found_body};
use crate::page::PageBody;
use crate::problem::Problem;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchParams {
    /// 1 to 100 characters. Words are found whole, the last one also by how it begins in a title; Chinese by any characters that
    /// are next to each other.
    #[param(required, min_length = 1, max_length = 100)]
    pub q: Option<String>,
    /// `post` unless told.
    pub kind: Option<String>,
}

/// A part of a text.
#[derive(Debug, Serialize, ToSchema)]
pub struct TextPartBody {
    pub text: String,
    /// It is what was looked for.
    #[serde(rename = "match", skip_serializing_if = "std::ops::Not::not")]
    pub is_match: bool,
}

/// Something that was found. Texts are parts that come one after the other; none of them is markup.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundBody {
    pub kind: &'static str,
    /// Of the post, the person, the activity, the sale or the offer.
    #[schema(example = "7318349394477056")]
    pub id: String,
    pub title: Vec<TextPartBody>,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub title_en: Vec<TextPartBody>,
    /// A part of its text, around what was found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<TextPartBody>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub text_en: Vec<TextPartBody>,
    /// The person, or the author of the post; absent once the author has deleted the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonBody>,
    /// Of a post.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_at_ms: Option<i64>,
    /// Of an activity or a sale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<&'static str>,
    /// The address of a picture or an emoji, of a sale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// What an offer costs, in points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<i64>,
}

/// Search
///
/// Everything that was asked for has to be there. What is called so comes first, then what has it in its title, then what has it
/// anywhere; within each the newest first. Only what the lists show to this reader is found. A page may be short and still have a
/// `next`; a search has 50 pages at most.
#[utoipa::path(get, path = "/search", tag = "community",
    params(SearchParams, FeedQuery), responses((status = 200, body = PageBody<FoundBody>)))]
pub async fn search(
    State(app): State<App>,
    Spectator(user): Spectator,
    context: Context,
    FoundPaged { limit, after, page }: FoundPaged,
    Query(SearchParams { q, kind }): Query<SearchParams>,
) -> Result<Json<PageBody<FoundBody>>, Problem> {
    let q = q.ok_or_else(|| Rejection::invalid("q", FieldProblem::Missing))?;
    let unknown = || Rejection::invalid("kind", FieldProblem::NotOneOf { allowed: SearchKind::NAMES });
    let kind = kind.map_or(Some(SearchKind::Post), |kind| SearchKind::parse(&kind)).ok_or_else(unknown)?;
    let asked = SearchRequest { query: SearchQuery::parse(&q)?, kind, after, limit };
    let who = Searcher { user, address: context.client };
    let found = engine::search::search(&app.world, who, asked).await?;
    Ok(Json(found_body(found, page, FoundBody::from)))
}

fn parts(parts: Vec<TextPart>) -> Vec<TextPartBody> {
    parts.into_iter().map(|TextPart { text, is_match }| TextPartBody { text, is_match }).collect()
}

impl FoundBody {
    fn new(kind: IndexedKind, id: String, title: Shown, text: Shown) -> Self {
        Self {
            kind: kind.name(),
            id,
            title: parts(title.text),
            title_en: parts(title.text_en),
            text: parts(text.text),
            text_en: parts(text.text_en),
            person: None,
            published_at_ms: None,
            state: None,
            picture: None,
            points: None,
        }
    }
}

impl From<FoundItem> for FoundBody {
    fn from(item: FoundItem) -> Self {
        let plain = |text| Shown { text, text_en: Vec::new() };
        match item {
            FoundItem::Post { row, title, text } => Self {
                person: row.author.map(PersonBody::from),
                published_at_ms: Some(row.published.0),
                ..Self::new(IndexedKind::Post, row.id.to_string(), plain(title), plain(text))
            },
            FoundItem::Person { card, name } => {
                let found =
                    Self::new(IndexedKind::Person, card.id.to_string(), plain(name), Shown::default());
                Self { person: Some(card.into()), ..found }
            }
            FoundItem::Activity { id, state, title, text } => Self {
                state: Some(state.name()),
                ..Self::new(IndexedKind::Activity, id.to_string(), title, text)
            },
            FoundItem::Sale { id, state, title, text, picture } => Self {
                state: Some(state.name()),
                picture: (!picture.is_empty()).then(|| picture_address(&picture)),
                ..Self::new(IndexedKind::Sale, id.to_string(), title, text)
            },
            FoundItem::Offer { id, price, title, text } => {
                Self { points: Some(price), ..Self::new(IndexedKind::Offer, id.to_string(), title, text) }
            }
        }
    }
}
