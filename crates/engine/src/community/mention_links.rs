//! Links from names to the people they mean, in HTML that was rendered and sanitised. Only digits are written into it.

use domain::community::find_mentions;
use store::model::MentionRow;

/// What is within these is no place for a link.
const NO_LINKS_IN: [&str; 3] = ["a", "code", "pre"];

/// Links each name that means somebody. `html` is what the sanitiser wrote: every `<` begins a tag.
pub fn link_mentions(html: &str, mentions: &[MentionRow]) -> String {
    if mentions.is_empty() {
        return html.to_owned();
    }
    let (mut linked, mut rest, mut barred) = (String::with_capacity(html.len()), html, 0_usize);
    while !rest.is_empty() {
        let end = if rest.starts_with('<') {
            rest.find('>').map_or(rest.len(), |at| at + 1)
        } else {
            rest.find('<').unwrap_or(rest.len())
        };
        let (part, later) = rest.split_at(end);
        rest = later;
        if let Some(tag) = part.strip_prefix('<') {
            let is_end = tag.starts_with('/');
            let name = tag.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next();
            if name.is_some_and(|name| NO_LINKS_IN.contains(&name)) {
                barred = if is_end { barred.saturating_sub(1) } else { barred + 1 };
            }
            linked.push_str(part);
        } else if barred > 0 {
            linked.push_str(part);
        } else {
            link_text(part, mentions, &mut linked);
        }
    }
    linked
}

fn link_text(text: &str, mentions: &[MentionRow], linked: &mut String) {
    let mut done = 0;
    for place in find_mentions(text) {
        let Some(mention) = mentions.iter().find(|mention| mention.name == place.name) else { continue };
        linked.push_str(&text[done..place.range.start]);
        let name = &text[place.range.clone()];
        linked.push_str(&format!("<a href=\"/members/{}\">{name}</a>", mention.user.0));
        done = place.range.end;
    }
    linked.push_str(&text[done..]);
}

#[cfg(test)]
mod tests {
    use domain::ids::UserId;

    use super::*;
    use crate::community::markdown::render;

    #[test]
    fn a_name_leads_to_its_person_where_a_link_may_be() {
        let mentions = [MentionRow { name: "ann".to_owned(), user: UserId(7) }];
        let link = "<a href=\"/members/7\">@Ann</a>";
        for (text, expected) in [
            ("Hello @Ann!", format!("Hello {link}!")),
            ("**@Ann**", format!("<strong>{link}</strong>")),
            ("@Bob and @Annabel", "@Bob and @Annabel".to_owned()),
            ("`@Ann`", "<code>@Ann</code>".to_owned()),
            ("a&b @Ann", format!("a&amp;b {link}")),
            ("<b>@Ann</b>", format!("&lt;b&gt;{link}&lt;/b&gt;")),
        ] {
            let html = link_mentions(&render(text).html, &mentions);
            assert_eq!(html.trim(), format!("<p>{expected}</p>"), "{text}");
        }
        let within = link_mentions(&render("[@Ann](https://example.org)").html, &mentions);
        assert!(!within.contains("/members/"), "{within}");
    }
}
