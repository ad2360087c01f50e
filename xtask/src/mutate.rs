//! Damaging files, reproducibly.

/// A small generator of random numbers (splitmix64), so that a seed means the same on every machine and for ever.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which must not be 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap_or(0)
    }
}

/// Damages a copy of `bytes`: flips bits, truncates, splices, writes huge counts, drops or repeats pieces.
///
/// Half of the damage goes to `structure`, the positions that are not bulk data.
pub(crate) fn mutate(bytes: &[u8], structure: &[std::ops::Range<usize>], seed: u64) -> Vec<u8> {
    let random = &mut Random::new(seed);
    let mut out = bytes.to_vec();
    let kind = random.below(6);
    let times = if kind == 1 { 1 } else { 1 + random.below(8) };
    for _ in 0..times {
        if out.is_empty() {
            break;
        }
        let at = place(random, structure, out.len());
        match kind {
            0 => out[at] ^= 1 << random.below(8),
            1 => out.truncate(random.below(out.len())),
            2 => huge_count(random, &mut out, at),
            3 => splice(random, structure, &mut out, at),
            4 => out[at] = random.next().to_le_bytes()[0],
            _ => cut_or_repeat(random, &mut out, at),
        }
    }
    out
}

fn place(random: &mut Random, structure: &[std::ops::Range<usize>], length: usize) -> usize {
    let total: usize = structure.iter().map(ExactSizeIterator::len).sum();
    if total > 0 && random.below(2) == 0 {
        let mut index = random.below(total);
        for range in structure {
            if index < range.len() {
                return (range.start + index).min(length - 1);
            }
            index -= range.len();
        }
    }
    random.below(length)
}

fn huge_count(random: &mut Random, out: &mut [u8], at: usize) {
    let values = [u32::MAX, i32::MAX as u32, 1 << 31, 1 << 28, 1 << 16, 0x1fff, 0];
    let at = at & !3;
    let value = values[random.below(values.len())].to_le_bytes();
    for (byte, new) in out[at..].iter_mut().zip(value) {
        *byte = new;
    }
}

fn splice(random: &mut Random, structure: &[std::ops::Range<usize>], out: &mut [u8], at: usize) {
    let from = place(random, structure, out.len());
    let length = (1 + random.below(256)).min(out.len() - at).min(out.len() - from);
    out.copy_within(from..from + length, at);
}

fn cut_or_repeat(random: &mut Random, out: &mut Vec<u8>, at: usize) {
    let end = (at + 1 + random.below(64)).min(out.len());
    let piece: Vec<u8> = out[at..end].to_vec();
    if random.below(2) == 0 {
        out.splice(at..end, []);
    } else {
        out.splice(at..at, piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_does_the_same_damage() {
        let bytes: Vec<u8> = (0..=255).collect();
        let structure = std::slice::from_ref(&(16..64));
        for seed in 0..200 {
            assert_eq!(mutate(&bytes, structure, seed), mutate(&bytes, structure, seed));
        }
        let damaged = (0..200).filter(|&seed| mutate(&bytes, structure, seed) != bytes).count();
        assert!(damaged > 180, "only {damaged} of 200 seeds damage anything");
    }
}
