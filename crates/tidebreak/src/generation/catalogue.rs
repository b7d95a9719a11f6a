//! The content a generated battle is built from: every class as a unit that a package says nothing else about.

use std::sync::Arc;

use crate::records::{ResolvedSignature, ResolvedUnit, ResolvedWeapon};

/// Classes that scenarios draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the content")]
pub enum ShipClass {
    Skimmer,
    Cutter,
    Corvette,
    Frigate,
    Dreadnought,
    Carrier,
    Arcology,
    AttackSub,
    AssaultTransport,
    Freighter,
}

const DRAWN: [ShipClass; 10] = [
    ShipClass::Skimmer,
    ShipClass::Cutter,
    ShipClass::Corvette,
    ShipClass::Frigate,
    ShipClass::Dreadnought,
    ShipClass::Carrier,
    ShipClass::Arcology,
    ShipClass::AttackSub,
    ShipClass::AssaultTransport,
    ShipClass::Freighter,
];

impl ShipClass {
    /// Name in the content.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skimmer => "skimmer",
            Self::Cutter => "cutter",
            Self::Corvette => "corvette",
            Self::Frigate => "frigate",
            Self::Dreadnought => "dreadnought",
            Self::Carrier => "carrier",
            Self::Arcology => "arcology",
            Self::AttackSub => "attack_sub",
            Self::AssaultTransport => "assault_transport",
            Self::Freighter => "freighter",
        }
    }
}

/// The content as it is handed over, once per batch.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ContentTables {
    /// SHA-256 of the tables.
    pub content_hash: String,
    /// The whole weapon table, index = code.
    pub weapons: Vec<ResolvedWeapon>,
    /// How a decoy shows.
    pub decoy_signature: ResolvedSignature,
    /// How a mine shows.
    pub mine_signature: ResolvedSignature,
    /// A unit of every class at the origin, undamaged and without objective.
    pub classes: Vec<ResolvedUnit>,
}

/// The content with the drawn classes at hand.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// As handed over.
    pub tables: Arc<ContentTables>,
    places: [usize; DRAWN.len()],
}

impl Catalogue {
    /// Looks the drawn classes up.
    ///
    /// # Errors
    /// When the content lacks one of them.
    pub fn new(tables: ContentTables) -> Result<Self, String> {
        let mut places = [0; DRAWN.len()];
        for class in DRAWN {
            let name = class.name();
            let place = tables.classes.iter().position(|unit| unit.hull.class_name == name);
            places[class as usize] = place.ok_or_else(|| format!("the content has no class '{name}'"))?;
        }
        Ok(Self { tables: Arc::new(tables), places })
    }

    /// The class as a unit.
    #[must_use]
    pub fn unit(&self, class: ShipClass) -> &ResolvedUnit {
        &self.tables.classes[self.places[class as usize]]
    }
}
