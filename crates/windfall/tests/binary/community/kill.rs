//! A crowd that likes, votes and comments while the server is killed, and remembers what it was told.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::join_all;
use serde_json::json;
use testkit::wait;

use super::fixtures::post;
use crate::client::Call;
use crate::people::Person;
use crate::process::{Home, LIMIT, Server};

const PEOPLE: usize = 6;
const POSTS: usize = 8;

/// Everything that one person does, the same whenever it is asked for.
fn acts(server: &Server, person: &Person, posts: &[String]) -> Vec<Call> {
    let one = |id: &String| {
        let say = server.by(person, "POST", &format!("/threads/post/{id}/comments"));
        let say = say.header("idempotency-key", format!("on-{id}")).json(json!({ "text": "Lovely" }));
        let put = |what: &str| server.by(person, "PUT", &format!("/posts/{id}/{what}"));
        [put("like"), put("vote"), say]
    };
    posts.iter().flat_map(one).collect()
}

/// After each kill everything that was told is there; at the end everything is counted once.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_told_survives_a_kill_and_counts_once() {
    let home = Home::new();
    let mut server = home.demo().await;
    let author = server.person(&[]).await;
    let mut people = Vec::new();
    for _ in 0..PEOPLE {
        people.push(server.person(&[]).await);
    }
    let mut posts = Vec::new();
    for _ in 0..POSTS {
        posts.push(post(&server, &author).await);
    }
    for answers in [20, 60] {
        let told = Arc::new(AtomicUsize::new(0));
        let crowd: Vec<_> = people
            .iter()
            .map(|person| {
                let (calls, told) = (acts(&server, person, &posts), Arc::clone(&told));
                tokio::spawn(async move {
                    let mut done = 0;
                    for call in calls {
                        let Some(answer) = call.attempt().await else { return done };
                        assert!(answer.status < 300, "{}", answer.text());
                        told.fetch_add(1, Ordering::Relaxed);
                        done += 1;
                    }
                    done
                })
            })
            .collect();
        wait::until(LIMIT, "answers", || (told.load(Ordering::Relaxed) >= answers).then_some(()))
            .await
            .unwrap();
        server.kill().await;
        let done: Vec<usize> = join_all(crowd).await.into_iter().map(Result::unwrap).collect();
        server = home.demo().await;
        for (person, done) in people.iter().zip(done) {
            // Posts whose like, vote and comment were all told.
            for id in posts.iter().take(done / 3) {
                let seen = server.by(person, "GET", &format!("/posts/{id}")).expect(200).await.json();
                assert_eq!((&seen["liked_by_me"], &seen["voted_by_me"]), (&json!(true), &json!(true)));
                let path = format!("/threads/post/{id}/comments?limit=100");
                let said = server.by(person, "GET", &path).expect(200).await.items();
                assert!(
                    said.iter().any(|comment| comment["author"]["id"] == json!(person.id)),
                    "a comment is lost"
                );
            }
        }
    }
    for person in &people {
        for call in acts(&server, person, &posts) {
            assert!(call.send().await.status < 300);
        }
    }
    for id in &posts {
        let seen = server.api("GET", &format!("/posts/{id}")).expect(200).await.json();
        let counts = (&seen["likes"], &seen["votes"], &seen["comments"]);
        assert_eq!(counts, (&json!(PEOPLE), &json!(PEOPLE + 1), &json!(PEOPLE)));
        let path = format!("/threads/post/{id}/comments?limit=100");
        assert_eq!(server.api("GET", &path).expect(200).await.items().len(), PEOPLE);
    }
}
