//! State words, their hash, and the snapshot frame.

use kernel::snapshot::{SnapshotError, pack, unpack};
use kernel::state_hash::{StateHasher, WordReader, WordWriter, byte_words, hash_words};
use proptest::prelude::*;

const MAGIC: [u8; 4] = *b"TEST";
const HEADER: &[u8] = br#"{"a":1}"#;

#[test]
fn the_hash_gives_the_spec_s_vectors() {
    assert_eq!(hash_words(&[]), 0xe220a8397b1dcdaf);
    assert_eq!(hash_words(&[0]), 0x82dcc1b0075ae6e7);
    assert_eq!(hash_words(&[1, 2, 3]), 0xedc30c39b750c5b1);
}

#[test]
fn written_words_read_back() {
    let mut writer = WordWriter::new();
    writer.unsigned(u64::MAX);
    writer.unsigneds(&[1_u8, 2]);
    writer.signed(-1_i32);
    writer.signeds(&[-2_i64]);
    writer.float(-0.0);
    writer.floats(&[1.5, -2.5, 3.5]);
    writer.bytes(b"nine byte");
    let words = writer.into_words();
    let mut reader = WordReader::new(&words);

    assert_eq!(words[5], 0, "negative zero is written as zero");
    assert_eq!(reader.unsigned(), Ok(u64::MAX));
    assert_eq!((reader.unsigned(), reader.unsigned()), (Ok(1), Ok(2)));
    assert_eq!((reader.signed(), reader.signed()), (Ok(-1), Ok(-2)));
    assert_eq!((reader.float(), reader.floats()), (Ok(0.0), Ok([1.5, -2.5, 3.5])));
    assert_eq!(reader.finish(), Err(SnapshotError::WordsLeftOver { left: 2, total: 11 }));
    assert_eq!(reader.bytes(9), Ok(b"nine byte".to_vec()));
    assert_eq!(reader.finish(), Ok(()));
    assert_eq!(reader.float(), Err(SnapshotError::WordsRunOut { wanted: 1, position: 11, left: 0 }));
}

#[test]
fn foreign_snapshots_are_refused_with_a_reason() {
    let data = pack(MAGIC, 3, HEADER, &[1, 2]);
    let longer = [data.as_slice(), b"!"].concat();
    let mut damaged = data.clone();
    damaged[24] ^= 1;
    let reason = |data: &[u8], magic, version| unpack(data, magic, version).expect_err("refused").to_string();

    assert_eq!(reason(&data, *b"OTHR", 3), "the snapshot begins with 'TEST'; this world's begin with 'OTHR'");
    assert_eq!(reason(&data, MAGIC, 4), "the snapshot has version 3; version 4 can be restored here");
    assert_eq!(reason(&data[..5], MAGIC, 3), "the snapshot has 5 bytes; the opening alone takes 10");
    assert_eq!(reason(&data[..40], MAGIC, 3), "the snapshot is cut short: 40 bytes of 45");
    assert_eq!(reason(&longer, MAGIC, 3), "the snapshot has 1 bytes too many: 46 instead of 45");
    assert!(reason(&damaged, MAGIC, 3).starts_with("the snapshot is corrupted: its contents hash to "));
}

#[test]
fn every_damaged_byte_and_every_cut_is_noticed() {
    let data = pack(MAGIC, 3, HEADER, &[1, 2]);

    for position in 0..data.len() {
        let mut damaged = data.clone();
        damaged[position] ^= 0x10;
        assert!(unpack(&damaged, MAGIC, 3).is_err(), "byte {position} was changed");
        assert!(unpack(&data[..position], MAGIC, 3).is_err(), "cut at byte {position}");
    }
}

proptest! {
    #[test]
    fn a_packed_snapshot_unpacks(header in any::<Vec<u8>>(), words in any::<Vec<u64>>(), version in any::<u16>()) {
        let data = pack(MAGIC, version, &header, &words);
        prop_assert_eq!(unpack(&data, MAGIC, version), Ok((header, words)));
    }

    #[test]
    fn arbitrary_bytes_never_panic(data in any::<Vec<u8>>()) {
        let framed = [MAGIC.as_slice(), &[3, 0], &data].concat();
        prop_assert!(unpack(&framed, MAGIC, 3).is_err());
    }

    #[test]
    fn hashing_in_pieces_equals_hashing_at_once(words in any::<Vec<u64>>(), cut in any::<prop::sample::Index>()) {
        let (first, second) = words.split_at(cut.index(words.len() + 1));
        let mut hasher = StateHasher::new();
        hasher.update(first);
        hasher.update(second);
        prop_assert_eq!(hasher.finish(), hash_words(&words));
    }

    #[test]
    fn bytes_pack_little_endian(bytes in any::<Vec<u8>>()) {
        let unpacked: Vec<u8> = byte_words(&bytes).iter().flat_map(|word| word.to_le_bytes()).collect();
        prop_assert_eq!(unpacked.len(), bytes.len().div_ceil(8) * 8);
        prop_assert_eq!(&unpacked[..bytes.len()], &bytes[..]);
        prop_assert!(unpacked[bytes.len()..].iter().all(|&byte| byte == 0));
    }
}
