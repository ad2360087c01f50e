//! "Did you mean …?"

/// Longer names are nobody's slip of the finger, and the distance takes quadratic time.
const LONGEST: usize = 64;

/// The candidate with the fewest changed letters, if that is at most a third of them. Case counts as equal.
pub(super) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name: Vec<char> = name.chars().take(LONGEST + 1).map(|letter| letter.to_ascii_uppercase()).collect();
    if name.len() > LONGEST {
        return None;
    }
    let scored = candidates.into_iter().map(|candidate| (distance(&name, candidate), candidate));
    let (distance, candidate) = scored.min_by_key(|(distance, _)| *distance)?;
    (distance <= name.len() / 3).then_some(candidate)
}

/// Letters to insert, delete or replace to get from one to the other.
fn distance(from: &[char], to: &str) -> usize {
    let mut row: Vec<usize> = (0..=from.len()).collect();
    for (line, target) in to.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], line + 1);
        for (column, source) in from.iter().enumerate() {
            let replaced = diagonal + usize::from(*source != target);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[from.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distances_are_those_of_the_textbook() {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&letters("kitten"), "sitting"), 3);
        assert_eq!(distance(&letters(""), "abc"), 3);
        assert_eq!(distance(&letters("abc"), ""), 3);
    }

    #[test]
    fn only_slips_get_a_suggestion() {
        assert_eq!(nearest("conv_mod", ["DECONV", "CONV_MODE"]), Some("CONV_MODE"));
        assert_eq!(nearest("banana", ["DECONV", "CONV_MODE"]), None);
        assert_eq!(nearest(&"x".repeat(100), ["xxx"]), None);
    }
}
