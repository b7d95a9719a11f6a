//! What plugins ask for, as records; resolvers carry them out.
//!
//! A record's `source` is the entity that asks; its `plugin` is known to the list it is put into. `cause` is the id of
//! the event that led to it, 0 for none.

#![expect(missing_docs, reason = "what a field's name does not say is told with its record")]

use morphospace::Effect;

use crate::sensing::senses::Senses;
use crate::systems::collisions::Disc;
use crate::systems::seekers::PreyList;

/// Codes of the plugins; among outputs of one entity they give the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Plugin {
    Weather = 10,
    Controller = 20,
    PointDefence = 21,
    Helm = 30,
    Guidance = 31,
    DamageControl = 40,
    Hazard = 41,
    Transition = 42,
    Boarding = 43,
    Squadron = 44,
    Morale = 45,
    Fuel = 46,
    Stamps = 50,
    Sensor = 60,
    Link = 61,
    Objective = 70,
    Reward = 71,
}

/// What a MODIFY names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// `hull.hp`.
    HullHp,
    /// `hull.systems`, by `system`.
    HullSystem(usize),
    /// `hull.ceilings`, by `system`.
    HullCeiling(usize),
    /// `hull.fire`.
    HullFire,
    /// `hull.flood`.
    HullFlood,
    /// `stores.fuel`.
    StoresFuel,
}

impl Place {
    /// Whether it is a field of Hull.
    #[must_use]
    pub const fn is_of_hull(self) -> bool {
        !matches!(self, Self::StoresFuel)
    }
}

/// Payload of LAYER_ORDER.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerDirection {
    Down = -1,
    Up = 1,
    PopUp = 2,
}

/// Throttle -0.4 to 1 (negative is astern), rudder -1 to 1 (positive turns left).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SetHelm {
    pub source: i64,
    pub throttle: f64,
    pub rudder: f64,
}

/// Change of posture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SetEmissions {
    pub source: i64,
    pub code: i64,
}

/// Change of what damage control works on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SetFocus {
    pub source: i64,
    pub code: i64,
}

/// Make a held track the one that orders without a target mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Designate {
    pub source: i64,
    pub track_id: i64,
}

/// Order to change depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerOrder {
    pub source: i64,
    pub direction: LayerDirection,
}

/// Order to fire a group at a track; `track_id` 0 means none is designated.
///
/// Point defense emits it with group AUTOMATIC, the slot as `track_id` and the munition or squadron as `target`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FireGroup {
    pub source: i64,
    pub group: i64,
    pub track_id: i64,
    pub target: i64,
}

/// Order to launch a decoy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaunchDecoy {
    pub source: i64,
}

/// Order to go on with scuttling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scuttle {
    pub source: i64,
}

/// Order to board a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Board {
    pub source: i64,
    pub target: i64,
}

/// Harm on its way to a unit; written as `Damage { ignores_armour: true, ..Damage::new(..) }`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damage {
    /// Unit that is credited with it; the target itself when nobody is.
    pub source: i64,
    /// Unit that takes it.
    pub target: i64,
    /// Before armor.
    pub amount: f64,
    /// Decides how much armor helps and what a critical hit does.
    pub r#type: i64,
    /// World bearing from which it came, as seen from the target.
    pub direction: f64,
    /// As collisions, weather and burning do.
    pub ignores_armour: bool,
    /// Burning and flooding only eat hit points.
    pub can_crit: bool,
    /// May destroy an XL hull.
    pub city_killer: bool,
    /// Whether it also counts as `hazard_damage`, in tally and scratch.
    pub is_hazard: bool,
    /// Event id of the HIT, COLLISION or whatever led to it.
    pub cause: i64,
}

impl Damage {
    /// Plain damage that armor weakens and that may break something.
    #[must_use]
    pub const fn new(source: i64, target: i64, amount: f64, damage_type: i64, direction: f64) -> Self {
        Self {
            source,
            target,
            amount,
            r#type: damage_type,
            direction,
            ignores_armour: false,
            can_crit: true,
            city_killer: false,
            is_hazard: false,
            cause: 0,
        }
    }
}

/// Add `delta` to a field of a component of the target, within the field's range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modify {
    pub source: i64,
    pub target: i64,
    pub place: Place,
    pub delta: f64,
    pub cause: i64,
}

/// What the sea does to a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exposure {
    Zone = 0,
    Sea = 1,
    Abyss = 2,
    Lightning = 3,
}

/// A unit suffers from its surroundings; `amount` is damage before transit makes it worse, 0 for lightning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exposed {
    pub source: i64,
    pub exposure: Exposure,
    pub amount: f64,
}

/// Stamps of an effect for the FIELDS phase of this tick; any phase may emit it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StampField {
    pub source: i64,
    pub effect: Effect,
    pub at: [f64; 2],
}

/// What a torpedo or missile has decided from the state at the start of the substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steer {
    pub source: i64,
    pub lock_id: i64,
    pub heading: f64,
    pub is_searching: bool,
}

/// New values of the source's Objective component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectiveUpdate {
    pub source: i64,
    pub status: i64,
    pub time_on: i64,
    pub value_a: f64,
    pub value_b: f64,
    pub value_c: f64,
    pub progress: f64,
}

/// Where an output stands among others of its kind: by source entity, then plugin code, then sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    source: i64,
    plugin: Plugin,
    sequence: u32,
}

/// Outputs of one kind with their ranks.
pub type Ranked<T> = Vec<(Rank, T)>;

/// Anything that can be emitted.
pub trait Output: Copy {
    /// Id of the entity that asks.
    fn source(&self) -> i64;

    /// The list that holds this kind.
    fn list(outputs: &mut Outputs) -> &mut Ranked<Self>;
}

macro_rules! kinds_of_output {
    ($($list:ident: $kind:ident),* $(,)?) => {
        /// Outputs of one phase (of one substep in SUBSTEP).
        ///
        /// Plugins get an `Emitter`; resolvers take the kinds they own and may `emit` for resolvers that come after
        /// them. The lists keep their memory from phase to phase.
        #[derive(Clone, Debug, Default)]
        pub struct Outputs {
            sequence: u32,
            /// What observers share in one SENSE phase.
            pub senses: Senses,
            /// What everything in flight shares in one substep.
            pub prey: PreyList,
            /// What the search for touching hulls works on.
            pub discs: Vec<Disc>,
            /// Where hulls were before the substep, by place.
            pub places_before: Vec<[f64; 2]>,
            $($list: Ranked<$kind>,)*
        }

        impl Outputs {
            /// Begins a phase.
            pub fn clear(&mut self) {
                self.sequence = 0;
                $(self.$list.clear();)*
            }
        }

        $(impl Output for $kind {
            #[inline]
            fn source(&self) -> i64 {
                self.source
            }

            #[inline]
            fn list(outputs: &mut Outputs) -> &mut Ranked<Self> {
                &mut outputs.$list
            }
        })*
    };
}

kinds_of_output! {
    helms: SetHelm,
    emissions: SetEmissions,
    foci: SetFocus,
    designations: Designate,
    layer_orders: LayerOrder,
    fire_groups: FireGroup,
    decoys: LaunchDecoy,
    scuttlings: Scuttle,
    boardings: Board,
    damages: Damage,
    modifications: Modify,
    exposures: Exposed,
    stamps: StampField,
    steers: Steer,
    objectives: ObjectiveUpdate,
}

impl Outputs {
    /// Adds an output.
    #[inline]
    pub fn emit<T: Output>(&mut self, plugin: Plugin, output: T) {
        let rank = Rank { source: output.source(), plugin, sequence: self.sequence };
        self.sequence += 1;
        T::list(self).push((rank, output));
    }

    /// What plugins emit through.
    #[inline]
    pub fn emitter(&mut self, plugin: Plugin) -> Emitter<'_> {
        Emitter { outputs: self, plugin }
    }

    /// Takes the outputs of a kind so far out, in their order; `put_back` them when they have been carried out.
    #[inline]
    pub fn take<T: Output>(&mut self) -> Ranked<T> {
        let mut taken = std::mem::take(T::list(self));
        if !taken.is_sorted_by_key(|(rank, _)| *rank) {
            taken.sort_unstable_by_key(|(rank, _)| *rank);
        }
        taken
    }

    /// Gives outputs back, for resolvers that take the same kind later in the phase and for the sake of their memory.
    #[inline]
    pub fn put_back<T: Output>(&mut self, mut taken: Ranked<T>) {
        let list = T::list(self);
        taken.append(list);
        *list = taken;
    }
}

/// Adds outputs for one plugin.
#[derive(Debug)]
pub struct Emitter<'a> {
    outputs: &'a mut Outputs,
    plugin: Plugin,
}

impl Emitter<'_> {
    /// Adds an output.
    #[inline]
    pub fn emit<T: Output>(&mut self, output: T) {
        self.outputs.emit(self.plugin, output);
    }
}
