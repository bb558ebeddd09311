//! How Markdown becomes HTML that nothing can be smuggled into.
//!
//! Two libraries that do not trust each other: comrak renders and writes raw HTML as text; ammonia then keeps only the tags,
//! attributes and schemes that are listed here. Pictures come only from this site's own uploads. Links are http and https, and
//! say that they were left by a visitor. What is rendered is kept by (post, version), so a text that does not change is
//! rendered once.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use ammonia::{Builder, UrlRelative};
use comrak::Options;
use domain::community::post::excerpt;
use domain::ids::PostId;

use crate::recent::Recent;

/// Rendered texts that are kept at most, and how long each may be: 64 MiB in all.
pub const RENDERED_MAX: usize = 1_024;
pub const RENDERED_BYTES_MAX: usize = 64 * 1_024;
/// So many quotes and lists may begin within each other on one line. The marks of more are shown as the text that they are:
/// what stands in a thousand of them costs a thousand times as much.
const NESTING_MAX: usize = 32;
pub const RENDERED_KEEP: Duration = Duration::from_secs(3_600);
/// The address of an uploaded picture begins like this; what follows is a number.
const PICTURES: &str = "/api/v1/pictures/";
const LINK_REL: &str = "ugc nofollow noopener";

/// Rendered texts by post, each with its version.
pub type Rendered = Recent<PostId, (u32, Arc<RenderedText>)>;

/// A text as pages show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedText {
    pub html: String,
    /// The beginning of its words, for lists.
    pub excerpt: String,
    /// Whether it leads to another site.
    pub has_links: bool,
}

const TAGS: [&str; 28] = [
    "p",
    "br",
    "hr",
    "em",
    "strong",
    "del",
    "blockquote",
    "code",
    "pre",
    "ul",
    "ol",
    "li",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "a",
    "img",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "sup",
    "sub",
];

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut cleaner = Builder::empty();
    let attributes = HashMap::from([
        ("a", HashSet::from(["href", "title"])),
        ("img", HashSet::from(["src", "alt", "title"])),
        ("ol", HashSet::from(["start"])),
        ("th", HashSet::from(["align"])),
        ("td", HashSet::from(["align"])),
    ]);
    cleaner
        .tags(HashSet::from(TAGS))
        .clean_content_tags(HashSet::from(["script", "style"]))
        .tag_attributes(attributes)
        .url_schemes(HashSet::from(["http", "https"]))
        .url_relative(UrlRelative::PassThrough)
        .attribute_filter(|tag, attribute, value| match (tag, attribute) {
            ("img", "src") if !is_picture(value) => None,
            ("a", "href") if !is_web(value) => None,
            _ => Some(value.into()),
        })
        .link_rel(Some(LINK_REL))
        .strip_comments(true);
    cleaner
});

/// Tags that stand within a line.
const INLINE: [&str; 5] = ["em", "strong", "del", "code", "a"];

/// Words alone, for excerpts.
static STRIPPER: LazyLock<Builder<'static>> = LazyLock::new(Builder::empty);

/// An uploaded picture of this site, in one of its widths.
fn is_picture(src: &str) -> bool {
    let Some(rest) = src.strip_prefix(PICTURES) else { return false };
    let (id, query) = rest.split_once('?').unwrap_or((rest, ""));
    let digits =
        |text: &str| !text.is_empty() && text.len() <= 20 && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(id) && (query.is_empty() || query.strip_prefix("width=").is_some_and(digits))
}

fn is_web(href: &str) -> bool {
    let lower = href.trim_start().to_ascii_lowercase();
    lower.starts_with("http://") || lower.starts_with("https://")
}

pub fn render(text: &str) -> RenderedText {
    render_with_words(text).0
}

/// The same with all of its words, without markup.
pub fn render_with_words(text: &str) -> (RenderedText, String) {
    let html = CLEANER.clean(&comrak::markdown_to_html(&flatten(text), &options())).to_string();
    let has_links = html.contains("<a href=");
    let words = words_of(&html);
    (RenderedText { excerpt: excerpt(&words), has_links, html }, words)
}

/// The text of a page without its tags.
fn words_of(html: &str) -> String {
    // Blocks end a word: what is on two lines is not one word. What stands within a line ends none.
    let mut spaced = String::with_capacity(html.len() + html.len() / 16);
    for (place, part) in html.split("</").enumerate() {
        if place > 0 {
            let is_inline =
                INLINE.iter().any(|tag| part.strip_prefix(tag).is_some_and(|rest| rest.starts_with('>')));
            spaced.push_str(if is_inline { "</" } else { " </" });
        }
        spaced.push_str(part);
    }
    let spaced = spaced.replace("<br", " <br");
    let text = STRIPPER.clean(&spaced).to_string();
    // What is left of HTML are the characters that it escapes.
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&nbsp;", " ")
        .replace("&amp;", "&")
}

/// The text with what would be nested too deep escaped.
fn flatten(text: &str) -> Cow<'_, str> {
    let (mut flat, mut copied, mut begin) = (String::new(), 0, 0);
    for line in text.split_inclusive(['\n', '\r']) {
        if let Some(at) = find_too_deep(line.as_bytes()) {
            flat.push_str(&text[copied..begin + at]);
            flat.push('\\');
            copied = begin + at;
        }
        begin += line.len();
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    flat.push_str(&text[copied..]);
    Cow::Owned(flat)
}

/// Where the mark stands that opens one quote or list too many.
fn find_too_deep(line: &[u8]) -> Option<usize> {
    let (mut at, mut opened) = (0, 0);
    loop {
        while matches!(line.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        let (sign, length) = read_mark(&line[at..])?;
        opened += 1;
        if opened > NESTING_MAX {
            return Some(at + sign);
        }
        at += length;
    }
}

/// What opens a quote or an item of a list: where its sign stands, which an escape makes text of, and how long it is.
fn read_mark(rest: &[u8]) -> Option<(usize, usize)> {
    let is_gap = |at: usize| matches!(rest.get(at), None | Some(b' ' | b'\t' | b'\n' | b'\r'));
    match rest.first()? {
        b'>' => Some((0, 1)),
        b'-' | b'+' | b'*' if is_gap(1) => Some((0, 1)),
        b'0'..=b'9' => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let is_item = matches!(rest.get(digits), Some(b'.' | b')')) && is_gap(digits + 1);
            is_item.then_some((digits, digits + 1))
        }
        _ => None,
    }
}

fn options() -> Options<'static> {
    let mut options = Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.autolink = true;
    options.render.hardbreaks = true;
    // Raw HTML is shown as the text that it is.
    options.render.escape = true;
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_html() {
        for (text, html) in [
            ("**a** *b*", "<p><strong>a</strong> <em>b</em></p>\n"),
            ("a\nb", "<p>a<br>\nb</p>\n"),
            ("~~a~~ `b<c`", "<p><del>a</del> <code>b&lt;c</code></p>\n"),
            ("# 标题", "<h1>标题</h1>\n"),
            (
                "[a](https://example.com/?q=1&r)",
                "<p><a href=\"https://example.com/?q=1&amp;r\" rel=\"ugc nofollow noopener\">a</a></p>\n",
            ),
            (
                "https://example.com",
                "<p><a href=\"https://example.com\" rel=\"ugc nofollow noopener\">https://example.com</a></p>\n",
            ),
            (
                "![snow](/api/v1/pictures/7?width=640)",
                "<p><img src=\"/api/v1/pictures/7?width=640\" alt=\"snow\"></p>\n",
            ),
            ("![x](https://elsewhere.example/x.png)", "<p><img alt=\"x\"></p>\n"),
            ("![x](/api/v1/me)", "<p><img alt=\"x\"></p>\n"),
            ("3. c", "<ol start=\"3\">\n<li>c</li>\n</ol>\n"),
        ] {
            assert_eq!(render(text).html, html, "{text}");
        }
    }

    #[test]
    fn an_excerpt_is_the_words() {
        for (text, excerpt, has_links) in [
            ("# A\n\nb **c** `d`", "A b c d", false),
            ("a < b & c", "a < b & c", false),
            ("第**十**次，*终于*。", "第十次，终于。", false),
            ("1. 一\n2. 二", "一 二", false),
            ("[here](https://example.com)", "here", true),
            ("[here](javascript:alert(1))", "here", false),
        ] {
            let rendered = render(text);
            assert_eq!((rendered.excerpt.as_str(), rendered.has_links), (excerpt, has_links), "{text}");
        }
    }

    #[test]
    fn what_is_nested_too_deep_is_text() {
        let many = |mark: &str, times: usize| mark.repeat(times);
        for (text, expected) in [
            (many(">", NESTING_MAX) + "a", None),
            (many(">", NESTING_MAX + 2) + "a", Some(many(">", NESTING_MAX) + "\\>>a")),
            (many("- ", NESTING_MAX + 1) + "a", Some(many("- ", NESTING_MAX) + "\\- a")),
            (many("1. ", NESTING_MAX + 1) + "a", Some(many("1. ", NESTING_MAX) + "1\\. a")),
            // Each line is counted for itself, wherever it ends.
            (many(">", 20) + "\n" + &many(">", 20), None),
            (
                "a\r".to_owned() + &many("> ", 40),
                Some("a\r".to_owned() + &many("> ", 32) + "\\" + &many("> ", 8)),
            ),
            (many("-", 100), None),
            (many("2026. ", 2) + &many("12", 50), None),
        ] {
            assert_eq!(flatten(&text), expected.as_deref().unwrap_or(&text), "{text}");
        }
        let quotes = render(&many(">", 16_000)).html;
        assert_eq!(quotes.matches("<blockquote>").count(), NESTING_MAX);
        assert_eq!(quotes.matches("&gt;").count(), 16_000 - NESTING_MAX);
    }

    /// What people try. None of it leaves a tag, an attribute or a scheme that runs.
    const PAYLOADS: &[&str] = include!("xss_corpus.rs");

    #[test]
    fn nothing_of_the_corpus_runs() {
        for payload in PAYLOADS {
            for text in [
                (*payload).to_owned(),
                format!("[a]({payload})"),
                format!("![a]({payload})"),
                format!("> {payload}"),
            ] {
                let html = render(&text).html;
                assert_harmless(&html, &text);
                // Cleaning again changes nothing: a browser reads what was judged.
                assert_eq!(CLEANER.clean(&html).to_string(), html, "{text}");
            }
        }
    }

    /// Looks at every tag of the page, with a reader of its own: names, attributes and schemes that are listed, nothing else.
    fn assert_harmless(html: &str, text: &str) {
        for tag in html.split('<').skip(1) {
            let (inside, _) = tag.split_once('>').unwrap_or_else(|| panic!("an open tag of {text}: {html}"));
            let name = inside.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
            assert!(TAGS.contains(&name), "<{name}> of {text}: {html}");
            let mut rest = inside[inside.find(' ').unwrap_or(inside.len())..].trim();
            while let Some((attribute, after)) = rest.split_once("=\"") {
                let (value, next) =
                    after.split_once('"').unwrap_or_else(|| panic!("an open value of {text}: {html}"));
                match attribute.trim() {
                    "href" => assert!(is_web(value), "{value} of {text}"),
                    "src" => assert!(is_picture(value), "{value} of {text}"),
                    "rel" => assert_eq!(value, LINK_REL),
                    "alt" | "title" | "start" | "align" => {}
                    other => panic!("{other} of {text}: {html}"),
                }
                rest = next.trim();
            }
            assert_eq!(rest.trim_end_matches('/'), "", "{text}: {html}");
        }
    }
}
