//! Seeds, keyed draws and PCG32 against the specs' vectors and against the rand_pcg crate.

use kernel::keyed::{draw, n4, pick, u01};
use kernel::pcg32::{Jump, Pcg32};
use kernel::seeds::{GOLDEN, episode_seed, mix, mix64};
use proptest::prelude::*;
use rand_core::Rng;

fn fresh() -> Pcg32 {
    Pcg32::from_seed(42, 54)
}

fn assert_near(found: f64, printed: f64) {
    assert!((found - printed).abs() < 1e-12, "{found} is not {printed}");
}

#[test]
fn mixing_gives_the_spec_s_vectors() {
    assert_eq!(mix(1), 0x5692161d100b05e5);
    assert_eq!(mix64(7), mix(7 + GOLDEN));
    assert_eq!(episode_seed(5, 3, 2), mix64(5 ^ mix64(3 * (1 << 32) + 2)));
}

#[test]
fn keyed_draws_give_the_spec_s_vectors() {
    let bits = draw(42, 3, 7, 1, 2, 0);

    assert_eq!(draw(0, 0, 0, 0, 0, 0), 0x2d8f9048509b426b);
    assert_eq!(bits, 0xebcfd58490c6faad);
    assert_eq!(draw(42, 3, 7, 1, 2, 1), 0xc3a5bb94d2f450d9);
    assert_eq!(draw(u64::MAX, 8, 600, 64, 511, 15), 0x2837b78fe1d530ec);
    assert_eq!(u01(bits), 0.921_140_045_990_593_7);
    assert_eq!(n4(bits), 2.251_539_205_026_838);
    assert_eq!(pick(bits, 10), 9);
    assert_eq!(pick(u64::MAX, 7), 6);
}

#[test]
fn bell_shaped_draws_have_mean_zero_and_variance_one() {
    let values: Vec<f64> = (0..400_000).map(|k| n4(draw(9, 2, 0, 0, 0, k))).collect();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / values.len() as f64;

    assert!(mean.abs() < 0.005, "{mean}");
    assert!((variance - 1.0).abs() < 0.01, "{variance}");
}

#[test]
fn the_generator_gives_the_spec_s_words() {
    let words = |seed| {
        let mut rng = Pcg32::from_seed(seed, 54);
        [(); 6].map(|()| rng.next_u32())
    };

    assert_eq!(words(0), [0x47c28b93, 0xb98f6a27, 0x7d3dcb1e, 0xf0761116, 0x9cc33f5b, 0xbe0e744d]);
    assert_eq!(words(1), [0x9b6bdda9, 0x0c31fc48, 0xce97f8ef, 0x822c03d4, 0x943e8cf2, 0x1b75dde3]);
    assert_eq!(words(42), [0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e]);
}

#[test]
fn derived_draws_give_the_spec_s_numbers() {
    let mut units = fresh();
    let mut normals = fresh();
    let shares = [0.171466395625, 0.271463908024, 0.118442930698, 0.246572601791, 0.107568286849, 0.084485877012];

    assert_eq!([(); 3].map(|()| units.f64()), [0.6303102204110473, 0.4815666696522385, 0.7270080558955669]);
    for printed in [-0.954336976917, -0.795006343094, 0.219600537638] {
        assert_near(normals.normal(0.0, 1.0), printed);
    }
    for (found, printed) in fresh().dirichlet6().into_iter().zip(shares) {
        assert_near(found, printed);
    }
    assert_near(fresh().beta32(), 0.613178126095);
}

#[test]
fn every_draw_is_counted() {
    let counted = |act: fn(&mut Pcg32)| {
        let mut rng = fresh();
        act(&mut rng);
        rng.draws()
    };

    assert_eq!(counted(|_| ()), 0);
    assert_eq!(counted(|rng| _ = rng.uniform(1.0, 2.0)), 1);
    assert_eq!(counted(|rng| _ = rng.normal(0.0, 1.0)), 2);
    assert_eq!(counted(|rng| _ = rng.lognormal(0.0, 1.0)), 2);
    assert_eq!(counted(|rng| _ = rng.dirichlet6()), 6);
    assert_eq!(counted(|rng| _ = rng.beta32()), 5);
    assert_eq!(counted(|rng| rng.advance(1000)), 1000);
    assert_eq!(counted(|rng| rng.fill_u32(&mut [0; 11])), 11);
}

#[test]
fn a_name_seeds_its_own_stream() {
    let world = Pcg32::named(7, "world");

    assert_eq!(world, Pcg32::named("7", "world"));
    assert_ne!(world, Pcg32::named("7/0", "world"));
    assert_ne!(world.inc(), Pcg32::named(7, "events").inc());
    assert_eq!(world.inc() & 1, 1);
}

#[test]
fn empty_ranges_do_not_panic() {
    let mut rng = fresh();

    assert_eq!(rng.randint_exclusive(5, 5), 5);
    assert_eq!(rng.randint_exclusive(5, -5), 5);
    assert_eq!(rng.randint_inclusive(5, 4), 5);
    assert_eq!(rng.randint_inclusive(i64::MIN, i64::MAX), i64::MIN);
    assert_eq!(rng.choice_weighted(&[]), None);
    assert_eq!(rng.choice_weighted(&[0.0, f64::NAN]), None);
    rng.shuffle::<u8>(&mut []);
}

#[test]
fn weights_steer_the_choice() {
    let mut rng = fresh();
    let mut counts = [0; 4];
    for _ in 0..10_000 {
        counts[rng.choice_weighted(&[0.0, 1.0, 3.0, 0.0]).expect("there are positive weights")] += 1;
    }

    assert_eq!((counts[0], counts[3]), (0, 0));
    assert!((2300..2700).contains(&counts[1]), "{counts:?}");
}

proptest! {
    #[test]
    fn the_generator_equals_rand_pcg(seed in any::<u64>(), stream in any::<u64>()) {
        let mut ours = Pcg32::from_seed(seed, stream);
        let mut theirs = rand_pcg::Pcg32::new(seed, stream);
        for _ in 0..50 {
            prop_assert_eq!(ours.next_u32(), theirs.next_u32());
        }
        ours.advance(123_456_789);
        theirs.advance(123_456_789);
        prop_assert_eq!(ours.next_u32(), theirs.next_u32());
    }

    #[test]
    fn jumping_equals_drawing(seed in any::<u64>(), n in 0_u64..3000) {
        let mut drawn = Pcg32::from_seed(seed, 54);
        let mut jumped = drawn.clone();
        let mut advanced = drawn.clone();
        for _ in 0..n {
            drawn.next_u32();
        }
        jumped.jump(&Jump::new(n));
        advanced.advance(n);
        prop_assert_eq!(&drawn, &jumped);
        prop_assert_eq!(&drawn, &advanced);
    }

    #[test]
    fn filling_equals_drawing(seed in any::<u64>(), n in 0_usize..40) {
        let mut drawn = Pcg32::from_seed(seed, 54);
        let mut filled = drawn.clone();
        let mut values = vec![0; n];
        filled.fill_u32(&mut values);
        prop_assert_eq!(values, (0..n).map(|_| drawn.next_u32()).collect::<Vec<_>>());
        prop_assert_eq!(drawn, filled);
    }

    #[test]
    fn batched_draws_equal_single_ones(seed in any::<u64>()) {
        let mut single = Pcg32::from_seed(seed, 54);
        let mut batched = single.clone();
        let normals = batched.standard_normals::<7>();
        prop_assert_eq!(normals, [(); 7].map(|()| single.normal(0.0, 1.0)));
        prop_assert_eq!(batched.exp_units::<5>(), [(); 5].map(|()| single.exp_unit()));
        prop_assert_eq!(single, batched);
    }

    #[test]
    fn integers_stay_in_their_range(seed in any::<u64>(), lo in -1000_i64..1000, span in 1_i64..5_000_000_000) {
        let mut rng = Pcg32::from_seed(seed, 54);
        let expected = lo + i64::from(rng.clone().next_u32()) % span;
        prop_assert_eq!(rng.randint_exclusive(lo, lo + span), expected);
        let hi = lo + (span - 1).min(u32::MAX.into());
        prop_assert!((lo..=hi).contains(&rng.randint_inclusive(lo, hi)));
    }

    #[test]
    fn shuffling_keeps_every_item(seed in any::<u64>(), mut items in prop::collection::vec(0_u8..20, 0..30)) {
        let mut sorted = items.clone();
        sorted.sort_unstable();
        Pcg32::from_seed(seed, 54).shuffle(&mut items);
        items.sort_unstable();
        prop_assert_eq!(items, sorted);
    }
}
