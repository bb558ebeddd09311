//! Hole 17: "Replication or syncing lags: acknowledged decrements vanish." A copy of the files shows nothing of that, since
//! the system's cache has what the disk has not. So the kernel's calls are looked at: between taking a request and sending
//! its answer, the journal was synced.

use std::fs;
use std::process::{Child, Command, Stdio};

use testkit::skip::{self, Reason};
use testkit::wait;

use crate::backend::Backend;
use crate::process::{Home, LIMIT};

/// The calls that are looked at, and what is told of them.
const CALLS: &str = "trace=fsync,fdatasync,read,recvfrom,write,writev,sendto,sendmsg";

/// What a line of the trace is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Taken,
    Synced,
    Answered,
}

/// One line, if it is about the request with this id. A call that was cut in two counts where it ends.
fn step(line: &str, id: &str) -> Option<Step> {
    let ended = !line.contains("<unfinished ...>");
    if (line.contains("fdatasync") || line.contains("fsync")) && ended {
        let of_the_journal = line.contains("journal.db") || line.contains("resumed");
        return of_the_journal.then_some(Step::Synced);
    }
    if line.contains("POST /api/v1/inventory/holds") && line.contains(id) {
        return Some(Step::Taken);
    }
    (line.contains("HTTP/1.1 201") && line.contains(id)).then_some(Step::Answered)
}

/// Nothing where the machine does not let anybody look.
async fn watching(home: &Home, pid: u32) -> Option<Child> {
    let (trace, said) = (home.path().join("trace"), home.path().join("strace"));
    let watcher = Command::new("strace")
        .args(["-f", "-y", "-s", "4000", "-e", CALLS, "-p", &pid.to_string(), "-o"])
        .arg(trace)
        .stdin(Stdio::null())
        .stderr(fs::File::create(&said).unwrap())
        .spawn();
    let Ok(mut watcher) = watcher else {
        skip::record(
            Reason::for_package(),
            "strace is not installed: whether the journal is synced before an answer",
        );
        return None;
    };
    let attached = wait::until(LIMIT, "strace to look", || {
        let said = fs::read_to_string(&said).unwrap_or_default();
        if said.contains(" attached") {
            return Some(true);
        }
        watcher.try_wait().unwrap().map(|_| false)
    });
    if attached.await.unwrap() {
        return Some(watcher);
    }
    skip::record(
        Reason::Unavailable,
        "this machine lets nobody trace a process: the order of sync and answer",
    );
    None
}

#[tokio::test]
async fn hole_17_the_journal_is_synced_before_an_answer_is_sent() {
    let home = Home::new();
    let server = home.start("serve").await;
    let backend = Backend::new(&server).await;
    let pool = backend.pool(100).await;
    let Some(mut watcher) = watching(&home, server.id()).await else { return };
    let ids: Vec<String> = (0..5).map(|n| format!("traced-{n}")).collect();
    for id in &ids {
        backend.reserve(id, &pool, 1).expect(201).await;
    }
    // It lets go of the server and writes out what it saw.
    Command::new("kill").args(["-s", "INT", &watcher.id().to_string()]).status().unwrap();
    watcher.wait().unwrap();
    let trace = fs::read_to_string(home.path().join("trace")).unwrap();
    for id in &ids {
        let steps: Vec<Step> = trace.lines().filter_map(|line| step(line, id)).collect();
        let taken = steps.iter().position(|step| *step == Step::Taken);
        let answered = steps.iter().rposition(|step| *step == Step::Answered);
        let (Some(taken), Some(answered)) = (taken, answered) else {
            panic!("{id} is not in the trace: {steps:?}\n{trace}");
        };
        assert!(taken < answered, "{id}: {steps:?}");
        assert!(steps[taken..answered].contains(&Step::Synced), "{id} was answered before a sync: {steps:?}");
    }
    assert!(server.stop().await.success());
}
