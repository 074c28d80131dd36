//! The contention for every strategy and number of clients, beside the numbers that were published.

use crate::chart::{Axis, Chart, Line, Panel, Scale};
use crate::contention::{self, Cost};
use crate::report::{self, Report};
use crate::strategy::Strategy;
use crate::table::{Table, whole};

/// As many as the published numbers are the mean of.
const RUNS: u32 = 100;
const CLIENTS: std::ops::RangeInclusive<usize> = 1..=19;
const STEP: usize = 10;
/// Where the strategies are compared.
const COMPARED: usize = 100;
/// How far from the published number of calls ours may be.
const TOLERANCE: f64 = 0.05;

/// The means of the public simulation at 100 clients.
const fn published(strategy: Strategy) -> Cost {
    match strategy {
        Strategy::None => Cost { calls: 2_426.0, time: 2_027.0 },
        Strategy::Exponential => Cost { calls: 1_857.0, time: 63_208.0 },
        Strategy::Decorrelated => Cost { calls: 1_006.0, time: 4_550.0 },
        Strategy::Equal => Cost { calls: 811.0, time: 6_595.0 },
        Strategy::Full => Cost { calls: 794.0, time: 4_893.0 },
    }
}

/// One strategy for each number of clients.
type Curve = (Strategy, Vec<(usize, Cost)>);

pub(crate) fn report() -> Report {
    let sizes = || CLIENTS.map(|tens| tens * STEP);
    let curves: Vec<Curve> = Strategy::ALL
        .into_iter()
        .map(|strategy| {
            (strategy, sizes().map(|clients| (clients, contention::mean(strategy, clients, RUNS))).collect())
        })
        .collect();
    let compared: Vec<(Strategy, Cost)> = curves
        .iter()
        .flat_map(|(strategy, costs)| {
            costs.iter().filter(|(clients, _)| *clients == COMPARED).map(|(_, cost)| (*strategy, *cost))
        })
        .collect();
    Report {
        title: format!("{COMPARED} clients contend for one row: means of {RUNS} runs"),
        tables: vec![("contention", table(&compared))],
        chart: ("simulation-backoff.svg", chart(&curves)),
        broken_claims: broken_claims(&compared),
    }
}

fn table(compared: &[(Strategy, Cost)]) -> Table {
    let mut table = Table::new(["backoff", "calls", "published", "apart", "time, ms", "published", "apart"]);
    // Adding zero makes a plain zero of a negative one.
    let apart = |ours: f64, theirs: f64| format!("{:+.1} %", ((ours / theirs - 1.0) * 1_000.0).round() / 10.0 + 0.0);
    for (strategy, ours) in compared {
        let theirs = published(*strategy);
        table.row([
            strategy.name().into(),
            whole(ours.calls),
            whole(theirs.calls),
            apart(ours.calls, theirs.calls),
            whole(ours.time),
            whole(theirs.time),
            apart(ours.time, theirs.time),
        ]);
    }
    table
}

fn broken_claims(compared: &[(Strategy, Cost)]) -> Vec<String> {
    let wrong = |(strategy, ours): &(Strategy, Cost)| {
        let theirs = published(*strategy);
        report::broken((ours.calls / theirs.calls - 1.0).abs() <= TOLERANCE, || {
            format!("{}: {:.0} calls, where {:.0} were published", strategy.name(), ours.calls, theirs.calls)
        })
    };
    compared.iter().filter_map(wrong).collect()
}

fn chart(curves: &[Curve]) -> String {
    let lines = |of: fn(&Cost) -> f64| {
        let line = |(strategy, costs): &Curve| Line {
            name: strategy.name(),
            points: costs.iter().map(|(clients, cost)| (*clients as f64, of(cost))).collect(),
        };
        curves.iter().map(line).collect()
    };
    let clients =
        || Axis { label: "clients", ticks: (0..=4).map(|n| f64::from(n * 50)).collect(), scale: Scale::Linear };
    let panel = |title, label, ticks, scale, lines| Panel {
        title,
        x: clients(),
        y: Axis { label, ticks, scale },
        lines,
        span: None,
        level: None,
    };
    let calls = (0..=5).map(|n| f64::from(n * 2_000)).collect();
    let time = vec![100.0, 1_000.0, 10_000.0, 100_000.0, 200_000.0];
    Chart {
        title: "What contending clients cost, by their backoff",
        description: "Two charts over 10 to 190 clients that each want to write one row once. Left: the calls until all \
                      have written; none needs by far the most, then exponential, decorrelated, equal; full jitter \
                      needs the fewest. Right: the milliseconds until then, on a logarithmic axis; exponential without \
                      jitter takes ten times as long as any other.",
        panels: vec![
            panel("", "calls", calls, Scale::Linear, lines(|cost| cost.calls)),
            panel("", "time until all have written, ms", time, Scale::Logarithmic, lines(|cost| cost.time)),
        ],
        width: 420.0,
        height: 340.0,
    }
    .svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_those_of_the_public_simulation() {
        let compared = Strategy::ALL.map(|strategy| (strategy, contention::mean(strategy, COMPARED, 60)));
        assert_eq!(broken_claims(&compared), [""; 0]);
    }

    #[test]
    fn other_numbers_of_calls_are_told() {
        let off = |by: f64| {
            let ours = published(Strategy::Full);
            broken_claims(&[(Strategy::Full, Cost { calls: ours.calls * by, ..ours })])
        };
        assert_eq!(off(1.04), [""; 0]);
        assert_eq!(off(1.06), ["full: 842 calls, where 794 were published"]);
        assert_eq!(off(0.94).len(), 1);
    }
}
