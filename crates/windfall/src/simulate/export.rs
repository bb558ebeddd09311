//! Simulated draws in a file, as an activity's own are exported.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context as _;
use domain::export::{Total, write};
use domain::lottery::chain::Receipt;
use domain::lottery::record::Record;
use domain::lottery::simulate::Course;

/// What is written at a time.
const BUFFER_BYTES: usize = 1024 * 1024;

pub struct RecordFile {
    file: BufWriter<File>,
    line: String,
    last: Receipt,
    /// The first that went wrong; nothing is written after it.
    broken: Option<std::io::Error>,
}

impl RecordFile {
    pub fn create(path: &Path, course: &Course) -> anyhow::Result<Self> {
        let file = File::create(path).with_context(|| format!("{} cannot be written", path.display()))?;
        let mut head = String::new();
        write::head(&mut head);
        write::published(&mut head, &course.published());
        write::strategy(&mut head, &course.deck().strategy().encode());
        write::secret(&mut head, course.secret().reveal());
        let mut file = BufWriter::with_capacity(BUFFER_BYTES, file);
        file.write_all(head.as_bytes())?;
        Ok(Self { file, line: String::new(), last: course.published().begin(), broken: None })
    }

    pub fn record(&mut self, record: &Record) {
        let bytes = record.encode();
        self.last = self.last.next(&bytes);
        self.line.clear();
        write::record(&mut self.line, &self.last, &bytes);
        if self.broken.is_none() {
            self.broken = self.file.write_all(self.line.as_bytes()).err();
        }
    }

    pub fn end(mut self) -> anyhow::Result<()> {
        if let Some(error) = self.broken {
            return Err(error).context("the export cannot be written");
        }
        self.line.clear();
        write::end(&mut self.line, self.last.place);
        write::total(&mut self.line, Total { chains: 1, raffles: 0, sealed: 0 });
        self.file.write_all(self.line.as_bytes())?;
        self.file.flush().context("the export cannot be written")
    }
}
