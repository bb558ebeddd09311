//! What answers a query. Whoever may see the lists of a kind may search it, and finds what those lists show.

use std::net::IpAddr;

use domain::Rejection;
use domain::activity::{LifeState, Plan};
use domain::ids::{ActivityId, OfferId, UserId};
use domain::limit::{Allowance, address_key};
use domain::search::{
    FoundPage, FoundPlace, SearchKind, SearchQuery, TextPart, highlight, plain_words, snippet,
};
use domain::time::{SECOND_MS, Timestamp};
use store::model::{FoundRow, PersonCard, PostRow, SearchFind, VersionRow};

use crate::community::check_reader;
use crate::failure::Result;
use crate::shop;
use crate::world::World;

/// Who searches, and from where.
#[derive(Clone, Copy, Debug)]
pub struct Searcher {
    pub user: Option<UserId>,
    pub address: IpAddr,
}

#[derive(Clone, Debug)]
pub struct SearchRequest {
    pub query: SearchQuery,
    pub kind: SearchKind,
    pub after: Option<FoundPlace>,
    pub limit: u32,
}

/// A text with what matched in it, for all and for readers of English. The second is empty where it is the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    pub text: Vec<TextPart>,
    pub text_en: Vec<TextPart>,
}

/// Something that was found.
#[derive(Clone, Debug)]
pub enum FoundItem {
    Post { row: PostRow, title: Vec<TextPart>, text: Vec<TextPart> },
    Person { card: PersonCard, name: Vec<TextPart> },
    Activity { id: ActivityId, state: LifeState, title: Shown, text: Shown },
    Sale { id: ActivityId, state: LifeState, title: Shown, text: Shown, picture: String },
    Offer { id: OfferId, price: i64, title: Shown, text: Shown },
}

pub async fn search(world: &World, who: Searcher, asked: SearchRequest) -> Result<FoundPage<FoundItem>> {
    match asked.kind {
        SearchKind::Post | SearchKind::Person => check_reader(world, who.user)?,
        SearchKind::Activity | SearchKind::Item => {}
    }
    count(world, who).await?;
    let SearchRequest { query, kind, after, limit } = asked;
    let (reader, now) = (who.user, world.now());
    let mut pages = Vec::new();
    for kind in kind.indexed() {
        let find = SearchFind { kind: *kind, query: query.clone(), after, limit, reader, now };
        pages.push(world.db.search_find(find).await?);
    }
    let page = FoundPage::merge(pages, limit as usize);
    let mut items = Vec::with_capacity(page.items.len());
    for (place, row) in page.items {
        if let Some(item) = show(world, &query, row, now).await? {
            items.push((place, item));
        }
    }
    Ok(FoundPage { items, next: page.next })
}

/// A search costs more than a page that is looked up, so it has an allowance of its own.
async fn count(world: &World, who: Searcher) -> Result<()> {
    let (class, key) = match who.user {
        Some(user) => ("search_user", user.to_string()),
        None => ("search_ip", address_key(who.address)),
    };
    let quota = world.settings.quotas.search;
    let Allowance { allowed, retry_ms, .. } =
        world.outside.limits.take(class, &key, quota, world.now()).await?;
    if allowed {
        return Ok(());
    }
    Err(Rejection::RateLimited { retry_after_s: (retry_ms + SECOND_MS - 1) / SECOND_MS }.into())
}

/// Nothing where the ledger says that it is over.
async fn show(
    world: &World,
    query: &SearchQuery,
    row: FoundRow,
    now: Timestamp,
) -> Result<Option<FoundItem>> {
    Ok(Some(match row {
        FoundRow::Post(row, body) => {
            let (title, text) = (highlight(query, &row.title), snippet(query, &plain_words(&body)));
            FoundItem::Post { row, title, text }
        }
        FoundRow::Person(card) => FoundItem::Person { name: highlight(query, &card.name), card },
        FoundRow::Activity(life, version) => {
            let state = life.at(version.content.configuration.window(), now).state;
            show_activity(query, state, &version)
        }
        FoundRow::Offer(offer) => {
            if shop::is_over(world, &offer).await? {
                return Ok(None);
            }
            let terms = offer.terms;
            FoundItem::Offer {
                id: offer.id,
                price: terms.price,
                title: show_whole(query, &terms.name, &terms.name_en),
                text: show_part(query, &terms.text, &terms.text_en),
            }
        }
    }))
}

fn show_activity(query: &SearchQuery, state: LifeState, version: &VersionRow) -> FoundItem {
    let (id, configuration) = (version.activity, &version.content.configuration);
    let presentation = configuration.presentation();
    let title = show_whole(query, configuration.name(), &presentation.name_en);
    let join = |name: &str, about: &str| match (name.is_empty(), about.is_empty()) {
        (true, _) => about.to_owned(),
        (false, true) => name.to_owned(),
        (false, false) => format!("{name} · {about}"),
    };
    let about = |name: &str, name_en: &str| {
        let en = join(name_en, &presentation.description_en);
        show_part(query, &join(name, configuration.description()), &en)
    };
    match &version.content.plan {
        Plan::Instant(_) | Plan::Raffle(_) => FoundItem::Activity { id, state, title, text: about("", "") },
        Plan::Sale(sale) => {
            let picture = sale.pictures.first().cloned().unwrap_or_default();
            let name_en = if sale.name_en.is_empty() { &sale.name } else { &sale.name_en };
            // What there is to read in English is no reason for a text that is the same otherwise.
            let has_english = !(sale.name_en.is_empty() && presentation.description_en.is_empty());
            let text = about(&sale.name, if has_english { name_en } else { "" });
            FoundItem::Sale { id, state, title, text, picture }
        }
    }
}

fn show_whole(query: &SearchQuery, text: &str, text_en: &str) -> Shown {
    Shown { text: highlight(query, text), text_en: highlight(query, text_en) }
}

fn show_part(query: &SearchQuery, text: &str, text_en: &str) -> Shown {
    Shown { text: snippet(query, text), text_en: snippet(query, text_en) }
}
