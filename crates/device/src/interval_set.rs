//! A set of `u64` positions kept as disjoint, sorted, half-open intervals.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// A set of positions, stored as maximal half-open intervals.
///
/// Residency uses it because buffers of hundreds of megabytes are written in a few long runs: the set's size follows the
/// number of runs, never the number of bytes or cache lines.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct IntervalSet {
    /// Start of each interval to its end. No interval is empty and no two touch.
    runs: BTreeMap<u64, u64>,
}

impl IntervalSet {
    /// The empty set.
    pub const fn new() -> Self {
        Self { runs: BTreeMap::new() }
    }

    /// Whether no position is in the set.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// How many positions are in the set.
    pub fn total(&self) -> u64 {
        self.runs.iter().map(|(start, end)| end - start).sum()
    }

    /// The maximal intervals in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        self.runs.iter().map(|(&start, &end)| start..end)
    }

    /// Adds every position of `range`; an empty or reversed range adds nothing.
    pub fn insert(&mut self, range: Range<u64>) {
        if range.start >= range.end {
            return;
        }
        let Range { mut start, mut end } = range;
        if let Some((&left, &left_end)) = self.runs.range(..=start).next_back()
            && left_end >= start
        {
            if left_end >= end {
                return;
            }
            start = left;
        }
        // Everything that begins inside or right at the end of the new interval melts into it.
        while let Some((&next, &next_end)) = self.runs.range(start..=end).next() {
            self.runs.remove(&next);
            end = end.max(next_end);
        }
        self.runs.insert(start, end);
    }

    /// Takes every position of `range` out.
    pub fn remove(&mut self, range: Range<u64>) {
        if range.start >= range.end {
            return;
        }
        while let Some(hit) = self.first_within(&range) {
            let (start, end) = self.run_at(hit.start);
            self.runs.remove(&start);
            if start < hit.start {
                self.runs.insert(start, hit.start);
            }
            if hit.end < end {
                self.runs.insert(hit.end, end);
            }
        }
    }

    /// Adds every position of `other`.
    pub fn extend(&mut self, other: &Self) {
        for run in other.iter() {
            self.insert(run);
        }
    }

    /// Whether any position of `range` is in the set.
    pub fn intersects(&self, range: &Range<u64>) -> bool {
        self.first_within(range).is_some()
    }

    /// The lowest part of the set that lies within `range`, as one interval clipped to it.
    pub fn first_within(&self, range: &Range<u64>) -> Option<Range<u64>> {
        if range.start >= range.end {
            return None;
        }
        if let Some((_, &end)) = self.runs.range(..=range.start).next_back()
            && end > range.start
        {
            return Some(range.start..end.min(range.end));
        }
        let (&start, &end) = self.runs.range(range.clone()).next()?;
        Some(start..end.min(range.end))
    }

    /// The lowest part of `range` that is not in the set, as one interval.
    pub fn first_gap(&self, range: &Range<u64>) -> Option<Range<u64>> {
        let start = match self.first_within(range) {
            Some(hit) if hit.start == range.start => hit.end,
            _ => range.start,
        };
        let end = self.first_within(&(start..range.end)).map_or(range.end, |hit| hit.start);
        (start < end).then_some(start..end)
    }

    /// The part of the set within `range`.
    pub fn within(&self, range: &Range<u64>) -> Self {
        let mut part = Self::new();
        let mut rest = range.clone();
        while let Some(hit) = self.first_within(&rest) {
            rest.start = hit.end;
            part.runs.insert(hit.start, hit.end);
        }
        part
    }

    /// The stored interval that covers `position`; the caller has seen that one does.
    fn run_at(&self, position: u64) -> (u64, u64) {
        self.runs.range(..=position).next_back().map_or((position, position), |(&start, &end)| (start, end))
    }
}

impl fmt::Debug for IntervalSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl FromIterator<Range<u64>> for IntervalSet {
    fn from_iter<I: IntoIterator<Item = Range<u64>>>(ranges: I) -> Self {
        let mut set = Self::new();
        for range in ranges {
            set.insert(range);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::IntervalSet;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use std::ops::Range;

    /// The independent formulation: one entry per position.
    fn apply(steps: &[(bool, Range<u64>)]) -> (IntervalSet, BTreeSet<u64>) {
        let mut set = IntervalSet::new();
        let mut model = BTreeSet::new();
        for (add, range) in steps {
            if *add {
                set.insert(range.clone());
                model.extend(range.clone());
            } else {
                set.remove(range.clone());
                model.retain(|position| !range.contains(position));
            }
        }
        (set, model)
    }

    fn ranges() -> impl Strategy<Value = Range<u64>> {
        (0u64..90, 0u64..90).prop_map(|(a, b)| a..b)
    }

    proptest! {
        #[test]
        fn behaves_as_a_set_of_positions(steps in proptest::collection::vec((any::<bool>(), ranges()), 0..40), query in ranges()) {
            let (set, model) = apply(&steps);
            let positions: BTreeSet<u64> = set.iter().flatten().collect();
            prop_assert_eq!(&positions, &model);
            prop_assert_eq!(set.total(), model.len() as u64);
            prop_assert_eq!(set.is_empty(), model.is_empty());

            // Canonical: sorted, never empty, never touching. Equal sets are therefore equal values.
            let runs: Vec<_> = set.iter().collect();
            prop_assert!(runs.iter().all(|run| run.start < run.end));
            prop_assert!(runs.windows(2).all(|pair| pair[0].end < pair[1].start));

            let inside: BTreeSet<u64> = model.iter().copied().filter(|position| query.contains(position)).collect();
            prop_assert_eq!(set.intersects(&query), !inside.is_empty());
            prop_assert_eq!(set.within(&query).iter().flatten().collect::<BTreeSet<_>>(), inside.clone());
            let outside = query.clone().find(|position| !model.contains(position));
            let gap = set.first_gap(&query);
            prop_assert_eq!(gap.as_ref().map(|gap| gap.start), outside);
            if let Some(gap) = gap {
                prop_assert!(gap.clone().all(|position| !model.contains(&position)));
                prop_assert!(gap.end == query.end || model.contains(&gap.end));
            }
            let first = set.first_within(&query);
            prop_assert_eq!(first.as_ref().map(|run| run.start), inside.first().copied());
            if let Some(run) = first {
                prop_assert!(run.clone().all(|position| inside.contains(&position)));
                prop_assert!(!inside.contains(&run.end));
            }
        }

        #[test]
        fn insertion_order_does_not_matter(mut parts in proptest::collection::vec(ranges(), 0..20)) {
            let forward: IntervalSet = parts.iter().cloned().collect();
            parts.reverse();
            let backward: IntervalSet = parts.iter().cloned().collect();
            prop_assert_eq!(&forward, &backward);
            let mut twice = forward.clone();
            twice.extend(&backward);
            prop_assert_eq!(twice, forward);
        }
    }
}
