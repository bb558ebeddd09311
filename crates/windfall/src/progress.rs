//! How far a long task has come: a bar on a terminal, a few plain lines elsewhere. Always on stderr, so that what a
//! command says on stdout stays what it says.

use std::cell::Cell;
use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Lines of progress where there is no terminal.
const PROGRESS_LINES: u64 = 10;

pub struct ProgressPrinter {
    bar: Option<ProgressBar>,
    of: u64,
    unit: &'static str,
    told: Cell<u64>,
}

impl ProgressPrinter {
    /// Towards so many of something, named in the plural.
    pub fn new(of: u64, unit: &'static str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(of), ProgressDrawTarget::stderr());
            let template = format!("{{bar:40}} {{human_pos}}/{{human_len}} {unit}, {{eta}} left");
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            bar
        });
        Self { bar, of, unit, told: Cell::new(0) }
    }

    pub fn reached(&self, done: u64) {
        match &self.bar {
            Some(bar) => bar.set_position(done),
            None => {
                let step = done.saturating_mul(PROGRESS_LINES) / self.of.max(1);
                if step > self.told.replace(step) {
                    eprintln!("{done} of {} {}", self.of, self.unit);
                }
            }
        }
    }

    pub fn done(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
