//! Share cards: what chat apps show of a link to a page. Only what everybody may read has one.

use domain::activity::Plan;
use domain::community::post::excerpt;
use domain::ids::{ActivityId, PostId};

use crate::community::posts::post_get;
use crate::failure::{Failure, Result};
use crate::world::World;

/// How addresses of uploaded pictures begin.
const PICTURES: &str = "/api/v1/pictures/";

/// A page that can be shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedPage {
    Post(PostId),
    /// A draw, a raffle or a sale with its item.
    Activity(ActivityId),
}

/// Plain texts, not escaped for anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareCard {
    pub title: String,
    pub description: String,
    /// An address on this site, or another one's; nothing for the site's own picture.
    pub picture: Option<String>,
}

/// The card of a page; nothing where somebody who is signed out would not see it.
pub async fn share_card(world: &World, page: SharedPage, in_english: bool) -> Result<Option<ShareCard>> {
    match page {
        SharedPage::Post(id) => of_post(world, id).await,
        SharedPage::Activity(id) => of_activity(world, id, in_english).await,
    }
}

async fn of_post(world: &World, id: PostId) -> Result<Option<ShareCard>> {
    let open = match post_get(world, None, id).await {
        Ok(open) => open,
        Err(Failure::Rejected(_)) => return Ok(None),
        Err(fault) => return Err(fault),
    };
    let picture = first_picture(&open.rendered.html);
    let row = open.whole.row;
    Ok(Some(ShareCard { title: row.title, description: row.excerpt, picture }))
}

/// The address of the first picture of a rendered text. Only uploaded ones are left in it.
fn first_picture(html: &str) -> Option<String> {
    let at = html.find(PICTURES)?;
    let id: String = html[at + PICTURES.len()..].chars().take_while(char::is_ascii_digit).collect();
    (!id.is_empty()).then(|| format!("{PICTURES}{id}"))
}

async fn of_activity(world: &World, id: ActivityId, in_english: bool) -> Result<Option<ShareCard>> {
    let Some(live) = world.caches.activities.find(world, id).await? else { return Ok(None) };
    let (configuration, texts) = (&live.content.configuration, live.content.configuration.presentation());
    let choose =
        |text: &str, en: &str| if in_english && !en.is_empty() { en.to_owned() } else { text.to_owned() };
    let description = choose(configuration.description(), &texts.description_en);
    let picture = match &live.content.plan {
        Plan::Sale(plan) => plan.pictures.iter().find_map(|picture| picture_address(picture)),
        Plan::Instant(_) | Plan::Raffle(_) => None,
    };
    let title = choose(configuration.name(), &texts.name_en);
    Ok(Some(ShareCard { title, description: excerpt(&description), picture }))
}

/// Of an uploaded picture or one elsewhere; an emoji has none.
fn picture_address(picture: &str) -> Option<String> {
    match picture.parse::<i64>() {
        Ok(id) => Some(format!("{PICTURES}{id}")),
        Err(_) => picture.starts_with("https://").then(|| picture.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_cards() {
        for (html, expected) in [
            ("<p>text</p>", None),
            ("<img src=\"/api/v1/pictures/77\" alt=\"a\">", Some("/api/v1/pictures/77")),
            (
                "<img src=\"/api/v1/pictures/77?width=320\"><img src=\"/api/v1/pictures/5\">",
                Some("/api/v1/pictures/77"),
            ),
            ("/api/v1/pictures/", None),
        ] {
            assert_eq!(first_picture(html).as_deref(), expected, "{html}");
        }
        for (picture, expected) in [
            ("77", Some("/api/v1/pictures/77")),
            ("https://cdn.example/a.png", Some("https://cdn.example/a.png")),
            ("http://cdn.example/a.png", None),
            ("🎧", None),
        ] {
            assert_eq!(picture_address(picture).as_deref(), expected, "{picture}");
        }
    }
}
