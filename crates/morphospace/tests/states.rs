//! What holds in every state, however it was reached, and how states are stored.

mod sea;

use kernel::snapshot::SnapshotError;
use morphospace::constants::{DYNAMIC_RULES, N_DYNAMIC, NOISE, OCCUPANCY};
use morphospace::{Effect, FieldSpace, Mod, Op, Settings, Shape, Stamp};
use proptest::prelude::*;
use sea::{dab, everything, opened, words};

#[derive(Clone, Debug)]
enum Deed {
    Stamp { layers: usize, shape: Shape, mods: Vec<(usize, usize, f64, f64)>, has_falloff: bool },
    Effect(Effect, [f64; 2]),
    Propagate([f64; 2]),
}

fn any_place() -> impl Strategy<Value = [f64; 2]> {
    prop::array::uniform2(-4500.0..4500.0)
}

fn any_shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        (any_place(), 1.0..900.0).prop_map(|(center, radius_m)| Shape::Circle { center, radius_m }),
        (any_place(), prop::array::uniform2(0.0..900.0))
            .prop_map(|(min, size)| Shape::Box { min, max: [min[0] + size[0], min[1] + size[1]] }),
        (any_place(), any_place(), 1.0..200.0).prop_map(|(from, to, radius_m)| Shape::Capsule { from, to, radius_m }),
    ]
}

fn any_deed() -> impl Strategy<Value = Deed> {
    let mods = prop::collection::vec((5_usize..11, 0_usize..7, -100.0..100.0, 0.0..=1.0), 1..4);
    prop_oneof![
        (1_usize..8, any_shape(), mods, any::<bool>()).prop_map(|(layers, shape, mods, has_falloff)| Deed::Stamp {
            layers,
            shape,
            mods,
            has_falloff
        }),
        (any_place(), 0.2..2.0).prop_map(|(at, intensity)| Deed::Effect(Effect::ExplosionSurface { intensity }, at)),
        any_place().prop_map(|at| Deed::Effect(Effect::ExplosionUnderwater, at)),
        (any_place(), 0_usize..3).prop_map(|(at, layer)| Deed::Effect(Effect::SonarPing { layer }, at)),
        prop::array::uniform2(-30.0..30.0).prop_map(Deed::Propagate),
        prop::array::uniform2(-30.0..30.0).prop_map(Deed::Propagate),
    ]
}

fn perform(space: &mut FieldSpace, deed: &Deed) {
    match deed {
        Deed::Stamp { layers, shape, mods, has_falloff } => {
            let mods: Vec<Mod> = mods
                .iter()
                .map(|&(field, op, value, factor)| {
                    Mod::new(field, Op::from_code(op, factor).expect("an op"), value).expect("a mod")
                })
                .collect();
            space.stamp(&Stamp::new(*layers, *shape, &mods, *has_falloff).expect("a stamp"));
        }
        Deed::Effect(effect, at) => {
            space.stamp_effect(*effect, *at).expect("an effect");
        }
        Deed::Propagate(wind) => {
            space.propagate(*wind).expect("a wind");
        }
    }
}

fn walled(max_bricks: usize) -> FieldSpace {
    let mut space = opened(&Settings { max_bricks, ..Settings::default() });
    space.set_static(OCCUPANCY, 0, &sea::walls_around(40, 30)).expect("walls");
    space
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn cells_stay_in_range_and_bricks_within_their_number(
        deeds in prop::collection::vec(any_deed(), 1..40), max_bricks in prop_oneof![Just(0_usize), Just(5), Just(192)]
    ) {
        let mut space = walled(max_bricks);
        for deed in &deeds {
            perform(&mut space, deed);

            prop_assert!(space.brick_count() <= max_bricks);
            prop_assert_eq!(space.brick_count(), space.brick_keys().count());
        }
        for (place, grid) in everything(&space).iter().enumerate() {
            let rule = DYNAMIC_RULES[place % N_DYNAMIC];
            prop_assert!(grid.iter().all(|cell| (rule.low..=rule.high).contains(cell) && !(*cell == 0.0 && cell.is_sign_negative())));
        }
    }

    #[test]
    fn a_restored_space_goes_on_like_the_original(
        before in prop::collection::vec(any_deed(), 0..25), after in prop::collection::vec(any_deed(), 0..15),
        max_bricks in prop_oneof![Just(5_usize), Just(192)]
    ) {
        let mut original = walled(max_bricks);
        before.iter().for_each(|deed| perform(&mut original, deed));
        let mut restored = walled(max_bricks);
        dab(&mut restored, 7, [0.0, 0.0], 500.0, (NOISE, Op::Set, 50.0));
        restored.restore(&words(&original)).expect("words of the same space");

        for deed in &after {
            perform(&mut original, deed);
            perform(&mut restored, deed);
        }

        original.refresh();
        restored.refresh();
        prop_assert_eq!(words(&original), words(&restored));
        prop_assert_eq!(original.is_saturated(), restored.is_saturated());
        prop_assert_eq!(original.summary(0, 0, 0, 0), restored.summary(0, 0, 0, 0));
    }

    #[test]
    fn refreshing_now_and_then_gives_what_refreshing_at_the_end_gives(deeds in prop::collection::vec(any_deed(), 1..30)) {
        let (mut often, mut once) = (walled(192), walled(192));
        for deed in &deeds {
            perform(&mut often, deed);
            often.refresh();
            perform(&mut once, deed);
        }
        once.refresh();

        for depth in 0..=4 {
            for (ix, iy) in (0..1 << depth).flat_map(|iy| (0..1 << depth).map(move |ix| (ix, iy))) {
                prop_assert_eq!(often.summary(depth, ix, iy, 0), once.summary(depth, ix, iy, 0));
            }
        }
    }
}

#[test]
fn words_hold_parity_count_and_bricks_in_key_order() {
    let mut space = opened(&Settings::default());
    dab(&mut space, 2, [-288.0, -288.0], 1.0, (NOISE, Op::Set, 64.0));
    space.propagate([0.0, 0.0]).expect("no wind");

    let words = words(&space);

    assert_eq!(&words[..4], [1, 1, 256 + 63, 0]);
    assert_eq!(words.len(), 2 + 2 + 6 * 32);
    assert_eq!(words[4], u64::from(10_f32.to_bits()) << 32 | u64::from(10_f32.to_bits()));
}

#[test]
fn words_of_no_space_are_refused_and_nothing_changes() {
    let mut space = walled(4);
    dab(&mut space, 2, [0.0, 0.0], 100.0, (NOISE, Op::Set, 64.0));
    let good = words(&space);
    let spoiled: [(usize, u64, &str); 5] = [
        (0, 4, "swap parity"),
        (1, 5, "brick count"),
        (2, 768, "brick key"),
        (3, 2, "dormant count"),
        (4, u64::from(f32::NAN.to_bits()), "has a cell of NaN"),
    ];

    for (place, word, expected) in spoiled {
        let mut bad = good.clone();
        bad[place] = word;
        let error = space.restore(&bad).expect_err("spoiled words");
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert!(matches!(space.restore(&good[..good.len() - 1]), Err(SnapshotError::WordsRunOut { .. })));
    let longer: Vec<u64> = good.iter().copied().chain([0]).collect();
    assert!(matches!(space.restore(&longer), Err(SnapshotError::WordsLeftOver { .. })));
    assert_eq!(words(&space), good);
}
