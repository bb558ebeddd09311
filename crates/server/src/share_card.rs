//! Share cards in the head of a page: Open Graph tags, as chat apps read them. Every text is escaped; nothing that was written
//! by anybody can end its attribute.

use std::fmt::Write as _;

use domain::ids::{ActivityId, PostId};
use engine::operations::share_cards::{ShareCard, SharedPage};

/// The picture of pages that have none of their own.
pub const DEFAULT_PICTURE: &str = "/share.png";
const SITE: &str = "Windfall";
/// Where tags go.
const HEAD_END: &str = "</head>";

/// The page behind an address, if it is one that can be shared.
pub fn shared_page(path: &str) -> Option<SharedPage> {
    let (kind, id) = path.trim_end_matches('/').split_once('/')?;
    match kind {
        "posts" => id.parse::<PostId>().ok().map(SharedPage::Post),
        "activities" | "sales" => id.parse::<ActivityId>().ok().map(SharedPage::Activity),
        _ => None,
    }
}

/// Puts a card into a page. `origin` is the site's own address; without one there are no tags that need an absolute address.
pub fn insert_card(html: &str, card: &ShareCard, path: &str, origin: Option<&str>) -> String {
    html.replacen(HEAD_END, &format!("{}{HEAD_END}", tags(card, path, origin)), 1)
}

fn tags(card: &ShareCard, path: &str, origin: Option<&str>) -> String {
    let mut tags = String::new();
    let mut add = |name: &str, content: &str| {
        if !content.is_empty() {
            let attribute = if name.starts_with("twitter:") { "name" } else { "property" };
            let _ = writeln!(tags, "<meta {attribute}=\"{name}\" content=\"{}\">", escape(content));
        }
    };
    add("og:type", "article");
    add("og:site_name", SITE);
    add("og:title", &card.title);
    add("og:description", &card.description);
    if let Some(origin) = origin {
        add("og:url", &format!("{origin}/{path}"));
    }
    let picture = card.picture.as_deref().unwrap_or(DEFAULT_PICTURE);
    match origin {
        _ if picture.starts_with("https://") => add("og:image", picture),
        Some(origin) => add("og:image", &format!("{origin}{picture}")),
        None => {}
    }
    add("twitter:card", "summary_large_image");
    tags
}

/// For the inside of an attribute.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(title: &str) -> ShareCard {
        ShareCard { title: title.to_owned(), description: "Some words".to_owned(), picture: None }
    }

    #[test]
    fn addresses_with_a_card() {
        for (path, expected) in [
            ("posts/7", Some(SharedPage::Post(PostId(7)))),
            ("posts/7/", Some(SharedPage::Post(PostId(7)))),
            ("activities/7", Some(SharedPage::Activity(ActivityId(7)))),
            ("sales/7", Some(SharedPage::Activity(ActivityId(7)))),
            ("posts", None),
            ("posts/x", None),
            ("posts/7/likes", None),
            ("members/7", None),
            ("", None),
        ] {
            assert_eq!(shared_page(path), expected, "{path}");
        }
    }

    #[test]
    fn nothing_ends_its_attribute() {
        let html = "<html><head></head><body></head></body></html>";
        for title in
            ["\"><script>alert(1)</script>", "</head><script>", "'\" onload='x", "a\nb\u{0}c", "&quot;"]
        {
            let page = insert_card(html, &card(title), "posts/7", Some("https://play.example"));
            assert_eq!(page.matches("<script").count(), 0, "{page}");
            assert_eq!(page.matches("</head>").count(), 2, "{page}");
            let line = page.lines().find(|line| line.contains("og:title")).unwrap();
            assert_eq!(line.matches('"').count(), 4, "{line}");
            assert_eq!((line.matches('<').count(), line.matches('>').count()), (1, 1), "{line}");
        }
    }

    #[test]
    fn addresses_are_absolute_or_absent() {
        let with = |picture: Option<&str>, origin| {
            let card = ShareCard { picture: picture.map(str::to_owned), ..card("a") };
            let page = insert_card("</head>", &card, "posts/7", origin);
            let content = |name: &str| {
                let line = page.lines().find(|line| line.contains(&format!("\"{name}\"")))?;
                Some(line.rsplit_once("content=\"")?.1.trim_end_matches("\">").to_owned())
            };
            (content("og:url"), content("og:image"))
        };
        let text = |text: &str| Some(text.to_owned());
        let site = Some("https://play.example");
        for (picture, origin, expected) in [
            (None, site, (text("https://play.example/posts/7"), text("https://play.example/share.png"))),
            (
                Some("/api/v1/pictures/5"),
                site,
                (text("https://play.example/posts/7"), text("https://play.example/api/v1/pictures/5")),
            ),
            (
                Some("https://cdn.example/a.png"),
                site,
                (text("https://play.example/posts/7"), text("https://cdn.example/a.png")),
            ),
            (None, None, (None, None)),
            (Some("https://cdn.example/a.png"), None, (None, text("https://cdn.example/a.png"))),
        ] {
            assert_eq!(with(picture, origin), expected, "{picture:?} {origin:?}");
        }
    }
}
