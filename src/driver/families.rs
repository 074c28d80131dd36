use std::sync::Weak;

use crate::shared::Family;

/// Below so many nobody looks which are gone.
const FEW: usize = 32;

/// The clients whose numbers the engine of this thread keeps. A client may be dropped in any thread, so they are looked
/// through when there are twice as many as last time.
pub(super) struct Families {
    /// The latest last.
    known: Vec<(u64, Weak<Family>)>,
    most: usize,
}

impl Families {
    pub(super) const fn new() -> Self {
        Self { known: Vec::new(), most: FEW }
    }

    /// Notes a client that makes a call; tells of those that are gone.
    pub(super) fn note(&mut self, number: u64, family: &Weak<Family>, mut gone: impl FnMut(u64)) {
        if self.known.iter().rev().any(|(known, _)| *known == number) {
            return;
        }
        self.known.push((number, family.clone()));
        if self.known.len() > self.most {
            self.known.retain(|(number, family)| {
                let lives = family.strong_count() > 0;
                if !lives {
                    gone(*number);
                }
                lives
            });
            self.most = self.known.len().saturating_mul(2).max(FEW);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn those_that_are_gone_are_told_once_and_the_living_stay() {
        let mut families = Families::new();
        let living: Vec<Arc<Family>> = (0..10).map(|number| Arc::new(Family { number: 1_000 - number })).collect();
        for family in &living {
            families.note(family.number, &Arc::downgrade(family), |_| panic!("nobody is gone"));
        }
        let mut gone = Vec::new();
        for number in 2_000..12_000 {
            families.note(number, &Arc::downgrade(&Arc::new(Family { number })), |number| gone.push(number));
            assert!(families.known.len() <= FEW + 1);
        }
        gone.sort_unstable();
        gone.dedup();
        assert!(gone.len() >= 10_000 - FEW, "{}", gone.len());
        for family in &living {
            assert!(!gone.contains(&family.number));
            assert!(families.known.iter().any(|(number, _)| *number == family.number));
        }
    }
}
