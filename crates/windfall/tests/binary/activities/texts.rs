//! What an activity says of itself, in two languages, from its form to the players.

use serde_json::json;

use super::fixtures::{Crew, running};
use crate::process::shared;

#[tokio::test]
async fn texts_in_two_languages_reach_players_as_they_were_approved() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let mut form = running();
    let texts = [
        ("name_en", "Spring wheel, in English"),
        ("description", "每天两次"),
        ("description_en", "Twice a day"),
        ("organiser", "风落茶业"),
        ("organiser_en", "Windfall Tea"),
        ("rules", "第一条"),
        ("rules_en", "The first rule"),
        ("contact", "help@example.com"),
        ("game", "reels"),
    ];
    for (field, text) in texts {
        form[field] = json!(text);
    }
    form["prizes"][0]["name_en"] = json!("A car");
    form["prizes"][0]["details_en"] = json!("Four wheels");
    let id = crew.publish(form).await;
    let shown = server.api("GET", &format!("/play/activities/{id}")).expect(200).await.json();
    for (field, text) in texts {
        let found = if shown[field].is_null() { &shown["imprint"][field] } else { &shown[field] };
        assert_eq!(found, text, "{field}: {shown}");
    }
    assert_eq!(shown["prizes"][0]["name_en"], "A car", "{shown}");
    let written = server.by(&crew.author, "GET", &format!("/activities/{id}")).expect(200).await.text();
    assert!(written.contains("Four wheels"), "{written}");
}
