//! A world with strict heads takes no option that it does not have.

mod counters;

use counters::{Arrays, Counter};
use kernel::batch::{AnyBatch, Batch, StepError};

#[test]
fn an_option_that_does_not_exist_is_refused_before_any_copy_is_stepped() {
    let mut batch = Batch::new(Counter { steps: 0 }, 2, 1, 1, b"{}").expect("one thread needs no pool");
    let mut arrays = Arrays::new(2);
    batch.reset(&[0, 1], None, arrays.rows()).expect("the copies exist");

    for option in [2, -1, i32::MIN, i32::MAX] {
        let refused = batch.step(&[0, option], arrays.rows());

        let reason = format!("C002 row 1: fate is {option}; it must be 0 to 1");
        assert_eq!(refused, Err(StepError::UnknownOption(reason)));
    }
    assert_eq!([batch.state_words(0), batch.state_words(1)], [vec![0], vec![0]]);
}
