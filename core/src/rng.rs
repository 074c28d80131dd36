//! A small generator of uniform numbers (xoshiro128++), seeded from outside.
//!
//! Jitter only has to spread callers, so the generator need not be a secret one; it has to differ between tabs, so the
//! driver seeds it from `crypto.getRandomValues`.

/// The generator. The same seed gives the same sequence.
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u32; 4],
}

impl Rng {
    /// A generator that waits for its seed.
    pub(crate) const UNSEEDED: Self = Self { state: [0; 4] };

    /// A generator from 128 bits of seed.
    #[must_use]
    pub fn new(seed: [u32; 4]) -> Self {
        // The all-zero state is the one state xoshiro never leaves.
        let state = if seed.iter().all(|word| *word == 0) {
            [0x9e37_79b9, 0x7f4a_7c15, 0xf39c_c060, 0x5ced_c834]
        } else {
            seed
        };
        let mut rng = Self { state };
        // A poor seed, of small numbers say, shows in the first outputs.
        for _ in 0..16 {
            rng.next_u32();
        }
        rng
    }

    /// 32 uniform bits.
    pub fn next_u32(&mut self) -> u32 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(7).wrapping_add(a);
        let c = c ^ a;
        let d = d ^ b;
        self.state = [a ^ d, b ^ c, c ^ (b << 9), d.rotate_left(11)];
        // The shifted word is of the old `b`; `b ^ c` above uses the already mixed `c`, as the algorithm asks.
        result
    }

    /// A whole number, uniform on `0..=bound`. Of the 2^53 values drawn from, no result gets one more or less than its
    /// share: nothing that a wait could show.
    pub fn up_to(&mut self, bound: u64) -> u64 {
        let bits = (u64::from(self.next_u32()) << 21) ^ u64::from(self.next_u32() >> 11);
        let unit = bits as f64 / (1_u64 << 53) as f64;
        ((unit * (bound as f64 + 1.0)) as u64).min(bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_reproduces_the_sequence() {
        let mut one = Rng::new([1, 2, 3, 4]);
        let mut two = Rng::new([1, 2, 3, 4]);
        assert!((0..100).all(|_| one.next_u32() == two.next_u32()));
    }

    #[test]
    fn the_first_outputs_are_those_of_the_reference() {
        // xoshiro128++ 1.0 by Blackman and Vigna, state {1, 2, 3, 4}, worked out by hand from its definition:
        // rotl(1 + 4, 7) + 1 = 641, then the state becomes {7, 0, 1026, 12288}.
        let mut rng = Rng { state: [1, 2, 3, 4] };
        assert_eq!(rng.next_u32(), 641);
        assert_eq!(rng.state, [7, 0, 1026, 12288]);
    }

    #[test]
    fn a_zero_seed_still_moves() {
        let mut rng = Rng::new([0; 4]);
        assert_ne!(rng.next_u32(), rng.next_u32());
    }

    #[test]
    fn bounds_are_inclusive() {
        let mut rng = Rng::new([9, 9, 9, 9]);
        let mut seen = [false; 3];
        for _ in 0..200 {
            seen[rng.up_to(2) as usize] = true;
        }
        assert_eq!(seen, [true; 3]);
        assert_eq!(rng.up_to(0), 0);
        let _ = rng.up_to(u64::MAX);
    }
}
