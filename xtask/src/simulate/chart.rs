//! Line charts as SVG: readable on light and on dark pages, and without telling colours apart.

use std::fmt::Write;

/// As far from white as from a dark page.
const TEXT: &str = "#787b80";
/// Each at least 3:1 against both. A line has a pattern of dashes too.
const LINES: [(&str, &str); 5] =
    [("#e5484d", "none"), ("#d97706", "7 3"), ("#9a6bf0", "2 3"), ("#3b82f6", "10 3 2 3"), ("#1f9d55", "none")];

const FONT: f64 = 13.0;
/// Around the area of a panel: for the numbers and titles of the axes.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 48.0;
const LEGEND: f64 = 32.0;
/// The line of a legend's entry, and the room of a letter.
const SAMPLE: f64 = 28.0;
const LETTER: f64 = 7.2;

pub(crate) struct Chart<'a> {
    /// Read out in place of the picture.
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) panels: Vec<Panel<'a>>,
    /// Of one panel.
    pub(crate) width: f64,
    pub(crate) height: f64,
}

pub(crate) struct Panel<'a> {
    pub(crate) title: &'a str,
    pub(crate) x: Axis<'a>,
    pub(crate) y: Axis<'a>,
    /// The same in each panel, in the order of the legend.
    pub(crate) lines: Vec<Line<'a>>,
    /// A span of x with a word about it.
    pub(crate) span: Option<(f64, f64, &'a str)>,
    /// A value of y with a word about it.
    pub(crate) level: Option<(f64, &'a str)>,
}

pub(crate) struct Axis<'a> {
    pub(crate) label: &'a str,
    /// The first and the last are the ends of the axis.
    pub(crate) ticks: Vec<f64>,
    pub(crate) scale: Scale,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    Logarithmic,
}

pub(crate) struct Line<'a> {
    pub(crate) name: &'a str,
    pub(crate) points: Vec<(f64, f64)>,
}

impl Axis<'_> {
    /// From 0 at the beginning of the axis to 1 at its end.
    fn place(&self, value: f64) -> f64 {
        let of = |value: f64| if self.scale == Scale::Logarithmic { value.log10() } else { value };
        let (first, last) = (self.ticks.first().copied().unwrap_or(0.0), self.ticks.last().copied().unwrap_or(1.0));
        ((of(value) - of(first)) / (of(last) - of(first))).clamp(0.0, 1.0)
    }
}

impl Chart<'_> {
    pub(crate) fn svg(&self) -> String {
        let (width, height) = (self.width * self.panels.len() as f64, self.height + LEGEND);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-labelledby=\"title description\" font-family=\"system-ui, sans-serif\" font-size=\"{FONT}\" \
             fill=\"{TEXT}\">\n<title id=\"title\">{}</title>\n<desc id=\"description\">{}</desc>\n",
            escape(self.title),
            escape(self.description)
        );
        self.legend(&mut svg);
        for (number, panel) in self.panels.iter().enumerate() {
            let area = Area {
                left: self.width * number as f64 + LEFT,
                top: LEGEND + TOP,
                width: self.width - LEFT - RIGHT,
                height: self.height - TOP - BOTTOM,
            };
            panel.draw(&mut svg, &area);
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn legend(&self, svg: &mut String) {
        let mut x = LEFT;
        for (number, line) in self.panels.iter().take(1).flat_map(|panel| &panel.lines).enumerate() {
            let y = LEGEND / 2.0 + 4.0;
            element(svg, &format!("<path d=\"M{x} {y}h{SAMPLE}\" {}/>", stroke(number)));
            text(svg, x + SAMPLE + 6.0, y + 4.5, "start", line.name);
            x += SAMPLE + 6.0 + LETTER * line.name.chars().count() as f64 + 20.0;
        }
    }
}

/// Where a panel draws.
struct Area {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Panel<'_> {
    fn draw(&self, svg: &mut String, area: &Area) {
        let x = |value: f64| area.left + area.width * self.x.place(value);
        let y = |value: f64| area.top + area.height * (1.0 - self.y.place(value));
        let bottom = area.top + area.height;
        let middle = area.left + area.width / 2.0;

        if let Some((from, to, word)) = self.span {
            let (from, to) = (x(from), x(to));
            element(
                svg,
                &format!(
                    "<rect x=\"{from:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" fill-opacity=\"0.14\"/>",
                    area.top,
                    to - from,
                    area.height
                ),
            );
            text(svg, f64::midpoint(from, to), bottom - 9.0, "middle", word);
        }
        for tick in &self.y.ticks {
            let at = y(*tick);
            element(
                svg,
                &format!(
                    "<path d=\"M{} {at:.1}h{}\" stroke=\"{TEXT}\" stroke-opacity=\"0.35\"/>",
                    area.left, area.width
                ),
            );
            text(svg, area.left - 8.0, at + 4.5, "end", &number(*tick));
        }
        for tick in &self.x.ticks {
            let at = x(*tick);
            element(svg, &format!("<path d=\"M{at:.1} {bottom}v5\" stroke=\"{TEXT}\"/>"));
            text(svg, at, bottom + 20.0, "middle", &number(*tick));
        }
        text(svg, middle, bottom + 40.0, "middle", self.x.label);
        text(svg, area.left - LEFT + 10.0, area.top - 14.0, "start", self.y.label);
        if !self.title.is_empty() {
            text(svg, area.left + area.width, area.top - 14.0, "end", self.title);
        }
        for (number, line) in self.lines.iter().enumerate() {
            let mut path = String::new();
            for (place, (at, value)) in line.points.iter().enumerate() {
                // Writing to a string cannot fail.
                let _ = write!(path, "{}{:.1} {:.1}", if place == 0 { "M" } else { "L" }, x(*at), y(*value));
            }
            element(svg, &format!("<path d=\"{path}\" {}/>", stroke(number)));
        }
        if let Some((value, word)) = self.level {
            let at = y(value);
            element(
                svg,
                &format!(
                    "<path d=\"M{} {at:.1}h{}\" stroke=\"{TEXT}\" stroke-width=\"1.5\" stroke-dasharray=\"1 3\"/>",
                    area.left, area.width
                ),
            );
            text(svg, area.left + area.width - 4.0, at - 6.0, "end", word);
        }
    }
}

/// The style of line `number` of the legend.
fn stroke(number: usize) -> String {
    let (colour, dashes) = LINES[number % LINES.len()];
    format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.2\" stroke-dasharray=\"{dashes}\"")
}

fn element(svg: &mut String, element: &str) {
    svg.push_str(element);
    svg.push('\n');
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    element(svg, &format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", escape(text)));
}

/// A tick: `0.5`, `60`, `10 000`.
fn number(value: f64) -> String {
    if value.fract() == 0.0 { crate::table::whole(value) } else { format!("{value:.1}") }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<(f64, f64)>) -> String {
        let axis = |scale| Axis { label: "a < b", ticks: vec![1.0, 10.0, 100.0], scale };
        let panel = Panel {
            title: "",
            x: axis(Scale::Linear),
            y: axis(Scale::Logarithmic),
            lines: vec![Line { name: "line", points }],
            span: None,
            level: None,
        };
        let (width, height) = (LEFT + RIGHT + 99.0, TOP + BOTTOM + 100.0);
        Chart { title: "title", description: "words", panels: vec![panel], width, height }.svg()
    }

    #[test]
    fn points_are_where_the_axes_say() {
        // One unit of x is one of the picture; y goes down, and 10 is half-way up from 1 to 100.
        let top = LEGEND + TOP;
        let path = format!(
            "d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}\"",
            LEFT,
            top + 100.0,
            LEFT + 9.0,
            top + 50.0,
            LEFT + 99.0,
            top
        );
        let svg = chart(vec![(1.0, 1.0), (10.0, 10.0), (100.0, 100.0)]);
        assert!(svg.contains(&path), "no {path} in {svg}");
    }

    #[test]
    fn what_is_off_the_axes_stays_in_the_area() {
        let svg = chart(vec![(0.0, 0.0), (500.0, 500.0)]);
        let path = format!("d=\"M{:.1} {:.1}L{:.1} {:.1}\"", LEFT, LEGEND + TOP + 100.0, LEFT + 99.0, LEGEND + TOP);
        assert!(svg.contains(&path), "no {path} in {svg}");
    }

    #[test]
    fn words_are_escaped() {
        let svg = chart(Vec::new());
        assert!(svg.contains(">a &lt; b</text>") && !svg.contains("a < b"));
    }
}
