//! Days, ranges of days, and people who come again; over kills and stops.

use serde_json::{Value, json};

use super::fixtures::*;
use crate::process::{Home, Server};

async fn range(server: &Server, query: &str) -> (Value, Value, Value) {
    let path = format!("/admin/statistics/visitors{query}");
    let report = server.console("GET", &path).expect(200).await.json();
    (report["visitors"].clone(), report["people"].clone(), report["visitors_exact"].clone())
}

/// Two days by the clock: each has its own visitors and people, together everybody counts once, and neither a kill nor a stop
/// loses what was written or counts anything twice.
#[tokio::test]
async fn a_range_counts_everybody_once_over_kills_and_stops() {
    let (home, noon) = Home::at_noon(&[]);
    let server = home.demo().await;
    let (first, second) = (browser(&server).await, browser(&server).await);
    let (ann, bob, eve) = (server.person(&[]).await, server.person(&[]).await, server.person(&[]).await);
    for _ in 0..3 {
        look(&server, &first).expect(200).await;
        signed_in(&server, &second, &ann, "/me").expect(200).await;
        server.by(&bob, "GET", "/me").expect(200).await;
    }
    let day = today(&server, 2, 2).await;
    assert_eq!((&day["new_people"], &day["visitors_exact"]), (&json!(2), &json!(true)));
    let first_day = day["day"].as_str().unwrap().to_owned();

    // What was written survives a kill, and coming again counts nothing.
    server.kill().await;
    let server = home.demo().await;
    for _ in 0..2 {
        look(&server, &first).expect(200).await;
        signed_in(&server, &second, &ann, "/me").expect(200).await;
    }
    written(&server).await;
    today(&server, 2, 2).await;

    // The next day of the site begins at its midnight. Nothing has it written but the stop.
    home.clock_at(noon + DAY_MS / 2 - 1);
    look(&server, &first).expect(200).await;
    written(&server).await;
    today(&server, 2, 2).await;
    home.clock_at(noon + DAY_MS / 2);
    let third = browser(&server).await;
    signed_in(&server, &first, &ann, "/me").expect(200).await;
    signed_in(&server, &third, &eve, "/me").expect(200).await;
    server.stop().await;
    let server = &home.demo().await;
    let report = server.console("GET", "/admin/statistics/daily").expect(200).await.json();
    let days = report["days"].as_array().unwrap();
    let figures = |day: &Value| (day["visitors"].clone(), day["people"].clone(), day["new_people"].clone());
    assert_eq!(days.len(), 28);
    assert_eq!(figures(&days[26]), (json!(2), json!(2), json!(2)), "{report}");
    assert_eq!(figures(&days[27]), (json!(2), json!(2), json!(1)), "{report}");
    assert_eq!((&days[26]["day"], &days[27]["day"]), (&json!(first_day), &report["today"]));
    assert_eq!(report["error_basis_points"], json!(115));

    // Together: three browsers, three people.
    assert_eq!(range(server, "").await, (json!(3), json!(3), json!(true)));
    assert_eq!(range(server, &format!("?to={first_day}")).await, (json!(2), json!(2), json!(true)));
    let second_day = report["today"].as_str().unwrap();
    assert_eq!(range(server, &format!("?from={second_day}")).await, (json!(2), json!(2), json!(true)));

    // Nobody knows yet who comes again on a day that is not over.
    let again = |report: &Value, cohort: usize| {
        let again = report["cohorts"][cohort]["again"].as_array().unwrap();
        let one = |day: &Value| (day["after_days"].as_u64().unwrap(), day["people"].as_u64());
        again.iter().map(one).collect::<Vec<_>>()
    };
    let retention = server.console("GET", "/admin/statistics/retention").expect(200).await.json();
    assert_eq!(again(&retention, 0), [(1, None), (7, None), (30, None)]);
    home.clock_at(noon + 2 * DAY_MS);
    let retention = server.console("GET", "/admin/statistics/retention").expect(200).await.json();
    let new: Vec<_> = (0..2).map(|n| retention["cohorts"][n]["new_people"].clone()).collect();
    assert_eq!(new, [json!(2), json!(1)], "{retention}");
    assert_eq!(again(&retention, 0), [(1, Some(1)), (7, None), (30, None)], "ann came again, bob did not");
    assert_eq!(again(&retention, 1), [(1, None), (7, None), (30, None)]);

    // The same as a table.
    let csv =
        server.console("GET", &format!("/admin/statistics/daily.csv?from={first_day}")).expect(200).await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    let text = csv.text();
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines[0], "day,visitors,visitors_exact,people,new_people,posts,draws,orders,paid");
    assert!(lines[1].starts_with(&format!("{first_day},2,true,2,2,")), "{text}");
    assert_eq!(lines.len(), 4, "the first day and two more");
}

/// An account that is deleted leaves no row that leads from it to a day, and days keep their figures.
#[tokio::test]
async fn a_deleted_account_leaves_figures_and_no_name() {
    let (home, _) = Home::at_noon(&[]);
    let server = &home.demo().await;
    let ann = server.person(&[]).await;
    server.by(&ann, "GET", "/me").expect(200).await;
    today(server, 0, 1).await;
    let numbers = || {
        let id = ann.id.parse::<i64>().unwrap();
        let sql = "SELECT COUNT(*) FROM active_people WHERE user_id = ?1";
        home.database().query_row(sql, [id], |row| row.get::<_, i64>(0)).unwrap()
    };
    assert_eq!(numbers(), 1);
    let code = server.my_code(&ann, None).await;
    server.by(&ann, "POST", "/me/delete").json(json!({ "code": code })).expect(204).await;
    written(server).await;
    assert_eq!(numbers(), 0);
    today(server, 0, 1).await;
}

/// Posts, draws, orders and payments of a day are those of the site's day.
#[tokio::test]
async fn a_day_has_what_was_done_on_it() {
    let home = Home::with(&[]);
    let server = &home.demo().await;
    let days = || async {
        let report = server.console("GET", "/admin/statistics/daily").expect(200).await.json();
        let sum = |member: &str| {
            let days = report["days"].as_array().unwrap();
            days.iter().map(|day| day[member].as_u64().unwrap()).sum::<u64>()
        };
        ["posts", "draws", "orders", "paid"].map(sum)
    };
    let before = days().await;
    let ann = server.person(&[]).await;
    crate::community::fixtures::post(server, &ann).await;
    let prize = json!({ "kind": "parcel" });
    crate::fulfilment::fixtures::won(server, &prize, |call| call.cookie(&ann.cookie)).await;
    let sale = crate::sales::fixtures::sale(server, json!({})).await;
    let order = crate::sales::fixtures::ordered(server, &ann, &sale, 1).await;
    crate::sales::fixtures::ordered(server, &ann, &sale, 1).await;
    crate::sales::fixtures::press(server, &order, "pay").expect(303).await;
    crate::sales::fixtures::comes_to(server, &ann, &order, "paid").await;
    let expected = [before[0] + 1, before[1] + 1, before[2] + 2, before[3] + 1];
    let met = async || (days().await == expected).then_some(());
    crate::community::fixtures::eventually("the rows of the day", met).await;
}
