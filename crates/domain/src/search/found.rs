//! Pages of what was found. Everything found has a place, so a page that continues neither repeats nor skips what did not
//! change; what is edited meanwhile may get another place.

use super::query::SearchTier;

/// The best tier first, and within it the newest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundPlace {
    pub tier: SearchTier,
    pub id: i64,
}

impl Ord for FoundPlace {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.tier.cmp(&other.tier).then_with(|| other.id.cmp(&self.id))
    }
}

impl PartialOrd for FoundPlace {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Some of what was found, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPage<T> {
    pub items: Vec<(FoundPlace, T)>,
    /// The place of the last entry that was looked at, where there may be more.
    pub next: Option<FoundPlace>,
}

impl<T> FoundPage<T> {
    /// Cuts a page down to so many.
    pub fn cut(mut self, limit: usize) -> Self {
        if self.items.len() > limit {
            self.items.truncate(limit);
            self.next = self.items.last().map(|(place, _)| *place);
        }
        self
    }

    /// Pages of several lists, each continued after the same place, as one page of all of them.
    pub fn merge(pages: Vec<Self>, limit: usize) -> Self {
        // Nothing is shown beyond the place up to which all lists were looked at.
        let next = pages.iter().filter_map(|page| page.next).min();
        let mut items: Vec<(FoundPlace, T)> = pages.into_iter().flat_map(|page| page.items).collect();
        items.retain(|(place, _)| next.is_none_or(|next| *place <= next));
        items.sort_by_key(|(place, _)| *place);
        Self { items, next }.cut(limit)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn place(tier: u8, id: i64) -> FoundPlace {
        FoundPlace { tier: SearchTier::of_number(tier).unwrap(), id }
    }

    /// A list from a place on, as a step reads it: `scanned` entries at most.
    fn read(list: &[FoundPlace], after: Option<FoundPlace>, limit: usize, scanned: usize) -> FoundPage<()> {
        let rest: Vec<_> = list.iter().filter(|place| after.is_none_or(|after| **place > after)).collect();
        let next = rest.get(scanned - 1).filter(|_| rest.len() > scanned).map(|place| **place);
        let items = rest.into_iter().take(scanned).map(|place| (*place, ())).collect();
        FoundPage { items, next }.cut(limit)
    }

    proptest! {
        #[test]
        fn pages_of_several_lists_are_all_of_them_once_and_in_order(
            places in prop::collection::btree_set((0_u8..3, 0_i64..200), 0..60),
            limit in 1_usize..8, scanned in 1_usize..12,
        ) {
            let mut all: Vec<FoundPlace> = places.into_iter().map(|(tier, id)| place(tier, id)).collect();
            all.sort();
            let (even, odd): (Vec<_>, Vec<_>) = all.iter().copied().partition(|place| place.id % 2 == 0);
            let (mut got, mut after) = (Vec::new(), None);
            loop {
                let pages = [&even, &odd].map(|list| read(list, after, limit, scanned)).into();
                let page = FoundPage::merge(pages, limit);
                prop_assert!(page.items.len() <= limit);
                got.extend(page.items.iter().map(|(place, ())| *place));
                let Some(next) = page.next else { break };
                prop_assert!(after.is_none_or(|after| next > after), "it goes on");
                after = Some(next);
            }
            prop_assert_eq!(got, all);
        }
    }

    #[test]
    fn better_tiers_are_first_and_newer_ids() {
        let mut places = [place(1, 5), place(0, 1), place(1, 9), place(2, 100)];
        places.sort();
        assert_eq!(places, [place(0, 1), place(1, 9), place(1, 5), place(2, 100)]);
    }
}
