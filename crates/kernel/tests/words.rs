//! Records as words: what is written is read back, and what cannot be is refused.

use kernel::snapshot::SnapshotError;
use kernel::state_hash::{WordReader, WordWriter};
use kernel::word_records;
use kernel::words::Words;

#[derive(Clone, Debug, Default, PartialEq)]
struct Part {
    number: i64,
    is_there: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Whole {
    parts: Vec<Part>,
    pair: [i64; 2],
    measures: [f64; 2],
    scratch: i64,
}

word_records! {
    Part { number, is_there }
    Whole { parts, pair, measures: counted } [scratch]
}

fn words_of(whole: &Whole) -> Vec<u64> {
    let mut words = WordWriter::new();
    whole.write(&mut words);
    words.into_words()
}

#[test]
fn a_record_is_its_fields_in_order_with_a_count_before_lists() {
    let parts = vec![Part { number: -3, is_there: true }, Part { number: 4, is_there: false }];
    let whole = Whole { parts, pair: [5, 6], measures: [0.5, -0.0], scratch: 9 };

    let words = words_of(&whole);

    assert_eq!(words, [2, -3_i64 as u64, 1, 4, 0, 5, 6, 2, 0.5_f64.to_bits(), 0]);
    let mut reader = WordReader::new(&words);
    assert_eq!(Whole::read(&mut reader), Ok(Whole { scratch: 0, measures: [0.5, 0.0], ..whole }));
    assert_eq!(reader.finish(), Ok(()));
}

#[test]
fn lists_that_cannot_be_are_refused() {
    let mut words = words_of(&Whole::default());
    assert_eq!(words, [0, 0, 0, 2, 0, 0]);
    words[3] = 3;
    let refused = Whole::read(&mut WordReader::new(&words));
    assert_eq!(refused, Err(SnapshotError::Invalid("a list has 3 entries; it must have 2".to_owned())));

    for count in [-1_i64 as u64, 1 << 21] {
        words[0] = count;
        assert!(matches!(Whole::read(&mut WordReader::new(&words)), Err(SnapshotError::Invalid(_))));
    }
}
