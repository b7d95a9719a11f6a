//! What motion promises wherever a hull, a torpedo or a storm may be.

use kernel::numerics::{PI, TWO_PI, hyp, sincos, wrap};
use proptest::prelude::*;
use tidebreak::components::Storm;
use tidebreak::records::ResolvedShape;
use tidebreak::resolve::shapes::contains;
use tidebreak::systems::obstacles::{closest_boundary_point, find_contact};
use tidebreak::systems::steering::{advance, path_distance, steer};
use tidebreak::systems::weather::storm_strength;

const SIDE_M: f64 = 32_768.0;

fn anywhere() -> impl Strategy<Value = f64> {
    -SIDE_M..SIDE_M
}

/// Convex and counter-clockwise: points on a circle, which may well not hold its center.
fn any_polygon() -> impl Strategy<Value = ResolvedShape> {
    let gaps = prop::collection::vec(0.2..1.0_f64, 3..=16);
    (anywhere(), anywhere(), 5.0..900.0_f64, 0.0..TWO_PI, gaps).prop_map(|(x, y, radius_m, start, gaps)| {
        let turn = TWO_PI / gaps.iter().sum::<f64>();
        let angles = gaps.iter().scan(start, |angle, gap| {
            *angle += gap * turn;
            Some(*angle)
        });
        let vertices = angles.map(|angle| {
            let (sine, cosine) = sincos(angle);
            [x + radius_m * cosine, y + radius_m * sine]
        });
        ResolvedShape { x, y, radius_m, vertices: vertices.collect() }
    })
}

fn any_circle() -> impl Strategy<Value = ResolvedShape> {
    (anywhere(), anywhere(), 5.0..900.0_f64).prop_map(|(x, y, radius_m)| ResolvedShape {
        x,
        y,
        radius_m,
        vertices: Vec::new(),
    })
}

/// A shape and a disc somewhere around its rim, where contacts begin and end.
fn any_meeting() -> impl Strategy<Value = (ResolvedShape, f64, f64, f64)> {
    let shape = prop_oneof![any_polygon(), any_circle()];
    (shape, 0.0..TWO_PI, 0.0..1.2_f64, 5.0..400.0_f64).prop_map(|(shape, angle, share, radius_m)| {
        let (x, y) = advance(shape.x, shape.y, angle, share * (shape.radius_m + radius_m));
        (shape, x, y, radius_m)
    })
}

/// Distance to the shape, 0 inside it.
fn gap_m(shape: &ResolvedShape, x: f64, y: f64) -> f64 {
    if contains(shape, x, y) {
        return 0.0;
    }
    if shape.vertices.is_empty() {
        return hyp(x - shape.x, y - shape.y) - shape.radius_m;
    }
    let [px, py] = closest_boundary_point(shape, x, y);
    hyp(x - px, y - py)
}

proptest! {
    #[test]
    fn a_disc_touches_a_shape_just_when_it_is_nearer_than_its_radius((shape, x, y, radius_m) in any_meeting()) {
        let gap = gap_m(&shape, x, y);
        prop_assume!((gap - radius_m).abs() > 1e-6);

        prop_assert_eq!(find_contact(&shape, x, y, radius_m).is_some(), gap < radius_m);
    }

    #[test]
    fn a_disc_that_is_pushed_out_lies_against_the_shape((shape, x, y, radius_m) in any_meeting()) {
        if let Some(contact) = find_contact(&shape, x, y, radius_m) {
            let (x, y) = (x + contact.nx * contact.depth_m, y + contact.ny * contact.depth_m);

            prop_assert!((gap_m(&shape, x, y) - radius_m).abs() < 1e-6);
        }
    }

    #[test]
    fn steering_turns_toward_the_goal_and_no_further_than_it_may(
        heading in 0.0..TWO_PI, desired in -PI..PI, turn_max in 0.0..1.0_f64,
    ) {
        let turned = steer(heading, desired, turn_max);

        prop_assert!((0.0..TWO_PI).contains(&turned));
        prop_assert!(wrap(turned - heading).abs() <= turn_max + 1e-9);
        let (before, after) = (wrap(desired - heading).abs(), wrap(desired - turned).abs());
        prop_assert!(after <= (before - turn_max).max(0.0) + 1e-9);
    }

    #[test]
    fn a_path_passes_as_near_as_its_nearest_point(
        start in (anywhere(), anywhere()), end in (anywhere(), anywhere()), point in (anywhere(), anywhere()),
    ) {
        let nearest = path_distance(start, end, point);

        for step in 0..=64 {
            let share = f64::from(step) / 64.0;
            let (x, y) = (start.0 + share * (end.0 - start.0), start.1 + share * (end.1 - start.1));
            prop_assert!(nearest <= hyp(point.0 - x, point.1 - y) + 1e-6);
        }
    }

    #[test]
    fn no_storm_is_stronger_than_its_intensity(
        x in anywhere(), y in anywhere(), radius in 100.0..9_000.0_f64, intensity in 0.0..=1.0_f64, profile in 0..3_i64,
    ) {
        let storm = Storm { x: 0.0, y: 0.0, vx: 0.0, vy: 0.0, radius, intensity, profile, ends_at_tick: 0 };
        let strength = storm_strength(&storm, x, y);

        prop_assert!((0.0..=intensity).contains(&strength));
        prop_assert!(hyp(x, y) <= radius || strength == 0.0, "it is felt beyond its radius");
    }
}
