//! Battles in arrays of the caller's, and memory that is handed out, through the C functions of `tidebreak`.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use diorama_capi::tb::batch::TbBatch;
use diorama_capi::tb::batch_calls::{
    TbArray, tb_batch_add_template, tb_batch_destroy, tb_batch_new, tb_batch_register, tb_batch_reset, tb_batch_step,
};
use diorama_capi::tb::buffers::{Form, KINDS, Sizes, TB_ALIGNMENT, kind};
use diorama_capi::tb::code::Code;
use diorama_capi::tb::config::TbConfig;
use diorama_capi::tb::environment_calls::{
    tb_batch_events, tb_batch_hash, tb_batch_restore, tb_batch_result, tb_batch_snapshot,
};
use diorama_capi::tb::fieldspace_calls::{
    TbMod, tb_fieldspace_destroy, tb_fieldspace_grid, tb_fieldspace_hash, tb_fieldspace_new, tb_fieldspace_propagate,
    tb_fieldspace_restore, tb_fieldspace_snapshot, tb_fieldspace_stamp_circle,
};
use morphospace::constants::SMOKE;
use tidebreak::contract::NOOPS;
use tidebreak::layout::OBS_WIDTH;

const ENVS: usize = 3;
/// A battle that a released version has resolved.
const PACKAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/upgrade/artifacts/0.1.0/battles/resolved.json");

unsafe extern "C" {
    fn tb_free(data: *mut c_void);
}

/// As much memory as an array is aligned to.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Block([u8; TB_ALIGNMENT]);

/// An array that belongs to the caller.
struct Array {
    blocks: Vec<Block>,
    form: Form,
}

impl Array {
    fn new(form: Form) -> Self {
        Self { blocks: vec![Block([0; TB_ALIGNMENT]); form.bytes().div_ceil(TB_ALIGNMENT)], form }
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: the blocks have room for the form, and every byte of them is set.
        unsafe { std::slice::from_raw_parts(self.blocks.as_ptr().cast(), self.form.bytes()) }
    }

    fn register(&mut self, batch: *mut TbBatch, kind: usize) -> Code {
        let shape: Vec<i64> = self.form.shape.iter().map(|&extent| extent as i64).collect();
        let array = TbArray {
            data: self.blocks.as_mut_ptr().cast(),
            shape: shape.as_ptr(),
            strides: null(),
            dtype: self.form.dtype as i32,
            ndim: shape.len() as i32,
            writable: 1,
            reserved: 0,
        };
        // SAFETY: the handle is live; the array is described as it is, and outlives the batch.
        unsafe { tb_batch_register(batch, kind as i32, &array) }
    }
}

/// A batch whose every buffer is the caller's.
struct Battles {
    batch: *mut TbBatch,
    arrays: Vec<Array>,
}

impl Battles {
    fn open(threads: u32) -> Self {
        let config = TbConfig { envs: ENVS as u32, threads, seed: 5, collect_events: 1, ..TbConfig::usual() };
        let package = std::fs::read(PACKAGE).expect("the battle is recorded");
        let (mut batch, mut id) = (null_mut(), -1);
        // SAFETY: the configuration names nothing, and the outputs have room.
        assert_eq!(unsafe { tb_batch_new(&config, &mut batch) }, Code::Ok);
        // SAFETY: the handle and the bytes are live, and the id has room.
        assert_eq!(unsafe { tb_batch_add_template(batch, package.as_ptr(), package.len(), &mut id) }, Code::Ok);
        let sizes = Sizes { envs: ENVS, agents: 1, obs: OBS_WIDTH };
        let mut arrays: Vec<Array> =
            (0..KINDS).map(|kind| Array::new(Form::of(kind, &sizes).expect("every kind has a form"))).collect();
        for (kind, array) in arrays.iter_mut().enumerate() {
            assert_eq!(array.register(batch, kind), Code::Ok, "kind {kind}");
        }
        let noops = NOOPS.map(i32::to_ne_bytes).as_flattened().repeat(ENVS);
        let actions = arrays[kind::ACTIONS].blocks.as_mut_ptr().cast::<u8>();
        // SAFETY: the array has as many decisions as there are environments with one seat each.
        unsafe { actions.copy_from_nonoverlapping(noops.as_ptr(), noops.len()) };
        // SAFETY: the handle is live; without mask and seeds nothing is read.
        assert_eq!(unsafe { tb_batch_reset(batch, null(), null()) }, Code::Ok);
        Self { batch, arrays }
    }

    fn step(&mut self, ticks: i32) {
        // SAFETY: the handle is live, and so are all arrays.
        assert_eq!(unsafe { tb_batch_step(self.batch, ticks) }, Code::Ok);
    }

    fn seen(&self) -> Vec<Vec<u8>> {
        self.arrays.iter().map(|array| array.bytes().to_vec()).collect()
    }

    fn hash(&self, env: usize) -> u64 {
        let mut hash = 0;
        // SAFETY: the handle is live, and the hash has room.
        assert_eq!(unsafe { tb_batch_hash(self.batch, env, &mut hash) }, Code::Ok);
        hash
    }
}

impl Drop for Battles {
    fn drop(&mut self) {
        // SAFETY: the handle came from `tb_batch_new` and is used no more.
        unsafe { tb_batch_destroy(self.batch) }
    }
}

/// Copies what a call hands out, and gives it back.
fn taken<T: Copy>(call: impl FnOnce(*mut *mut T, *mut usize) -> Code) -> Vec<T> {
    let (mut data, mut count) = (null_mut(), 0);
    assert_eq!(call(&mut data, &mut count), Code::Ok);
    // SAFETY: the call wrote where the values are and how many.
    let copied = unsafe { std::slice::from_raw_parts(data, count) }.to_vec();
    // SAFETY: the memory was handed out and is used no more.
    unsafe { tb_free(data.cast()) };
    copied
}

#[test]
fn arrays_of_the_caller_hold_the_same_for_any_number_of_threads() {
    let (mut alone, mut together) = (Battles::open(1), Battles::open(3));

    for _ in 0..4 {
        alone.step(5);
        together.step(5);
        assert!(alone.seen() == together.seen());
    }

    let hashes: Vec<u8> = (0..ENVS).flat_map(|env| alone.hash(env).to_ne_bytes()).collect();
    assert_eq!(alone.arrays[kind::STATE_HASH].bytes(), hashes);
    assert_eq!(alone.arrays[kind::TICK].bytes(), [20_i64; ENVS].map(i64::to_ne_bytes).as_flattened());
    assert_ne!(alone.hash(0), alone.hash(1));
}

#[test]
fn a_battle_goes_on_from_its_snapshot_in_the_same_arrays() {
    let mut battles = Battles::open(2);
    battles.step(5);
    // SAFETY: the handle is live, and the outputs have room.
    let saved: Vec<u8> = taken(|data, size| unsafe { tb_batch_snapshot(battles.batch, 1, data, size) });
    battles.step(5);
    let (seen, hash) = (battles.seen(), battles.hash(1));

    for env in 0..ENVS {
        // SAFETY: the handle and the bytes are live.
        let restored = unsafe { tb_batch_restore(battles.batch, env, saved.as_ptr(), saved.len()) };
        assert_eq!(restored, Code::Ok);
    }
    battles.step(5);

    assert_eq!([battles.hash(0), battles.hash(1), battles.hash(2)], [hash; ENVS]);
    let row = OBS_WIDTH * size_of::<f32>();
    assert_eq!(battles.seen()[kind::OBS][row..2 * row], seen[kind::OBS][row..2 * row]);
}

#[test]
fn what_is_handed_out_comes_back() {
    let mut battles = Battles::open(1);
    battles.step(20);
    let (mut data, mut size) = (null_mut(), 0);

    for env in 0..ENVS {
        // SAFETY: the handle is live, and the outputs have room.
        let events = taken(|data, count| unsafe { tb_batch_events(battles.batch, env, data, count) });
        assert!(events.iter().all(|event| event.tick <= 20 && event.reserved == 0));
        // SAFETY: as before.
        let unheard = taken(|data, count| unsafe { tb_batch_events(battles.batch, env, data, count) });
        assert_eq!(unheard, []);
    }
    // SAFETY: as before; nothing is handed out before a battle is over.
    assert_eq!(unsafe { tb_batch_result(battles.batch, 0, &mut data, &mut size) }, Code::NotOver);
    assert!(data.is_null());
    // SAFETY: nothing is allowed.
    unsafe { tb_free(null_mut()) };
}

#[test]
fn a_field_space_goes_on_from_its_words() {
    let mods = [TbMod { field: SMOKE as u32, op: 0, value: 0.5, factor: 1.0 }];
    let mut space = null_mut();
    let hash_of = |space| {
        let mut hash = 0;
        // SAFETY: the handle is live, and the hash has room.
        assert_eq!(unsafe { tb_fieldspace_hash(space, &mut hash) }, Code::Ok);
        hash
    };
    // SAFETY: four numbers, and room for a handle.
    assert_eq!(unsafe { tb_fieldspace_new(&[0.0, 0.0, 4000.0, 4000.0], &mut space) }, Code::Ok);
    let empty = hash_of(space);
    // SAFETY: the handle and the mods are live.
    let stamped = unsafe { tb_fieldspace_stamp_circle(space, 1, 2000.0, 2000.0, 600.0, mods.as_ptr(), mods.len(), 1) };
    assert_eq!(stamped, Code::Ok);
    // SAFETY: the handle is live, and the outputs have room.
    let words = taken(|data, count| unsafe { tb_fieldspace_snapshot(space, data, count) });
    let saved = hash_of(space);

    // SAFETY: the handle is live.
    assert_eq!(unsafe { tb_fieldspace_propagate(space, 1.0, 0.0) }, Code::Ok);
    let spread = hash_of(space);
    // SAFETY: the handle is live, and the outputs have room.
    let grid = taken(|data, count| unsafe { tb_fieldspace_grid(space, SMOKE as u32, 0, 0, data, count) });
    // SAFETY: the handle and the words are live.
    assert_eq!(unsafe { tb_fieldspace_restore(space, words.as_ptr(), words.len()) }, Code::Ok);

    assert_eq!(hash_of(space), saved);
    assert!(empty != saved && saved != spread);
    assert!(grid.iter().any(|&smoke| smoke > 0.0));
    // SAFETY: the handle came from `tb_fieldspace_new` and is used no more.
    unsafe { tb_fieldspace_destroy(space) };
}
