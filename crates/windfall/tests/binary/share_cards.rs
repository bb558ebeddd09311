//! Share cards: what chat apps read in the head of a page, and never more than everybody may read.

use serde_json::json;

use crate::activities::fixtures::Crew;
use crate::client::Answer;
use crate::community::fixtures as community;
use crate::draws::campaign::generous;
use crate::process::{Home, Server};

/// A demo server whose address was chosen before it was started, with what is added to it as the public one.
async fn stage(home: &mut Option<Home>, end: &str) -> (Server, String) {
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let site = format!("http://{address}");
    let home = home.insert(Home::with(&[("WINDFALL__HTTP__PUBLIC_URL", &format!("{site}{end}"))]));
    (home.start_at("demo", &address.to_string()).await, site)
}

/// The content of a tag, as it stands in the page.
fn tag(page: &Answer, name: &str) -> Option<String> {
    let text = page.text();
    let line = text.lines().find(|line| line.contains(&format!("\"{name}\"")))?;
    Some(line.split_once("content=\"")?.1.split_once('"')?.0.to_owned())
}

/// As an app asks that takes anything.
async fn card(server: &Server, path: &str) -> Answer {
    server.page("GET", path).header("accept", "*/*").send().await
}

#[tokio::test]
async fn a_post_has_a_card_as_long_as_everybody_may_read_it() {
    let mut home = None;
    let (server, site) = stage(&mut home, "").await;
    let server = &server;
    let (ann, judge) = (server.person(&[]).await, server.person(&["moderator"]).await);
    let title = "\"><script>alert('x')</script> & </head>";
    let written = json!({ "title": title, "body": "Some **words** <img src=x onerror=alert(1)>" });
    let id = server.by(&ann, "POST", "/posts").json(written).expect(201).await.member("id");
    let path = format!("/posts/{id}");
    let page = card(server, &path).await;
    assert_eq!((page.status, page.header("cache-control")), (200, "no-cache"));
    for (name, expected) in [
        (
            "og:title",
            "&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &lt;/head&gt;".to_owned(),
        ),
        ("og:description", "Some words &lt;img src=x onerror=alert(1)&gt;".to_owned()),
        ("og:url", format!("{site}{path}")),
        ("og:image", format!("{site}/share.png")),
        ("og:type", "article".to_owned()),
        ("twitter:card", "summary_large_image".to_owned()),
    ] {
        assert_eq!(tag(&page, name), Some(expected), "{name}");
    }
    let text = page.text();
    assert_eq!((text.matches("alert(").count(), text.matches("</head>").count()), (2, 1), "{text}");
    assert!(!text.contains("<script>") && !text.contains("<img"), "{text}");
    let picture = server.page("GET", "/share.png").expect(200).await;
    assert_eq!(picture.header("content-type"), "image/png");
    // A browser gets the same page, and with a session the page alone.
    let browser = server.page("GET", &path).header("accept", "text/html");
    assert!(tag(&browser.expect(200).await, "og:title").is_some());
    let signed_in = server.page("GET", &path).header("accept", "text/html").cookie(&ann.cookie);
    assert_eq!(tag(&signed_in.expect(200).await, "og:title"), None);
    let remove = json!({ "act": "remove", "reason": "spam" });
    server.by(&judge, "POST", &format!("/admin/posts/{id}/moderate")).json(remove).expect(200).await;
    assert_eq!(card(server, &path).await.status, 404, "as for any other address");
    let browser = server.page("GET", &path).header("accept", "text/html").expect(200).await;
    assert_eq!(tag(&browser, "og:title"), None);
    for path in ["/posts/7", "/activities/7", "/sales/7", "/posts/x"] {
        assert_eq!(card(server, path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn an_activity_has_a_card_in_the_readers_language() {
    let mut home = None;
    // A slash at the end is no part of it.
    let (server, site) = stage(&mut home, "/").await;
    let server = &server;
    let id = Crew::new(server).await.publish(generous(9, 1)).await;
    for path in [format!("/activities/{id}"), format!("/sales/{id}")] {
        let page = card(server, &path).await;
        assert_eq!(tag(&page, "og:url"), Some(format!("{site}{path}")));
        assert!(tag(&page, "og:title").is_some_and(|title| !title.is_empty()), "{}", page.text());
    }
}

#[tokio::test]
async fn a_site_for_members_has_no_cards_of_posts_and_one_without_an_address_no_addresses() {
    let home = Home::with(&[("WINDFALL__COMMUNITY__PUBLIC", "false")]);
    let server = &home.demo().await;
    let ann = server.person(&[]).await;
    let id = community::post(server, &ann).await;
    let browser = server.page("GET", &format!("/posts/{id}")).header("accept", "text/html").expect(200).await;
    assert_eq!(tag(&browser, "og:title"), None);
    let activity = Crew::new(server).await.publish(generous(9, 1)).await;
    let page = card(server, &format!("/activities/{activity}")).await;
    assert!(tag(&page, "og:title").is_some());
    assert_eq!((tag(&page, "og:url"), tag(&page, "og:image")), (None, None));
}
