//! What a town was set up with: shared by all towns of a batch, and read by every system.

use crate::config::SimulationConfig;
use crate::tables::town_tables::TownTables;

/// The tables and the configuration of a town.
#[derive(Debug)]
pub struct Setup {
    /// What the town file and the affordance manifest came to.
    pub tables: TownTables,
    /// The configuration.
    pub config: SimulationConfig,
}
