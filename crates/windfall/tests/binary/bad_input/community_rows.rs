//! The same for the community: texts that nobody may write, people who are not there.

use serde_json::{Value, json};

use super::rows::row;
use super::suite::{Row, Stage};

pub fn community(stage: &Stage) -> Vec<Row> {
    let write = |change: Value| {
        let mut post = json!({ "title": "a", "body": "b" });
        post.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        stage.player("POST", "/posts").json(post)
    };
    let field = |what, change: Value, field| row(what, write(change), 400, "invalid_field", field);
    let edit = |body: Value| stage.player("PUT", "/posts/5").json(body);
    let judge = |body: Value| stage.admin("POST", "/admin/posts/5/moderate").json(body);
    let missing = |what, call| row(what, call, 404, "not_found", "");
    let say = |on: &str, body: Value| stage.player("POST", &format!("/threads/{on}/comments")).json(body);
    vec![
        missing("a comment on nothing", say("post/5", json!({ "text": "a" }))),
        missing("a comment on nobody", say("person/5", json!({ "text": "a" }))),
        missing("a comment on no activity", say("activity/5", json!({ "text": "a" }))),
        missing("a comment on the weather", say("weather/5", json!({ "text": "a" }))),
        missing("a comment on no number", say("post/x", json!({ "text": "a" }))),
        row("a comment without a word", say("post/5", json!({ "text": " " })), 400, "invalid_field", "text"),
        row(
            "a comment beyond its end",
            say("post/5", json!({ "text": "a".repeat(1_001) })),
            400,
            "invalid_field",
            "text",
        ),
        row(
            "a reply to no number",
            say("post/5", json!({ "text": "a", "reply_to": "x" })),
            400,
            "invalid_field",
            "reply_to",
        ),
        missing("comments on nothing", stage.anybody("GET", "/threads/post/5/comments")),
        missing("top comments on nothing", stage.anybody("GET", "/threads/post/5/comments/top")),
        missing("replies to nothing", stage.anybody("GET", "/comments/5/replies")),
        missing("a comment that is not there", stage.player("DELETE", "/comments/5")),
        missing("a like of no comment", stage.player("PUT", "/comments/5/like")),
        missing("a like of no comment taken back", stage.player("DELETE", "/comments/5/like")),
        missing(
            "a judgement of no comment",
            stage.admin("POST", "/admin/comments/5/moderate").json(json!({ "removed": true, "reason": "x" })),
        ),
        row(
            "comments from nowhere",
            stage.anybody("GET", "/threads/post/5/comments?after=x"),
            400,
            "cursor_invalid",
            "",
        ),
        field("a post without a title", json!({ "title": " " }), "title"),
        field("a title beyond its end", json!({ "title": "a".repeat(101) }), "title"),
        field("a title with hidden characters", json!({ "title": "a\u{202e}b" }), "title"),
        field("a post without a word", json!({ "body": "\n" }), "body"),
        field("a text beyond its end", json!({ "body": "a".repeat(20_001) }), "body"),
        field("a text with a null in it", json!({ "body": "a\u{0}" }), "body"),
        field("a link that runs", json!({ "link": "javascript:alert(1)" }), "link"),
        field("a link to nowhere", json!({ "link": "https://" }), "link"),
        field("a post by somebody else", json!({ "author": "5" }), "author"),
        row(
            "a text beyond every body",
            write(json!({ "body": "天".repeat(100_000) })),
            413,
            "body_too_large",
            "",
        ),
        row(
            "a preview of nothing",
            stage.player("POST", "/posts/preview").json(json!({ "body": "" })),
            400,
            "invalid_field",
            "body",
        ),
        missing("an edit of no post", edit(json!({ "version": 1, "title": "a", "body": "b" }))),
        row(
            "an edit of nothing seen",
            edit(json!({ "title": "a", "body": "b" })),
            400,
            "invalid_field",
            "version",
        ),
        missing("a post that is not there", stage.anybody("GET", "/posts/5")),
        missing("a post that is no number", stage.anybody("GET", "/posts/x")),
        missing("a deletion of nothing", stage.player("DELETE", "/posts/5")),
        missing("a like of nothing", stage.player("PUT", "/posts/5/like")),
        missing("a like of nothing taken back", stage.player("DELETE", "/posts/5/like")),
        missing("likers of nothing", stage.player("GET", "/posts/5/likes")),
        missing("a vote for nothing", stage.player("PUT", "/posts/5/vote")),
        missing("nobody followed", stage.player("PUT", "/users/5/follow")),
        missing("nobody left", stage.player("DELETE", "/users/5/follow")),
        missing("nobody blocked", stage.player("PUT", "/users/5/block")),
        missing("nobody unblocked", stage.player("DELETE", "/users/5/block")),
        missing("followers of nobody", stage.anybody("GET", "/users/5/followers")),
        missing("followed by nobody", stage.anybody("GET", "/users/5/following")),
        missing("a member who is not there", stage.anybody("GET", "/members/5")),
        row("posts from nowhere", stage.anybody("GET", "/posts?after=x"), 400, "cursor_invalid", ""),
        row("hot posts from nowhere", stage.anybody("GET", "/posts/hot?after=x"), 400, "cursor_invalid", ""),
        row("too many posts", stage.anybody("GET", "/posts?limit=101"), 400, "invalid_field", "limit"),
        row(
            "no posts at all",
            stage.anybody("GET", "/posts/featured?limit=0"),
            400,
            "invalid_field",
            "limit",
        ),
        missing("a judgement of nothing", judge(json!({ "act": "remove", "reason": "x" }))),
        row(
            "a judgement of no kind",
            judge(json!({ "act": "burn", "reason": "x" })),
            400,
            "invalid_field",
            "act",
        ),
        row(
            "a judgement without a word",
            judge(json!({ "act": "remove", "reason": " " })),
            400,
            "invalid_field",
            "reason",
        ),
        missing("the history of nothing", stage.admin("GET", "/admin/posts/5")),
    ]
}
