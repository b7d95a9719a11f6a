//! What happened in a step: a bit per event, and plain payloads that are read only where their bit is set.

use crate::market::PerCommodity;
use crate::tables::EVENT_NAMES;

/// Events by bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Event {
    InvalidAction = 0,
    Travel = 1,
    EmergencyBurn = 2,
    Scan = 3,
    ThreatListen = 4,
    Select = 5,
    Mine = 6,
    Fracture = 7,
    AsteroidDepleted = 8,
    Stabilize = 9,
    Refine = 10,
    Cooldown = 11,
    Repair = 12,
    Jettison = 13,
    Dock = 14,
    Sell = 15,
    Buy = 16,
    Overhaul = 17,
    PirateEncounter = 18,
    OverheatTick = 19,
    CashOut = 20,
    Destroyed = 21,
    Stranded = 22,
    Terminated = 23,
    Truncated = 24,
}

impl Event {
    #[inline]
    pub const fn bit(self) -> u32 {
        1 << self as u8
    }
}

/// What reduced the hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    EdgeHazard,
    NodeHazard,
    Pirate,
    Fracture,
    Overheat,
}

/// How an asteroid is scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScanMode {
    Wide,
    Focused,
    Deep,
}

/// How an asteroid is mined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MineMode {
    Conservative,
    Standard,
    Aggressive,
}

/// What a repair kit was spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repaired {
    Tool,
    Hull,
}

/// What the station sells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Fuel,
    RepairKit,
    Stabilizer,
    Decoy,
}

/// Payload of the effective action's own event.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed {
    Plain,
    Travel { from: u8, to: u8, slot: u8, fuel: f64 },
    Scan { mode: ScanMode, asteroids: u8 },
    Select { asteroid: u8 },
    Mine { mode: MineMode, asteroid: u8, units: PerCommodity, total: f64 },
    Stabilize { asteroid: u8 },
    Refine { input: f64, output: f64 },
    Repair { what: Repaired, amount: f64 },
    Jettison { commodity: u8, units: f64 },
    Sell { commodity: u8, units: f64, price: f64, slippage: f64, revenue: f64 },
    Buy { item: Item, quantity: f64, cost: f64 },
    Overhaul { cost: f64 },
}

/// What pirates took in one step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Toll {
    pub count: u8,
    pub loss_frac: f64,
    pub value_lost: f64,
    pub hull: f64,
    pub decoy_used: u8,
}

/// Everything that happened in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Happenings {
    pub bits: u32,
    pub deed: Deed,
    /// Last thing that reduced the hull.
    pub cause: Cause,
    /// Hull lost to a fracture.
    pub fracture_hull: f64,
    pub overheat_overflow: f64,
    pub overheat_hull: f64,
    pub toll: Toll,
}

impl Happenings {
    pub const NOTHING: Self = Self {
        bits: 0,
        deed: Deed::Plain,
        cause: Cause::NodeHazard,
        fracture_hull: 0.0,
        overheat_overflow: 0.0,
        overheat_hull: 0.0,
        toll: Toll { count: 0, loss_frac: 0.0, value_lost: 0.0, hull: 0.0, decoy_used: 0 },
    };

    /// Forgets the last step.
    #[inline]
    pub fn clear(&mut self) {
        self.bits = 0;
        self.deed = Deed::Plain;
    }

    #[inline]
    pub fn note(&mut self, event: Event) {
        self.bits |= event.bit();
    }

    #[inline]
    pub fn has(&self, event: Event) -> bool {
        self.bits & event.bit() != 0
    }

    /// Adds an encounter with pirates to those of the same step.
    pub fn add_encounter(&mut self, loss_frac: f64, value_lost: f64, hull: f64, decoy_used: bool) {
        if !self.has(Event::PirateEncounter) {
            self.note(Event::PirateEncounter);
            self.toll = Toll::default();
        }
        self.toll.count += 1;
        self.toll.loss_frac += loss_frac;
        self.toll.value_lost += value_lost;
        self.toll.hull += hull;
        self.toll.decoy_used += u8::from(decoy_used);
    }
}

/// Names of the events in an event word, in bit order.
#[must_use]
pub fn events_of(bits: u64) -> Vec<&'static str> {
    EVENT_NAMES.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, &name)| name).collect()
}
