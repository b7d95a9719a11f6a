//! The linear recurrence h[t] = a[t]·h[t−1] + b[t] over the columns of a time-major array.

/// Writes every h; `first` is h[−1]. All arrays but `first` are steps × columns.
///
/// # Errors
/// When the arrays do not fit together.
pub fn linear_scan(a: &[f32], b: &[f32], first: &[f32], h: &mut [f32]) -> Result<(), String> {
    check(a, b, first, h)?;
    let columns = first.len();
    let mut last = first.to_vec();
    for ((a, b), h) in a.chunks_exact(columns).zip(b.chunks_exact(columns)).zip(h.chunks_exact_mut(columns)) {
        for (((last, a), b), h) in last.iter_mut().zip(a).zip(b).zip(h) {
            *last = a * *last + b;
            *h = *last;
        }
    }
    Ok(())
}

/// Writes g[t] = of_h[t] + a[t+1]·g[t+1], the gradient with respect to every b, and into `of_first` a[0]·g[0].
///
/// The gradient with respect to a[t] is g[t]·h[t−1].
///
/// # Errors
/// When the arrays do not fit together.
pub fn linear_scan_backward(a: &[f32], of_h: &[f32], of_first: &mut [f32], g: &mut [f32]) -> Result<(), String> {
    check(a, of_h, of_first, g)?;
    let columns = of_first.len();
    of_first.fill(0.0);
    let steps = a.chunks_exact(columns).zip(of_h.chunks_exact(columns)).zip(g.chunks_exact_mut(columns));
    for ((a, of_h), g) in steps.rev() {
        for (((carried, a), of_h), g) in of_first.iter_mut().zip(a).zip(of_h).zip(g) {
            *g = of_h + *carried;
            *carried = a * *g;
        }
    }
    Ok(())
}

fn check(a: &[f32], b: &[f32], first: &[f32], h: &[f32]) -> Result<(), String> {
    if first.is_empty() || !a.len().is_multiple_of(first.len()) || b.len() != a.len() || h.len() != a.len() {
        let (a, b, h, columns) = (a.len(), b.len(), h.len(), first.len());
        return Err(format!("arrays of {a}, {b} and {h} entries are no steps of {columns} columns"));
    }
    Ok(())
}
