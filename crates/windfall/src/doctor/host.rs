//! What the operating system allows this process.

use super::check::{Check, MeasuredCheck};
use crate::open_files::{Fit, OpenFiles};

pub fn check_open_files(max_connections: usize) -> MeasuredCheck {
    judge(OpenFiles::read(), max_connections)
}

fn judge(files: OpenFiles, max_connections: usize) -> MeasuredCheck {
    let name = "open files";
    let limit = files.hard.max(files.soft);
    let needed = OpenFiles::needed(max_connections);
    let figures = vec![("open_files_max", limit as f64)];
    let advice =
        format!("raise it (ulimit -n {needed}, or LimitNOFILE in systemd) or lower http.max_connections");
    let short = format!("up to {limit}, but http.max_connections = {max_connections} may need {needed}");
    let row = match files.fit(max_connections) {
        Fit::Whole { raise_to: None } => {
            Check::ok(name, format!("up to {}; {needed} may be needed", files.soft))
        }
        Fit::Whole { raise_to: Some(to) } => Check::ok(
            name,
            format!("up to {}; the program raises it to {to}, which may be needed", files.soft),
        ),
        Fit::Fewer { connections, .. } => {
            Check::warn(name, format!("{short}; at most {connections} connections are served"), advice)
        }
        Fit::Nothing => Check::fail(name, format!("{short}; the program does not start"), advice),
    };
    (row, figures)
}

#[cfg(test)]
mod tests {
    use super::super::check::CheckState;
    use super::*;

    #[test]
    fn limits_by_rows() {
        for (soft, hard, max_connections, state) in [
            (1_024, 524_288, 768, CheckState::Ok),
            (1_024, 524_288, 20_000, CheckState::Ok),
            (1_024, 1_024, 769, CheckState::Warn),
            (u64::MAX, u64::MAX, 20_000, CheckState::Ok),
            (64, 64, 1, CheckState::Fail),
        ] {
            let row = judge(OpenFiles { soft, hard }, max_connections).0;
            assert_eq!(row.state, state, "{soft} {hard} {max_connections}: {}", row.found);
        }
    }
}
