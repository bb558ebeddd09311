//! The examples of `deploy/`, each read by the program that it is for. nginx serves with its example; Caddy, which would
//! fetch a certificate, and systemd say whether they understand theirs.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use rustls::pki_types::ServerName;
use testkit::{skip, wait};
use tokio::net::UnixStream;

use crate::client::{Answer, Call};
use crate::process::Home;
use crate::tls::{Certificate, connector};

fn example(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join("deploy").join(path)).unwrap()
}

/// On the `PATH`, or where `scripts/ensure test` has unpacked it. Where it is missing the test is skipped, in one line.
fn find(program: &str, example: &str) -> Option<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"), Into::into);
    let own = ["bin", "sbin"].map(|folder| target.join("proxies/usr").join(folder).join(program));
    let on_path = skip::on_path(program).map(|folder| folder.join(program));
    let found = on_path.into_iter().chain(own).find(|program| program.exists());
    if found.is_none() {
        let what = format!("the test of {example}: {program} is missing; scripts/ensure test fetches it");
        skip::record(skip::Reason::for_package(), &what);
    }
    found
}

#[track_caller]
fn replace(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "the example has no {from:?}");
    text.replace(from, to)
}

#[track_caller]
fn assert_ran(ran: std::io::Result<Output>) -> String {
    let ran = ran.unwrap();
    let said = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(ran.status.success(), "{said}");
    said
}

/// Ends with the test.
struct Nginx(Child);

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn nginx_serves_with_its_example() {
    let Some(nginx) = find("nginx", "deploy/nginx/windfall.conf") else { return };
    let home = Home::with(&[("WINDFALL__HTTP__TRUSTED_PROXIES", "[\"127.0.0.1\"]")]);
    let server = home.demo().await;
    let certificate = Certificate::new();
    let folder = certificate.files.path();
    // Sockets instead of ports: nothing of this listens on the machine.
    let (plain, secure) = (folder.join("plain.sock"), folder.join("secure.sock"));
    let mut site = example("nginx/windfall.conf");
    for (from, to) in [
        ("listen 80;", format!("listen unix:{};", plain.display())),
        ("listen 443 ssl", format!("listen unix:{} ssl", secure.display())),
        ("server 127.0.0.1:8088;", format!("server {};", server.address)),
        ("/etc/ssl/play.example.com.pem", folder.join("cert.pem").display().to_string()),
        ("/etc/ssl/play.example.com.key", folder.join("key.pem").display().to_string()),
        ("play.example.com", "play.example".to_owned()),
    ] {
        site = replace(&site, from, &to);
    }
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|what| format!("{what}_temp_path {};", folder.join(what).display()))
        .concat();
    let whole = format!(
        "daemon off; master_process off; pid {}; error_log stderr; events {{}} http {{ access_log off; {temporary} {site} }}",
        folder.join("pid").display()
    );
    let settings = folder.join("nginx.conf");
    std::fs::write(&settings, whole).unwrap();
    let with = |more: &[&str]| {
        let mut command = Command::new(&nginx);
        command.arg("-p").arg(folder).arg("-c").arg(&settings).args(["-e", "stderr"]).args(more);
        command
    };
    assert_ran(with(&["-t"]).output());
    let _nginx = Nginx(with(&[]).stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap());
    wait::until_async(wait::PATIENCE, "nginx listens", async || UnixStream::connect(&secure).await.ok())
        .await
        .unwrap();

    let connector = connector(&certificate.der, &[]);
    let ask = async |call: Call| -> Answer {
        let stream = UnixStream::connect(&secure).await.unwrap();
        let name = ServerName::try_from("play.example").unwrap();
        call.send_over(connector.connect(name, stream).await.unwrap()).await
    };
    assert_eq!(ask(server.page("GET", "/readyz")).await.status, 200);
    assert_eq!(ask(server.page("GET", "/metrics")).await.status, 404, "figures stay inside");
    // A name of a pool goes through as it was written.
    let pool = ask(server.api("GET", "/inventory/pools/store-7%2Ftea")).await;
    assert_eq!((pool.status, pool.member("code").as_str()), (401, "unauthenticated"));
    let sent = server.page("GET", "/play").send_over(UnixStream::connect(&plain).await.unwrap()).await;
    assert_eq!(sent.status, 308, "{:?}", sent.headers);
    assert!(sent.header("location").starts_with("https://"), "{:?}", sent.headers);
}

#[test]
fn caddy_understands_its_example() {
    let Some(caddy) = find("caddy", "deploy/caddy/Caddyfile") else { return };
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("Caddyfile");
    std::fs::write(&settings, example("caddy/Caddyfile")).unwrap();
    let mut command = Command::new(caddy);
    // It keeps what it makes below its home.
    command.env("HOME", folder.path()).env_remove("XDG_DATA_HOME").env_remove("XDG_CONFIG_HOME");
    let said =
        assert_ran(command.args(["validate", "--adapter", "caddyfile", "--config"]).arg(&settings).output());
    assert!(said.contains("Valid configuration"), "{said}");
}

/// A word that systemd does not know is a line in its log and no more, so the log has to be empty.
#[test]
fn systemd_understands_its_unit() {
    if skip::on_path("systemd-analyze").is_none() {
        let what = "the test of deploy/systemd/windfall.service: systemd-analyze is missing";
        return skip::record(skip::Reason::Unavailable, what);
    }
    let folder = tempfile::tempdir().unwrap();
    let unit = folder.path().join("windfall.service");
    let installed = "/usr/local/bin/windfall ";
    std::fs::write(&unit, replace(&example("systemd/windfall.service"), installed, "/bin/true ")).unwrap();
    let said = assert_ran(Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&unit).output());
    assert!(!said.contains("windfall.service"), "{said}");
}
