//! Which changes of configuration a batch refuses before any copy has changed.

mod counters;

use counters::{Arrays, Counter};
use kernel::batch::{AnyBatch, Batch, NewConfig};

fn batch(copies: usize) -> Batch<Counter> {
    Batch::new(Counter { steps: 0 }, copies, 1, 1, b"{}").expect("one thread needs no pool")
}

#[test]
fn copies_are_named_once_in_order_and_exist() {
    let (mut batch, other, mut arrays) = (batch(3), batch(1), Arrays::new(3));
    let mut refusal = |copies: &[usize]| {
        let changes: Vec<_> = copies.iter().map(|&copy| NewConfig { copy, prototype: &other, seed: 1 }).collect();
        batch.reconfigure(&changes, arrays.rows()).expect_err("refused")
    };

    assert_eq!(refusal(&[2, 1]), "copy 1 is named after copy 2; name each once, in order");
    assert_eq!(refusal(&[1, 1]), "copy 1 is named after copy 1; name each once, in order");
    assert_eq!(refusal(&[3]), "there is no copy 3 in a batch of 3");
}

#[test]
fn a_batch_without_copies_has_no_configuration_to_give() {
    let (mut batch, mut other, mut arrays) = (batch(2), batch(1), Arrays::new(2));
    other.split(&[1]).expect("the sizes add up");

    let refused = batch.reconfigure(&[NewConfig { copy: 0, prototype: &other, seed: 1 }], arrays.rows());

    assert!(refused.expect_err("refused").contains("at least one copy"));
}

#[test]
fn a_world_whose_copies_have_one_configuration_says_so() {
    let (mut batch, other, mut arrays) = (batch(2), batch(1), Arrays::new(2));

    let refused = batch.reconfigure(&[NewConfig { copy: 0, prototype: &other, seed: 1 }], arrays.rows());

    assert_eq!(refused, Err("all copies of this world have one configuration".to_owned()));
}
