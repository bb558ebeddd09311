//! What the READMEs tell people to type, typed: only the address, the program and the folder are this test's.

use std::process::Command;

use serde_json::Value;
use testkit::skip::{self, Reason};

use crate::process::Home;

/// The shell blocks of a page that use curl.
fn blocks(page: &str) -> Vec<String> {
    let inside = page.split("```sh\n").skip(1).filter_map(|rest| rest.split_once("```"));
    inside.map(|(block, _)| block.to_owned()).filter(|block| block.contains("curl ")).collect()
}

/// Everything the block printed, one JSON value after the other.
fn type_in(block: &str, home: &Home) -> Vec<Value> {
    let mut shell = Command::new("sh");
    shell.args(["-e", "-u", "-c", block]).current_dir(home.path()).env("no_proxy", "127.0.0.1");
    let ran = shell.output().unwrap();
    assert!(ran.status.success(), "{block}\n{}", String::from_utf8_lossy(&ran.stderr));
    let printed = serde_json::Deserializer::from_slice(&ran.stdout).into_iter::<Value>();
    printed.map(|value| value.unwrap_or_else(|_| panic!("{block}\nprinted {:?}", ran.stdout))).collect()
}

/// The page of the API shows refusals too; here there is one, and everything else goes through.
#[tokio::test]
async fn the_inventory_examples_of_the_api_page_work_in_order() {
    if Command::new("curl").arg("--version").output().is_err() {
        skip::record(Reason::for_package(), "the API page's commands: curl is not here");
        return;
    }
    let page = std::fs::read_to_string(format!("{}/../../docs/api.md", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (_, section) = page.split_once("\n## Inventory\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let home = Home::new();
    let server = home.demo().await;
    let script = blocks(section).concat().replace("./target/quick/windfall", env!("CARGO_BIN_EXE_windfall"));
    let script = script.replace("--data data-demo", &format!("--data '{}'", home.data().display()));
    let start = format!("B=http://{}/api/v1\nJ='Content-Type: application/json'\n", server.address);
    let mut shell = Command::new("sh");
    shell.args(["-e", "-u", "-c", &format!("{start}{script}")]).env("no_proxy", "127.0.0.1");
    let ran = shell.output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let printed = String::from_utf8(ran.stdout).unwrap();
    let (answers, events) = printed.split_once("event: counters\n").unwrap();
    assert!(events.starts_with(r#"data: {"name":"store-7/tea/green","round":2,"#), "{events}");
    let answers: Vec<Value> =
        serde_json::Deserializer::from_str(answers).into_iter::<Value>().map(Result::unwrap).collect();
    let refused: Vec<_> = answers.iter().filter(|answer| answer.get("code").is_some()).collect();
    assert!(refused.is_empty() && answers.len() == 16, "{} answers, of them {refused:?}", answers.len());
    let outcomes = answers[15]["outcomes"].as_array().unwrap();
    let codes: Vec<_> = outcomes.iter().map(|outcome| outcome["problem"]["code"].as_str()).collect();
    assert_eq!(codes, [None, None, Some("sold_out"), None]);
}

#[tokio::test]
async fn the_commands_of_both_readmes_work_word_for_word() {
    if Command::new("curl").arg("--version").output().is_err() {
        skip::record(Reason::for_package(), "the READMEs' commands: curl is not here");
        return;
    }
    for name in ["README.md", "README.zh-CN.md"] {
        let page = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(&page).unwrap();
        let home = Home::new();
        let server = home.demo().await;
        let data = home.data().display().to_string();
        let typed: Vec<Vec<Value>> = blocks(&page)
            .iter()
            .map(|block| {
                let block = block.replace("127.0.0.1:8088", &server.address.to_string());
                let block = block.replace("./target/quick/windfall", env!("CARGO_BIN_EXE_windfall"));
                type_in(&block.replace("--data data-demo", &format!("--data '{data}'")), &home)
            })
            .collect();
        let [sign_in, for_own_users] = typed.as_slice() else { panic!("{name}: {typed:?}") };
        assert!(sign_in[0]["user_id"].is_string(), "{name}: {sign_in:?}");
        assert_eq!(sign_in[0]["user_id"], sign_in[1]["id"], "{name}: signed in and asked who one is");
        assert_eq!(for_own_users[0]["external_id"], "shop-42", "{name}: {for_own_users:?}");
        assert!(for_own_users[1]["url"].as_str().is_some_and(|url| url.contains("/enter#wfl_")), "{name}");
    }
}
