//! A copy whose step panics is out until it is reset; the others go on.

mod counters;

use std::panic;

use counters::{Arrays, Counter, FATAL};
use kernel::batch::{AnyBatch, Batch};

#[test]
fn a_copy_that_panicked_is_named_until_it_is_reset_and_the_others_go_on() {
    let mut batch = Batch::new(Counter { steps: 0 }, 3, 1, 1, b"{}").expect("one thread needs no pool");
    let mut arrays = Arrays::new(3);
    batch.reset(&[0, 1, 2], None, arrays.rows()).expect("the copies exist");

    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let failed = batch.step(&[0, FATAL, 0], arrays.rows());
    panic::set_hook(hook);
    let after = batch.step(&[0, 0, 0], arrays.rows());

    assert!(failed.is_err_and(|error| error.to_string().starts_with("C900 copy 1 ")));
    assert!(after.is_err_and(|error| error.to_string().starts_with("C900 copy 1 ")));
    assert_eq!([batch.state_words(0), batch.state_words(2)], [vec![2], vec![2]]);

    batch.reset(&[1], None, arrays.rows()).expect("the copy exists");

    assert_eq!(batch.step(&[0, 0, 0], arrays.rows()), Ok(()));
    assert_eq!(batch.state_words(1), vec![1]);
}
