//! The documents beside the program: whatever there is to set, run, type, receive or write is on a page.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use domain::webhook::EventKind;
use engine::jobs::JOBS;
use serde_json::Value;

use crate::process::{Home, shared};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The pages for users: everything in docs/ but what is about the making of the program.
fn user_pages() -> Vec<(String, String)> {
    let mut pages = vec![];
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.extension().is_some_and(|kind| kind == "md") && name != "holes.md" {
            pages.push((format!("docs/{name}"), std::fs::read_to_string(path).unwrap()));
        }
    }
    pages.extend(["README.md", "README.zh-CN.md"].map(|name| (name.to_owned(), page(name))));
    assert!(pages.len() > 10, "{}", pages.len());
    pages
}

/// The first column of every table row of a page, without its marks.
fn first_cells(page: &str) -> BTreeSet<String> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    cells
        .flat_map(|cell| cell.split([',', '、']))
        .map(|cell| cell.trim().trim_matches('`').to_owned())
        .collect()
}

#[test]
fn every_setting_is_in_the_operations_page() {
    let listed = first_cells(&page("docs/operations.md"));
    let mut section = String::new();
    let mut missing = Vec::new();
    let mut seen = 0;
    for line in page("windfall.default.toml").lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = format!("{name}.");
        } else if let Some((name, _)) = line.split_once(" = ").filter(|(name, _)| !name.starts_with('#')) {
            seen += 1;
            let key = format!("{section}{name}");
            if !listed.contains(&key) {
                missing.push(key);
            }
        }
    }
    assert!(seen > 50, "{seen}");
    assert!(missing.is_empty(), "docs/operations.md, Configuration, has no row for {missing:?}");
}

#[test]
fn every_job_is_in_the_operations_page() {
    let text = page("docs/operations.md");
    for job in JOBS {
        let row = format!("| `{}` | `{}` |", job.name, job.schedule);
        assert!(text.contains(&row), "docs/operations.md, Jobs, has no row that begins {row}");
        for parameter in job.parameters {
            let row = text.lines().find(|line| line.starts_with(&row)).unwrap();
            assert!(
                row.contains(&format!("`{}`", parameter.name)),
                "{}: say what {} is",
                job.name,
                parameter.name
            );
        }
    }
}

/// What `help` lists under a command.
fn subcommands(home: &Home, of: &[&str]) -> Vec<String> {
    let arguments: Vec<&str> = of.iter().copied().chain(["--help"]).collect();
    let printed = home.run(&arguments).ok();
    let Some((_, list)) = printed.split_once("Commands:\n") else { return Vec::new() };
    let list = list.split("\n\n").next().unwrap_or_default();
    let names = list.lines().filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

fn commands(home: &Home, of: &[&str], all: &mut Vec<String>) {
    let below = subcommands(home, of);
    if below.is_empty() && !of.is_empty() {
        all.push(of.join(" "));
    }
    for name in below {
        let path: Vec<&str> = of.iter().copied().chain([name.as_str()]).collect();
        commands(home, &path, all);
    }
}

#[test]
fn every_command_is_in_both_readmes() {
    let home = Home::new();
    let mut all = Vec::new();
    commands(&home, &[], &mut all);
    assert!(all.len() > 15, "{all:?}");
    for name in ["README.md", "README.zh-CN.md"] {
        let listed = first_cells(&page(name));
        let is_listed = |command: &String| {
            let whole = format!("windfall {command}");
            let last = command.rsplit(' ').next().unwrap_or_default();
            // `windfall codes import`, `list`: the second of a row goes by its last word alone.
            listed.iter().any(|cell| *cell == whole || cell.starts_with(&format!("{whole} ")))
                || (command.contains(' ') && listed.contains(last))
        };
        let missing: Vec<_> = all.iter().filter(|command| !is_listed(command)).collect();
        assert!(missing.is_empty(), "{name} does not list {missing:?}");
    }
}

#[test]
fn every_event_is_in_the_webhooks_page_with_what_it_says() {
    let text = page("docs/webhooks.md");
    for kind in EventKind::ALL {
        let row = text.lines().find(|line| line.starts_with(&format!("| `{}` |", kind.name())));
        let row = row.unwrap_or_else(|| panic!("docs/webhooks.md has no row for {}", kind.name()));
        for field in kind.fields().iter().flat_map(|group| group.iter()) {
            assert!(
                row.contains(&format!("`{}`", field.name)),
                "docs/webhooks.md, {}: {}",
                kind.name(),
                field.name
            );
        }
    }
}

#[tokio::test]
async fn every_figure_is_in_the_operations_page() {
    let (_, server) = shared().await;
    let printed = server.page("GET", "/metrics").expect(200).await.text();
    let text = page("docs/operations.md");
    let names = printed.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let names: BTreeSet<&str> = names.filter_map(|rest| rest.split(' ').next()).collect();
    let missing: Vec<_> = names.iter().filter(|name| !text.contains(&format!("`{name}`"))).collect();
    assert!(names.len() > 10 && missing.is_empty(), "docs/operations.md, Metrics, does not list {missing:?}");
}

/// The forms that an activity is put together from, and the name of the table that explains each.
const FORMS: [(&str, &str); 14] = [
    ("ActivityForm", "field"),
    ("ChancesForm", "field of `chances`"),
    ("PrizeForm", "field of `prizes`"),
    ("UnlockForm", "field of `unlock`"),
    ("ReleaseForm", "field of `release`"),
    ("TiersForm", "field of `tiers`"),
    ("TierForm", "field of `steps`"),
    ("OddsForm", "field of `odds`"),
    ("FallbackForm", "field of `fallback`"),
    ("PityForm", "field of `pity`"),
    ("BudgetForm", "field of `budget`"),
    ("SaleForm", "field of `sale`"),
    ("GateForm", "field of `gate`"),
    ("RoomForm", "field of `room`"),
];

#[test]
fn every_field_of_an_activity_is_explained_with_an_example() {
    let document: Value = serde_json::from_str(&page("api/openapi.json")).unwrap();
    let text = page("docs/activities.md");
    for (form, table) in FORMS {
        let (_, rest) =
            text.split_once(&format!("\n| {table} |")).unwrap_or_else(|| panic!("no table of {form}"));
        let rows: Vec<Vec<&str>> = rest
            .lines()
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .map(|line| line.split(" | ").map(|cell| cell.trim_matches(['|', ' '])).collect())
            .collect();
        let properties = document["components"]["schemas"][form]["properties"].as_object().unwrap();
        let fields: BTreeSet<String> = properties.keys().map(|name| format!("`{name}`")).collect();
        let explained: BTreeSet<String> = rows.iter().map(|row| row[0].to_owned()).collect();
        assert_eq!(explained, fields, "docs/activities.md, {table}");
        for row in rows {
            let has_example = row.get(2).is_some_and(|cell| cell.starts_with('`'));
            assert!(has_example && row[1].len() > 5, "docs/activities.md, {table}: {row:?}");
        }
    }
    let forms: BTreeSet<&str> = FORMS.map(|(form, _)| form).into();
    let written = |name: &str| forms.contains(name);
    for (form, _) in FORMS {
        let text = document["components"]["schemas"][form].to_string();
        for part in text.split("#/components/schemas/").skip(1) {
            let name = part.split('"').next().unwrap_or_default();
            let is_object = document["components"]["schemas"][name]["properties"].is_object();
            assert!(!is_object || written(name), "docs/activities.md does not explain {name}");
        }
    }
}

#[test]
fn pages_for_users_name_no_source_files() {
    for (name, text) in user_pages() {
        for (number, line) in (1..).zip(text.lines()) {
            assert!(!line.contains("crates/"), "{name}:{number} names a source file: {line}");
        }
    }
}

/// What a reader copies must not be over: examples count from now.
#[test]
fn examples_are_not_over() {
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|kind| kind != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for key in ["from", "until", "draw_at"] {
            for line in text.lines().filter(|line| line.starts_with(&format!("{key} = \""))) {
                let counts_from_now = line.contains("\"now\"") || line.contains("\"+");
                assert!(counts_from_now, "{}: {line}", path.display());
            }
        }
    }
}
