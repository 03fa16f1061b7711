//! Sets of k out of n places by rank: the combinatorial number system.

/// The greatest number of squares of a board.
const PLACES: usize = 128;
/// The greatest number of members of a set.
pub(super) const MOST_MEMBERS: usize = 12;

/// Binomial coefficients, `u64::MAX` on overflow.
static BINOMIALS: [[u64; MOST_MEMBERS + 1]; PLACES + 1] = binomials();

const fn binomials() -> [[u64; MOST_MEMBERS + 1]; PLACES + 1] {
    let mut table = [[0u64; MOST_MEMBERS + 1]; PLACES + 1];
    let mut n = 0;
    while n <= PLACES {
        table[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= MOST_MEMBERS {
            table[n][k] = table[n - 1][k - 1].saturating_add(table[n - 1][k]);
            k += 1;
        }
        n += 1;
    }
    table
}

/// The number of sets of `members` out of `places`, at most 128 places and 12 members.
pub(super) fn count(places: usize, members: u8) -> u64 {
    BINOMIALS[places][usize::from(members)]
}

/// The rank of a set, given by its members in ascending order.
#[inline]
pub(super) fn rank(members: &[u8]) -> u64 {
    members.iter().zip(1..).map(|(&place, k)| BINOMIALS[usize::from(place)][k]).sum()
}

/// Visits the members of the set with this rank, in descending order.
pub(super) fn unrank(mut number: u64, members: u8, mut visit: impl FnMut(u8)) {
    let mut place = PLACES;
    for k in (1..=usize::from(members)).rev() {
        place -= 1;
        while BINOMIALS[place][k] > number {
            place -= 1;
        }
        number -= BINOMIALS[place][k];
        visit(place as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_its_number() {
        for (places, members) in [(1, 1), (5, 2), (9, 3), (12, 4)] {
            for number in 0..count(places, members) {
                let mut set = Vec::new();
                unrank(number, members, |place| set.push(place));
                set.reverse();
                assert!(set.windows(2).all(|pair| pair[0] < pair[1]));
                assert!(usize::from(*set.last().unwrap()) < places);
                assert_eq!(rank(&set), number);
            }
        }
        assert_eq!(count(121, 3), 287_980);
    }
}
