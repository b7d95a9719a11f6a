//! How dynamic fields spread, drift and fade.

mod sea;

use kernel::numerics::exp;
use morphospace::constants::{
    DYNAMIC_RULES, FIRST_DYNAMIC, GRID_CELLS, N_BRICKS, N_DYNAMIC, NOISE, OCCUPANCY, SEDIMENT, SMOKE, SONAR_RETURN,
    TEMPERATURE,
};
use morphospace::{FieldSpace, Op, Settings};
use sea::{cells, dab, everything, fill, opened, words};

#[test]
fn a_closed_box_keeps_its_mass_without_decay() {
    let mut space = opened(&Settings { decay: [0.0; N_DYNAMIC], ..Settings::default() });
    space.set_static(OCCUPANCY, 0, &sea::walls_around(56, 16)).expect("walls");
    dab(&mut space, 1, [100.0, -80.0], 400.0, (SEDIMENT, Op::Set, 1.0));
    dab(&mut space, 1, [-200.0, 90.0], 300.0, (SMOKE, Op::Add, 0.7));
    let mass = |space: &FieldSpace, field| cells(space, field, 0).iter().map(|&cell| f64::from(cell)).sum::<f64>();
    let before = [SEDIMENT, SMOKE].map(|field| mass(&space, field));

    for _ in 0..200 {
        space.propagate([0.0, 0.0]).expect("no wind");
    }

    for (field, before) in [SEDIMENT, SMOKE].into_iter().zip(before) {
        assert!(before > 10.0);
        assert!((mass(&space, field) - before).abs() <= 1e-5 * before, "field {field}");
    }
}

#[test]
fn what_does_not_spread_decays_by_its_factor_exactly() {
    let mut space = opened(&Settings::default());
    dab(&mut space, 2, [10.0, 10.0], 300.0, (SONAR_RETURN, Op::Set, 0.9));
    let before = cells(&space, SONAR_RETURN, 1);

    space.propagate([7.0, 0.0]).expect("a wind");

    let keep = exp(-DYNAMIC_RULES[SONAR_RETURN - FIRST_DYNAMIC].decay * 2.0) as f32;
    let after = cells(&space, SONAR_RETURN, 1);
    assert!(before.iter().any(|&cell| cell > 0.5));
    assert_eq!(after, before.iter().map(|cell| cell * keep).collect::<Vec<_>>());
}

#[test]
fn a_turned_stamp_set_gives_turned_fields() {
    let stamps = [
        ([310.0, -75.0], 250.0, TEMPERATURE, 35.0),
        ([-900.0, 420.0], 400.0, NOISE, 60.0),
        ([33.0, 7.0], 90.0, SMOKE, 0.8),
    ];
    let (mut straight, mut turned) = (opened(&Settings::default()), opened(&Settings::default()));
    for (at, radius_m, field, value) in stamps {
        dab(&mut straight, 1, at, radius_m, (field, Op::Add, value));
        dab(&mut turned, 1, [-at[1], at[0]], radius_m, (field, Op::Add, value));
    }

    for _ in 0..25 {
        straight.propagate([0.0, 0.0]).expect("no wind");
        turned.propagate([0.0, 0.0]).expect("no wind");
    }

    for field in [TEMPERATURE, NOISE, SMOKE] {
        let (before, after) = (cells(&straight, field, 0), cells(&turned, field, 0));
        for (place, value) in before.iter().enumerate() {
            let (x, y) = (place % GRID_CELLS, place / GRID_CELLS);
            assert_eq!(*value, after[x * GRID_CELLS + (GRID_CELLS - 1 - y)]);
        }
    }
}

#[test]
fn smoke_drifts_downwind_and_heat_does_not() {
    let mut space = opened(&Settings::default());
    dab(&mut space, 1, [0.0, 0.0], 400.0, (SMOKE, Op::Set, 1.0));
    dab(&mut space, 1, [0.0, 0.0], 400.0, (TEMPERATURE, Op::Add, 40.0));
    let center = |space: &FieldSpace, field, default: f32| {
        let grid = cells(space, field, 0);
        let weights = grid.iter().map(|&cell| f64::from(cell - default));
        let moment: f64 = weights.clone().enumerate().map(|(place, weight)| (place % GRID_CELLS) as f64 * weight).sum();
        moment / weights.sum::<f64>()
    };
    let (smoke, heat) = (center(&space, SMOKE, 0.0), center(&space, TEMPERATURE, 18.0));

    for _ in 0..10 {
        space.propagate([12.0, 0.0]).expect("a wind");
    }

    assert!(center(&space, SMOKE, 0.0) > smoke + 1.0);
    assert!((center(&space, TEMPERATURE, 18.0) - heat).abs() < 0.01);
}

#[test]
fn closed_cells_stay_at_their_defaults_and_nothing_passes_them() {
    let mut space = opened(&Settings { max_bricks: N_BRICKS, ..Settings::default() });
    space.set_static(OCCUPANCY, 0, &sea::walls_around(60, 8)).expect("walls");

    let stamped = fill(&mut space, 1, [-4000.0, -4000.0, 4000.0, 4000.0], (NOISE, Op::Set, 100.0));
    for _ in 0..20 {
        space.propagate([0.0, 0.0]).expect("no wind");
    }

    assert_eq!(stamped, 64);
    let outside = cells(&space, NOISE, 0).into_iter().zip(sea::walls_around(60, 8));
    assert!(outside.filter(|(_, wall)| *wall > 0.5).all(|(cell, _)| cell == 0.0));
}

#[test]
fn a_quiet_brick_is_freed_after_two_steps_and_not_before() {
    let mut space = opened(&Settings::default());
    dab(&mut space, 4, [32.0, 32.0], 10.0, (SONAR_RETURN, Op::Set, 0.005));
    assert_eq!(space.brick_count(), 1);

    let counts: Vec<usize> = (0..2)
        .map(|_| {
            space.propagate([0.0, 0.0]).expect("no wind");
            space.brick_count()
        })
        .collect();

    assert_eq!(counts, [1, 0]);
    assert!(everything(&space)[2 * N_DYNAMIC + 5].iter().all(|&cell| cell == 0.0));
}

#[test]
fn an_edge_that_stands_out_asks_for_the_neighbor() {
    let mut space = opened(&Settings::default());
    // The middle of the easternmost column of the brick whose southwest corner is the origin.
    fill(&mut space, 1, [449.0, 193.0, 511.0, 319.0], (TEMPERATURE, Op::Set, 400.0));
    let before: Vec<usize> = space.brick_keys().collect();

    space.propagate([0.0, 0.0]).expect("no wind");

    assert_eq!(before, [192]);
    assert_eq!(space.brick_keys().collect::<Vec<_>>(), [192, 193]);
}

#[test]
fn what_finds_no_room_is_refused_in_order_and_remembered() {
    let mut space = opened(&Settings { max_bricks: 2, ..Settings::default() });

    let stamped = fill(&mut space, 1, [-512.0, -512.0, 511.0, 511.0], (NOISE, Op::Set, 90.0));

    assert_eq!(stamped, 128);
    assert!(space.is_saturated());
    // Row by row from the southwest, the two bricks of the southern row come first.
    assert_eq!(space.brick_keys().collect::<Vec<_>>(), [63, 106]);
    space.propagate([0.0, 0.0]).expect("no wind");
    assert_eq!(space.brick_count(), 2);
    space.reset();
    assert!(!space.is_saturated());
}

#[test]
fn nothing_happens_in_a_space_that_is_switched_off() {
    let mut space = opened(&Settings { is_dynamic: false, ..Settings::default() });
    let before = words(&space);

    assert_eq!(dab(&mut space, 7, [0.0, 0.0], 900.0, (NOISE, Op::Set, 90.0)), 0);
    assert_eq!(space.propagate([1.0, 1.0]), Ok(0));

    assert_eq!(words(&space), before);
    assert!(!space.is_saturated());
}

#[test]
fn a_step_costs_at_most_six_times_sixty_four_cells_a_brick() {
    let mut space = opened(&Settings::default());
    dab(&mut space, 3, [0.0, 0.0], 2000.0, (NOISE, Op::Max, 30.0));
    let bricks = space.brick_count();

    let updates = space.propagate([3.0, 3.0]).expect("a wind");

    assert!(updates > 0 && updates <= bricks * 6 * 64);
}
