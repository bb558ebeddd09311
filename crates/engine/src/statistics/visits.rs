//! A request that was answered, as statistics see it: a browser with a visitor's cookie, a signed-in person, a campaign that
//! was opened. Nobody waits for it, and nothing fails by it.

use domain::civil_date::CivilDate;
use domain::ids::{ActivityId, UserId};
use domain::limit::Quota;
use domain::statistics::{CountedStep, VISITOR_RANDOM_BYTES};
use domain::time::DAY_MS;
use store::model::{VisitPlace, VisitSubject};

use crate::failure::Result;
use crate::world::World;

/// What one address may add to the visitors of a day is counted in a class of its own.
const ADDRESS_CLASS: &str = "visitors";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    pub browser: Option<VisitingBrowser>,
    /// Who is signed in.
    pub person: Option<UserId>,
    /// The campaign that was opened.
    pub activity: Option<ActivityId>,
}

/// A browser that kept the cookie that it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitingBrowser {
    /// What it is counted by.
    pub hash: u64,
    pub address: String,
}

/// The cookie of a new visitor; nothing while statistics are off.
pub fn issue_visitor(world: &World) -> Option<String> {
    let issue = || world.statistics.key().issue(&world.bytes::<VISITOR_RANDOM_BYTES>());
    world.settings.statistics.enabled.then(issue)
}

/// Counts a visit. Again on the same day changes nothing.
pub async fn visit_count(world: &World, visit: Visit) {
    if !world.settings.statistics.enabled {
        return;
    }
    if let Err(failure) = count(world, visit).await {
        tracing::debug!(%failure, "a visit was not counted");
    }
}

async fn count(world: &World, visit: Visit) -> Result<()> {
    let Some(day) = world.statistics.date(world.now(), &world.settings.site_zone) else { return Ok(()) };
    if let Some(user) = visit.person {
        world.statistics.count_person(user, day);
    }
    let round = match visit.activity {
        Some(activity) => world.caches.activities.find(world, activity).await?.map(|live| live.life.round),
        None => None,
    };
    let subject = visit.activity.zip(round).map(|(activity, round)| VisitSubject::Round(activity, round));
    if let Some(browser) = &visit.browser
        && count_browser(world, browser, day).await?
        && let Some(subject) = subject
    {
        let place = VisitPlace { subject, step: CountedStep::Visitors, day };
        world.statistics.count(place, browser.hash);
    }
    if let (Some(user), Some(subject)) = (visit.person, subject) {
        let place = VisitPlace { subject, step: CountedStep::SignedIn, day };
        world.statistics.count(place, world.statistics.key().person(user));
    }
    Ok(())
}

/// Counts a visitor of the site, unless their address has added enough today; answers whether they count.
async fn count_browser(world: &World, browser: &VisitingBrowser, day: CivilDate) -> Result<bool> {
    let place = VisitPlace { subject: VisitSubject::Site, step: CountedStep::Visitors, day };
    if world.statistics.has_counted(place, browser.hash) {
        return Ok(true);
    }
    let burst = world.settings.statistics.visitors_of_address_daily_max;
    let quota = Quota { burst, period_ms: DAY_MS };
    let allowance = world.outside.limits.take(ADDRESS_CLASS, &browser.address, quota, world.now()).await?;
    if allowance.allowed {
        world.statistics.count(place, browser.hash);
    }
    Ok(allowance.allowed)
}
