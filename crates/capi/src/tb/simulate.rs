//! A whole battle in one call.

use std::collections::BTreeMap;
use std::sync::Arc;

use ::tidebreak::arena::Arena;
use ::tidebreak::events::Keeping;
use ::tidebreak::orders::Controller;
use ::tidebreak::result::battle_result;
use ::tidebreak::scripts::controller_named;

use crate::pointers::slice;
use crate::tb::code::{Code, Failure};
use crate::tb::guard::code_of;
use crate::tb::memory::hand_out;
use crate::tb::template::read_battle;

const AUTO: &str = "script:auto";

/// Fights a resolved package to its end with its own seed, and hands out the result as JSON; free it with `tb_free`.
///
/// `controllers` is a JSON object from ship ids to controllers, or NULL; other ships follow `script:auto`.
///
/// # Safety
/// `package` is NULL or points to `package_size` bytes, `controllers` to `controllers_size`; the outputs are NULL or
/// have room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_simulate(
    package: *const u8,
    package_size: usize,
    controllers: *const u8,
    controllers_size: usize,
    data_out: *mut *mut u8,
    size_out: *mut usize,
) -> Code {
    code_of(|| {
        // SAFETY: the caller vouches for the bytes.
        let package = unsafe { slice(package, package_size) }?;
        // SAFETY: the caller vouches for the bytes.
        let named = if controllers.is_null() { b"{}" } else { unsafe { slice(controllers, controllers_size) }? };
        let result = simulate(package, named)?;
        // SAFETY: the caller vouches for the room.
        unsafe { hand_out(result.as_bytes(), data_out, size_out) }
    })
}

/// Fights a resolved package to its end.
///
/// # Errors
/// When the bytes are no package, or a controller is unknown or of nobody.
pub fn simulate(package: &[u8], controllers: &[u8]) -> Result<String, Failure> {
    let battle = read_battle(package)?;
    let named: BTreeMap<String, String> = serde_json::from_slice(controllers)
        .map_err(|error| Failure::new(Code::BadConfig, format!("controllers are no object of names: {error}")))?;
    if let Some(ship_id) = named.keys().find(|name| !battle.units.iter().any(|unit| unit.ship_id == **name)) {
        return Err(Failure::new(Code::BadConfig, format!("there is no ship '{ship_id}'")));
    }
    let name_of = |ship_id: &str| named.get(ship_id).map_or(AUTO, String::as_str);
    let controllers = battle.units.iter().map(|unit| controller_named(name_of(&unit.ship_id)));
    let controllers: Vec<Controller> =
        controllers.collect::<Result<_, String>>().map_err(|reason| Failure::of_core(&reason, Code::BadConfig))?;
    let seed = battle.seed;
    let mut arena = Arena::new(Arc::new(battle), controllers, seed, Keeping::Nothing)
        .map_err(|reason| Failure::of_core(&reason, Code::BadPackage))?;
    while !arena.battle().outcome.is_over() {
        arena.step();
    }
    let result = battle_result(arena.battle()).map_err(|reason| Failure::new(Code::NotOver, reason))?;
    Ok(result.to_string())
}
