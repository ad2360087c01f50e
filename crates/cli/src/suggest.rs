//! "Did you mean": the nearest of a few known names.

/// Number of single-character insertions, deletions, substitutions and swaps of neighbours between two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// The known name nearest to `wanted`, if it is near enough to be a slip of the keyboard.
pub(crate) fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Names in files may be thousands of characters long; nobody types those.
    let typed = wanted.chars().take(200).collect::<String>().to_lowercase();
    known
        .into_iter()
        .filter(|name| name.len() <= 400)
        .map(|name| (distance(&typed, &name.to_lowercase()), name))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, name)| *distance <= 1 + typed.len().max(name.len()) / 4)
        .map(|(_, name)| name)
}

/// A list for an error message, shortened when it is long.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 20;
    let names: Vec<&str> = names.into_iter().collect();
    let mut text = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text += &format!(" and {} more", names.len() - SHOWN);
    }
    if text.is_empty() { "none".into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_edits() {
        for (a, b, expected) in
            [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("ab", "ba", 1), ("input", "input", 0)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        assert_eq!(nearest("imput", ["output", "input"]), Some("input"));
        assert_eq!(nearest("Operators", ["operators", "tensors"]), Some("operators"));
        assert_eq!(nearest("zebra", ["input", "output"]), None);
        assert_eq!(nearest("x", []), None);
    }
}
