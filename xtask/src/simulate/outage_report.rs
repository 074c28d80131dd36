//! The outage with each policy more, and how the breaker's threshold and the length of the outage matter.

use steadfetch_core::backoff::Jitter;
use steadfetch_core::breaker::BreakerOptions;
use steadfetch_core::budget::BudgetOptions;

use crate::chart::{Axis, Chart, Line, Panel, Scale};
use crate::clients::{Pace, Policies};
use crate::outage::{Load, Outage};
use crate::report::{self, Report};
use crate::server::{self, HEADROOM};
use crate::table::{Table, whole};

const OUTAGE: Outage = Outage { clients: 1_000_000, pace: Pace::Steady, before: 30, length: 60, after: 60 };
/// For the comparisons, which take many runs.
const SMALLER: Outage = Outage { clients: 50_000, ..OUTAGE };

/// With everything on the load of the recovered server stays below this...
const BOUND: f64 = 1.3;
/// ...but for its first second, if clients are patient.
const FIRST_SECOND: f64 = 1.6;

/// How long the outages of the comparison are, and what the breakers are set to.
const LENGTHS: [usize; 5] = [15, 30, 60, 120, 300];
const THRESHOLDS: [u32; 4] = [3, 4, 5, 10];

/// Each with one policy more than the one before.
fn configurations() -> [(&'static str, Policies); 4] {
    let bare = Policies { jitter: Jitter::None, budget: None, breaker: None };
    let jitter = Policies { jitter: Jitter::Full, ..bare };
    let budget = Policies { budget: Some(BudgetOptions::default()), ..jitter };
    [("no jitter", bare), ("full jitter", jitter), ("+ retry budget", budget), ("+ circuit breaker", everything(None))]
}

/// Everything on, with this threshold or the default one.
fn everything(failure_threshold: Option<u32>) -> Policies {
    let default = BreakerOptions::default();
    let failure_threshold = failure_threshold.unwrap_or(default.failure_threshold);
    Policies {
        jitter: Jitter::Full,
        budget: Some(BudgetOptions::default()),
        breaker: Some(BreakerOptions { failure_threshold, ..default }),
    }
}

pub(crate) fn report() -> Report {
    let steady = run(OUTAGE);
    let patient = run(Outage { pace: Pace::Patient, ..SMALLER });
    let rows = LENGTHS.map(|length| {
        let outage = Outage { length, ..SMALLER };
        (length, THRESHOLDS.map(|threshold| outage.run(everything(Some(threshold))).peak()))
    });
    Report {
        title: format!(
            "{} clients, {} s without a server; in normal loads of {} calls a second",
            whole(OUTAGE.clients.into()),
            OUTAGE.length,
            whole(server::normal_load(OUTAGE.clients, 1_000))
        ),
        tables: vec![("outage", table(&steady)), ("patient", table(&patient)), ("thresholds", thresholds(&rows))],
        chart: ("simulation-outage.svg", chart(&steady)),
        broken_claims: broken_claims(&steady, &patient),
    }
}

/// The name of a configuration, and what reached the server.
type Named = (&'static str, Load);

fn run(outage: Outage) -> [Named; 4] {
    configurations().map(|(name, policies)| (name, outage.run(policies)))
}

fn table(loads: &[Named]) -> Table {
    let mut table = Table::new([
        "clients with",
        "load in the outage",
        "1st second after",
        "highest later",
        "seconds above capacity",
        "turned away",
    ]);
    for (name, load) in loads {
        table.row([
            (*name).into(),
            format!("{:.2}", load.during()),
            format!("{:.2}", load.after()[0]),
            format!("{:.2}", load.later_peak()),
            load.seconds_above_capacity().to_string(),
            format!("{:.2}", load.turned_away()),
        ]);
    }
    table
}

fn thresholds(rows: &[(usize, [f64; THRESHOLDS.len()])]) -> Table {
    let mut table = Table::new(["outage", "threshold 3", "4", "5 (default)", "10"]);
    for (length, peaks) in rows {
        let [a, b, c, d] = peaks.map(|peak| format!("{peak:.2}"));
        table.row([format!("{length} s"), a, b, c, d]);
    }
    table
}

fn broken_claims(steady: &[Named; 4], patient: &[Named; 4]) -> Vec<String> {
    let mut broken = Vec::new();
    for loads in [steady, patient] {
        let turned_away = loads.each_ref().map(|(_, load)| load.turned_away());
        let [_, jitter, budget, everything] = loads.each_ref().map(|(_, load)| load.peak());
        broken.extend([
            report::broken(turned_away.is_sorted_by(|more, less| more > less), || {
                format!("one policy more leaves the recovered server no less to turn away: {turned_away:.2?}")
            }),
            report::broken(jitter > budget && budget > everything, || {
                format!("budget and breaker do not lower the peak: {jitter:.2}, {budget:.2}, {everything:.2}")
            }),
        ]);
    }
    let ([.., (_, steady)], [.., (_, patient)]) = (steady, patient);
    let (peak, first, later) = (steady.peak(), patient.peak(), patient.later_peak());
    broken.extend([
        report::broken(peak < BOUND, || format!("with everything on the peak is {peak:.2}")),
        report::broken(first < FIRST_SECOND, || {
            format!("patient, with everything on: the first second has {first:.2}")
        }),
        report::broken(later < BOUND, || format!("patient, with everything on: {later:.2} after the first second")),
    ]);
    broken.into_iter().flatten().collect()
}

fn chart(loads: &[Named]) -> String {
    let (before, length, after) = (OUTAGE.before as f64, OUTAGE.length as f64, OUTAGE.after as f64);
    let line = |(name, load): &Named| Line {
        name,
        points: load.sent.iter().enumerate().map(|(second, load)| (second as f64 + 0.5 - before, *load)).collect(),
    };
    let panel = Panel {
        title: "",
        x: Axis {
            label: "seconds since the outage began",
            ticks: (-1..=(length + after) as i32 / 30).map(|n| f64::from(n * 30)).collect(),
            scale: Scale::Linear,
        },
        y: Axis {
            label: "attempts that reach the server, in normal loads",
            ticks: (0..=8).map(|n| f64::from(n) / 2.0).collect(),
            scale: Scale::Linear,
        },
        lines: loads.iter().map(line).collect(),
        span: Some((0.0, length, "no answers")),
        level: Some((HEADROOM, "capacity")),
    };
    Chart {
        title: "The load of a server that is gone for a minute, by what its clients do",
        description: "Attempts per second of a million clients, in normal loads. In the outage they rise to 3.3 without \
                      jitter and 3.7 with full jitter; a retry budget brings them down to 2.5 by its end, a circuit \
                      breaker to 1.4. When the server is back, only clients with both stay within its capacity of 1.5 \
                      from the first second on; the others do after 2 seconds with a budget, 5 with full jitter, 8 \
                      without.",
        panels: vec![panel],
        width: 840.0,
        height: 400.0,
    }
    .svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_policy_more_spares_the_recovered_server() {
        let patient = run(Outage { pace: Pace::Patient, ..SMALLER });
        assert_eq!(broken_claims(&run(SMALLER), &patient), [""; 0]);
    }

    #[test]
    fn claims_that_do_not_hold_are_told() {
        let few = Outage { clients: 5_000, ..OUTAGE };
        let [mut steady, mut patient] = [few, Outage { pace: Pace::Patient, ..few }].map(run);
        steady.reverse();
        patient.reverse();
        // The order of what is turned away and of the peaks, for both; and each of the three bounds.
        assert_eq!(broken_claims(&steady, &patient).len(), 7);
    }
}
