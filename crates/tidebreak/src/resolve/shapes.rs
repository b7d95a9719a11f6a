//! Shapes in absolute coordinates.

use crate::records::ResolvedShape;

/// Whether a point lies in a shape, its edge included.
#[inline]
#[must_use]
pub fn contains(shape: &ResolvedShape, x: f64, y: f64) -> bool {
    let Some(&[mut ax, mut ay]) = shape.vertices.last() else {
        let dx = x - shape.x;
        let dy = y - shape.y;
        return dx * dx + dy * dy <= shape.radius_m * shape.radius_m;
    };
    for &[bx, by] in &shape.vertices {
        if (bx - ax) * (y - ay) - (by - ay) * (x - ax) < 0.0 {
            return false;
        }
        (ax, ay) = (bx, by);
    }
    true
}
