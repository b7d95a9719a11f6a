//! Snapshots and state hashes, through the C functions.

mod handles;

use std::ptr::{null, null_mut};

use diorama_capi::snapshot_calls::{abp_core_restore, abp_core_snapshot, abp_core_state_hash};
use diorama_capi::status::Status;
use handles::{World, config_of};
use prospector::tables::act;

const OUTING: [i32; 9] = [0, 8, 12, 9, 10, 28, 28, 29, 33];

fn played(seed: u64) -> World {
    let mut world = World::new(seed);
    for action in OUTING {
        world.step(action);
    }
    world
}

#[test]
fn a_restored_world_continues_exactly() {
    let mut world = played(42);
    let data = world.snapshot();
    let mut other = World::new(7);

    assert_eq!(other.restore(&data), Status::Ok);

    assert_eq!(
        (other.state_hash(), other.observe(), other.mask()),
        (world.state_hash(), world.observe(), world.mask())
    );
    for action in [6, 0, 42, 45, 61, 68] {
        assert_eq!(other.step(action), world.step(action));
    }
    assert_eq!(other.snapshot(), world.snapshot());
}

#[test]
fn a_finished_episode_stays_finished() {
    let mut world = World::new(1);
    world.step(i32::from(act::CASH_OUT_END_EPISODE));
    let mut other = World::new(2);

    assert_eq!(other.restore(&world.snapshot()), Status::Ok);

    assert_eq!(other.try_step(6).0, Status::EpisodeOver);
}

#[test]
fn bytes_that_are_no_snapshot_are_refused_and_change_nothing() {
    let data = played(42).snapshot();
    let mut world = World::new(7);
    let before = world.snapshot();

    for length in [0, 3, 9, data.len() / 2, data.len() - 1] {
        assert_eq!(world.restore(&data[..length]), Status::BadSnapshot, "{length} bytes");
    }
    for place in (0..data.len()).step_by(97) {
        let mut damaged = data.clone();
        damaged[place] ^= 0x40;
        assert_eq!(world.restore(&damaged), Status::BadSnapshot, "byte {place}");
    }
    assert_eq!(world.restore(&[data.as_slice(), &[0]].concat()), Status::BadSnapshot);
    assert_eq!(world.snapshot(), before);
}

#[test]
fn a_snapshot_of_another_configuration_is_refused() {
    let mut other = World::create(&config_of(500.0), 42).expect("the configuration is valid");

    assert_eq!(other.restore(&played(42).snapshot()), Status::OtherConfig);
}

#[test]
fn a_buffer_that_is_too_small_is_left_alone_and_told_the_size() {
    let world = played(1);
    let full = world.snapshot();
    let mut buffer = vec![7_u8; full.len() - 1];
    let mut size = 0;

    // SAFETY: the handle is live and the buffer has the capacity that is named.
    let status = unsafe { abp_core_snapshot(world.0, buffer.as_mut_ptr(), buffer.len(), &mut size) };

    assert_eq!((status, size), (Status::BufferTooSmall, full.len()));
    assert!(buffer.iter().all(|&byte| byte == 7));
}

#[test]
fn null_is_answered_with_a_status_everywhere() {
    let world = World::new(1);
    let (mut size, mut hash) = (0, 0);

    // SAFETY: every pointer is NULL or to a live value of its type.
    let statuses = unsafe {
        [
            abp_core_snapshot(null(), null_mut(), 0, &mut size),
            abp_core_snapshot(world.0, null_mut(), 0, null_mut()),
            abp_core_restore(null_mut(), [0_u8].as_ptr(), 1),
            abp_core_restore(world.0, null(), 0),
            abp_core_state_hash(null(), &mut hash),
            abp_core_state_hash(world.0, null_mut()),
        ]
    };

    assert_eq!(statuses, [Status::NullPointer; 6]);
}
