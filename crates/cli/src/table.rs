//! Columns of text. No lines are drawn: what is printed can be cut with `awk`.

/// A table under construction.
pub(crate) struct Table {
    header: Vec<&'static str>,
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column titles; a title that starts with `>` has its column aligned to the right.
    pub(crate) fn new(titles: &[&'static str]) -> Self {
        Self {
            header: titles.iter().map(|title| title.trim_start_matches('>')).collect(),
            right: titles.iter().map(|title| title.starts_with('>')).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; a cell without content is shown as `-`, so that every row has the same number of words at its borders.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut row: Vec<String> =
            cells.into_iter().map(|cell| if cell.is_empty() { "-".into() } else { cell }).collect();
        row.resize(self.header.len(), "-".into());
        self.rows.push(row);
    }

    /// The lines of the table, header first, without spaces at their ends.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let widths: Vec<usize> = (0..self.header.len())
            .map(|i| self.rows.iter().map(|row| width(&row[i])).chain([width(self.header[i])]).max().unwrap_or(0))
            .collect();
        let header: Vec<String> = self.header.iter().map(|title| (*title).to_string()).collect();
        let header = (self.header.iter().any(|title| !title.is_empty())).then_some(header);
        let (body, aligned) = (self.rows.iter().cloned(), self.right.clone());
        header.into_iter().chain(body).map(move |row| line(&row, &widths, &aligned))
    }
}

/// A text from a file that cannot break the table or the terminal.
pub(crate) fn safe(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Characters, which is what a terminal counts for the scripts that names in models use.
fn width(cell: &str) -> usize {
    cell.chars().count()
}

fn line(row: &[String], widths: &[usize], right: &[bool]) -> String {
    let mut text = String::new();
    for (i, cell) in row.iter().enumerate() {
        let fill = " ".repeat(widths[i].saturating_sub(width(cell)));
        if i > 0 {
            text += "  ";
        }
        text += &if right[i] { fill + cell } else { cell.clone() + &fill };
    }
    text.trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_ends_are_clean() {
        let mut table = Table::new(&["name", ">bytes", "shape"]);
        table.row(["a".into(), "7".into(), "1x2".into()]);
        table.row(["größe".into(), "12345".into(), String::new()]);
        let lines: Vec<String> = table.lines().collect();
        assert_eq!(lines, ["name   bytes  shape", "a          7  1x2", "größe  12345  -"]);
    }
}
