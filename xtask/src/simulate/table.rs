//! A table that reads well in a terminal and is Markdown too.

use std::fmt;

pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new<const N: usize>(header: [&str; N]) -> Self {
        Self { rows: vec![header.map(str::to_owned).to_vec()] }
    }

    /// The first cell is the name of the row, the others are numbers.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.to_vec());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
                .max(3)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for (number, row) in self.rows.iter().enumerate() {
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                if column == 0 {
                    write!(out, "| {cell:<width$} |")?;
                } else {
                    write!(out, " {cell:>width$} |")?;
                }
            }
            writeln!(out)?;
            if number == 0 {
                for (column, width) in widths.iter().enumerate() {
                    let dashes = "-".repeat(width - 1);
                    if column == 0 {
                        write!(out, "| {dashes}- |")?;
                    } else {
                        write!(out, " {dashes}: |")?;
                    }
                }
                writeln!(out)?;
            }
        }
        Ok(())
    }
}

/// `63 208`
pub(crate) fn whole(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) && !text.ends_with('-') {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_markdown() {
        let mut table = Table::new(["name", "n"]);
        table.row(["a".into(), whole(1_234.4)]);
        assert_eq!(table.to_string(), "| name |     n |\n| ---- | ----: |\n| a    | 1 234 |\n");
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0.4, 999.0, 1_000.0, 1_234_567.0, -123.0].map(whole), ["0", "999", "1 000", "1 234 567", "-123"]);
    }
}
