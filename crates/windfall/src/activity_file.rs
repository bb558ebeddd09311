//! An activity in a TOML file: the same words as in the API, and moments that count from now: `"now"`, `"+7d"`, `"-2h"`.

use std::path::Path;

use anyhow::{Context as _, bail};
use domain::activity::{Content, flaws};
use domain::flaw::Flaw;
use domain::ids::ActivityId;
use domain::time::Timestamp;
use server::forms::{ActivityForm, form_field, resolve_moments};

/// A file as large as the largest activity, and no larger.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;

pub fn load(path: &Path) -> anyhow::Result<ActivityForm> {
    let name = path.display();
    let size = std::fs::metadata(path).with_context(|| format!("{name} cannot be read"))?.len();
    if size > FILE_BYTES_MAX {
        bail!("{name} is larger than {FILE_BYTES_MAX} bytes");
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("{name} cannot be read"))?;
    parse(&text).with_context(|| format!("{name} is not an activity"))
}

/// A text as it is in a file; its moments may count from now.
pub fn parse(text: &str) -> anyhow::Result<ActivityForm> {
    let now = Timestamp(jiff::Timestamp::now().as_millisecond());
    Ok(toml::from_str(&resolve_moments(text, now))?)
}

/// What the form says, if it can work; otherwise every reason why not.
pub fn workable(form: &ActivityForm, activity: ActivityId, version: u32) -> Result<Content, Vec<Flaw>> {
    let written = form
        .read(activity, version)
        .map_err(|wrong| wrong.into_iter().map(Flaw::from).collect::<Vec<_>>())?;
    let flaws = flaws(&written, form_field);
    if flaws.is_empty() { Ok(written) } else { Err(flaws) }
}
