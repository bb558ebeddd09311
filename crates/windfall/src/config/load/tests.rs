//! Loading, as rows: what is written where, and what comes of it.

use domain::points::Expiry;

use super::*;
use crate::config::{CodeSenderKind, LogStandby, NodeProfile, SecretText};

fn load_values(file: &str, variables: &[(&str, &str)], options: &[(&str, &str)]) -> Result<Config, Problems> {
    let owned = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    };
    let mut settings = Settings::defaults();
    settings.overlay_file("windfall.toml", file);
    settings.overlay_variables(&owned(variables));
    settings.overlay_options(&owned(options));
    settings.finish()
}

fn refusals(file: &str, variables: &[(&str, &str)], options: &[(&str, &str)]) -> Vec<String> {
    match load_values(file, variables, options) {
        Ok(_) => Vec::new(),
        Err(Problems(problems)) => problems.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn the_default_file_is_whole() {
    let mut leaves = Vec::new();
    flatten("", DEFAULTS.parse().unwrap(), &mut leaves);
    let mut written: Vec<_> = leaves.iter().map(|(key, _)| key.as_str()).collect();
    let mut ruled: Vec<_> = RULES.iter().map(|(key, _)| *key).collect();
    written.sort_unstable();
    ruled.sort_unstable();
    assert_eq!(written, ruled, "each key has a default and a rule");

    // `deny_unknown_fields` refuses a key too many, a missing one is refused by name.
    let config = Config::defaults().unwrap();
    assert_eq!(config.profile, NodeProfile::Embedded);
    assert_eq!(config.data.key_path(), Path::new("data/windfall.key"));
    assert_eq!(config.tls.pair(), None);

    // The manual states the range of every number; it must be the one that is enforced.
    for (key, rule) in RULES {
        if let Rule::Integer(range) = rule {
            let bound = range.end().to_string();
            assert!(DEFAULTS.contains(&bound), "the manual does not name the largest `{key}`, {bound}");
        }
    }
}

#[test]
fn later_sources_win() {
    let listen = |file, variables, options| {
        load_values(file, variables, options).map(|config| config.http.listen.port()).unwrap()
    };
    let file = "[http]\nlisten = \"127.0.0.1:1\"";
    let variables = &[("WINDFALL__HTTP__LISTEN", "127.0.0.1:2")];
    let options = &[("http.listen", "127.0.0.1:3")];
    assert_eq!(listen("", &[], &[]), 8088);
    assert_eq!(listen(file, &[], &[]), 1);
    assert_eq!(listen(file, variables, &[]), 2);
    assert_eq!(listen(file, variables, options), 3);
}

#[test]
fn texts_take_the_type_of_their_key() {
    type Holds = fn(&Config) -> bool;
    let rows: &[(&str, &str, Holds)] = &[
        ("WINDFALL__DEMO", "true", |c| c.demo),
        ("WINDFALL__HTTP__MAX_CONNECTIONS", "1_000", |c| c.http.max_connections == 1000),
        ("WINDFALL__DATA__DIR", "/srv/windfall", |c| c.data.dir == Path::new("/srv/windfall")),
        ("WINDFALL__DATA__DIR", "\"quoted\"", |c| c.data.dir == Path::new("quoted")),
        ("WINDFALL__DATA__DIR", "1", |c| c.data.dir == Path::new("1")),
        ("WINDFALL__HTTP__TRUSTED_PROXIES", "10.0.0.0/8, ::1", |c| c.http.trusted_proxies.len() == 2),
        ("WINDFALL__HTTP__TRUSTED_PROXIES", "[\"10.0.0.0/8\"]", |c| c.http.trusted_proxies.len() == 1),
        ("WINDFALL__HTTP__TRUSTED_PROXIES", "", |c| c.http.trusted_proxies.is_empty()),
        ("WINDFALL__CLUSTER__STANDBY", "none", |c| c.cluster.standby == LogStandby::None),
        ("WINDFALL__POINTS__EXPIRE", "days = 30", |c| c.points.expire == Expiry::Days(30)),
        ("WINDFALL__POINTS__EXPIRE", "years=0", |c| c.points.expire == Expiry::Years(0)),
        ("WINDFALL__POINTS__EXPIRE", "never", |c| c.points.expire == Expiry::Never),
        ("WINDFALL_DEMO", "true", |c| !c.demo),
    ];
    for (name, text, holds) in rows {
        let config = load_values("", &[(name, text)], &[]).unwrap();
        assert!(holds(&config), "{name}={text}");
    }
}

#[test]
fn refusals_by_rows() {
    let rows = [
        (
            "[http]\nlisen = \"127.0.0.1:1\"",
            "unknown key `http.lisen` in windfall.toml; did you mean `http.listen`?",
        ),
        (
            "[htpp]\nlisten = \"127.0.0.1:1\"",
            "unknown key `htpp.listen` in windfall.toml; did you mean `http.listen`?",
        ),
        ("[job]", "unknown key `job` in windfall.toml; did you mean `jobs`?"),
        (
            "[http]\nmax_connections = \"many\"",
            "`http.max_connections` in windfall.toml is \"many\" (string); expected an integer from 1 to 1000000",
        ),
        (
            "[session]\nidle_days = 0",
            "`session.idle_days` in windfall.toml is 0 (integer); expected an integer from 1 to 365",
        ),
        (
            "profile = \"both\"",
            "`profile` in windfall.toml is \"both\" (string); expected \"embedded\" or \"cluster\"",
        ),
        (
            "[points]\nexpire = \"days = 0\"",
            "`points.expire` in windfall.toml is \"days = 0\" (string); \
             expected \"never\", or such as \"days = 365\" or \"years = 1\"",
        ),
        ("[demo]\nx = 1", "`demo` in windfall.toml is a section; expected true or false"),
        ("http = 1", "`http` in windfall.toml is 1 (integer); expected a section"),
        (
            "[code]\nwebhook_secret = 123456",
            "`code.webhook_secret` in windfall.toml is of the type integer; expected a text",
        ),
        (
            "[tls]\ncert_file = \"cert.pem\"",
            "`tls.cert_file` and `tls.key_file` go together: set both to serve HTTPS, or none",
        ),
        (
            "[session]\nidle_days = 30\nabsolute_days = 7",
            "`session.idle_days` must be at most `session.absolute_days`",
        ),
    ];
    for (file, sentence) in rows {
        assert_eq!(refusals(file, &[], &[]), [sentence], "{file}");
    }
    assert_eq!(refusals("[http]", &[], &[]), Vec::<String>::new(), "an empty section changes nothing");
}

#[test]
fn everything_wrong_is_said_at_once() {
    let found = refusals(
        "[http]\nlisen = \"x\"\nmax_connections = 0\n[code]\nsender = \"webhook\"",
        &[("WINDFALL__LOG__LEVEL", "inof"), ("WINDFALL__DATA__DRI", "d")],
        &[("http.listen", "localhost")],
    );
    let expected = [
        "unknown key `http.lisen` in windfall.toml; did you mean `http.listen`?",
        "`http.max_connections` in windfall.toml is 0 (integer); expected an integer from 1 to 1000000",
        "`log.level` in WINDFALL__LOG__LEVEL is \"inof\" (string); \
         expected a level such as \"info\", or \"info,part=debug\"",
        "unknown key `data.dri` in WINDFALL__DATA__DRI; did you mean `data.dir`?",
        "`http.listen` in the command line is \"localhost\" (string); \
         expected an IP address and port such as \"127.0.0.1:8088\"",
        "`code.sender` is \"webhook\", so `code.webhook_url` must be set",
        "`code.sender` is \"webhook\", so `code.webhook_secret` must be set",
    ];
    let sorted = |mut lines: Vec<String>| {
        lines.sort();
        lines
    };
    assert_eq!(sorted(found), sorted(expected.map(String::from).to_vec()));
}

#[test]
fn secrets_stay_out_of_sight() {
    let broken = refusals("\n[code]\nwebhook_secret = hunter2\n", &[], &[]);
    assert!(broken[0].starts_with("cannot read windfall.toml: line 3: "), "{broken:?}");
    assert!(!broken[0].contains("hunter2"), "{broken:?}");

    let file =
        "[code]\nsender = \"webhook\"\nwebhook_url = \"https://sms.example\"\nwebhook_secret = \"hunter2\"";
    let config = load_values(file, &[], &[]).unwrap();
    assert_eq!(config.code.sender, CodeSenderKind::Webhook);
    assert_eq!(config.code.webhook_secret.as_ref().map(SecretText::expose), Some("hunter2"));
    assert!(!format!("{config:?}").contains("hunter2"));
}

#[test]
fn a_named_file_must_exist() {
    let missing = Path::new("no-such-folder/windfall.toml");
    let Err(Problems(problems)) = load(Some(missing), &[]) else { panic!("a missing file was accepted") };
    assert!(
        matches!(&problems[0], ConfigProblem::Unreadable { source, .. } if source.ends_with("windfall.toml"))
    );
}
