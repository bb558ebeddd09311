//! `windfall codes …`: a file is imported once, however often it is sent and whatever happens meanwhile.

use std::fmt::Write as _;

use testkit::wait;

use crate::process::{Home, LIMIT, Ran};

fn file(home: &Home, text: &str) -> String {
    let file = home.path().join("codes.txt");
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

fn import(home: &Home, text: &str, more: &[&str]) -> Ran {
    home.run(&[&["codes", "import", "--pool", "tea", &file(home, text)], more].concat())
}

fn many(count: u32) -> String {
    let mut text = String::new();
    for n in 0..count {
        writeln!(text, "TEA-{:016x}", u64::from(n).wrapping_mul(0x9e37_79b9_7f4a_7c15)).unwrap();
    }
    text
}

#[tokio::test]
async fn a_file_is_imported_on_a_server_and_without_one() {
    let home = Home::new();
    let server = home.start("serve").await;
    assert_eq!(home.run(&["codes", "list"]).ok(), "no code pools");
    let text = format!("code\n{}TEA-0000000000000000\n", many(3_000));
    assert!(import(&home, &text, &["--dry-run"]).ok().contains("3000 codes, 1 repeated in the file"));
    assert_eq!(home.run(&["codes", "list"]).ok(), "no code pools", "a check sends nothing");
    let first = import(&home, &text, &["--low-below", "5"]);
    assert_eq!(first.ok(), "3000 added, 0 already imported, 1 repeated in the file; 3000 left in tea");
    assert!(first.err().contains("line 3002 repeats line 2"), "{}", first.err());
    assert!(first.err().contains("3000 of 3000 codes"), "progress in plain lines: {}", first.err());
    assert!(server.stop().await.success());

    let again = import(&home, &format!("NEW-1\n{}", many(25)), &[]);
    assert_eq!(again.ok(), "1 added, 25 already imported, 0 repeated in the file; 3001 left in tea");
    assert!(again.err().contains("line 2 was imported earlier"), "{}", again.err());
    assert!(again.err().contains("and 5 more"), "{}", again.err());
    let listed = home.run(&["codes", "list"]).ok();
    assert!(listed.contains("tea") && listed.contains("3001"), "{listed}");
    import(&home, "A\n\nB\n", &[]).refused("line 2");
    import(&home, "", &[]).refused("it has no codes");
}

/// The server is killed while it imports. The command goes on with the next one, and every code is there once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_that_is_cut_off_goes_on_and_adds_what_is_missing() {
    let home = Home::new();
    let server = home.start("serve").await;
    const CODES: u32 = 150_000;
    let path = file(&home, &many(CODES));
    let mut command = home.command(&["codes", "import", "--pool", "tea", &path]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let importing = command.spawn().unwrap();
    let database = home.database();
    let imported = || -> u32 {
        let sql = "SELECT COALESCE(SUM(imported), 0) FROM code_pools";
        database.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    wait::until(LIMIT, "the first codes to be there", || (imported() > 0).then_some(())).await.unwrap();
    server.kill().await;
    let there = imported();
    let server = home.start("serve").await;
    let told = Ran(tokio::task::spawn_blocking(|| importing.wait_with_output().unwrap()).await.unwrap()).ok();
    assert_eq!(imported(), CODES, "{there} were there when it was killed: {told}");
    assert!(told.contains(&format!("{CODES} left in tea")), "{told}");
    let again = home.run(&["codes", "import", "--pool", "tea", &path]).ok();
    assert!(again.starts_with(&format!("0 added, {CODES} already imported")), "{again}");
    let distinct = "SELECT COUNT(DISTINCT seq) = MAX(seq) AND SUM(codes) = ?1 FROM code_chunks";
    assert!(database.query_row(distinct, [CODES], |row| row.get::<_, bool>(0)).unwrap());
    assert!(server.stop().await.success());
}
