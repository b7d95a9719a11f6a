//! What can go wrong in a step, and the one thing that is looked for beforehand.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use crate::simulation::Head;

/// Why a batch was not stepped, or not to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepError {
    /// A decision names an option that a strict world does not have; nothing was stepped.
    UnknownOption(String),
    /// Anything else: buffers that do not fit, a copy that failed.
    Failed(String),
}

impl Display for StepError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let (Self::UnknownOption(reason) | Self::Failed(reason)) = self;
        formatter.write_str(reason)
    }
}

impl Error for StepError {}

/// Says which row names an option that does not exist, if one does.
pub(super) fn check_options(actions: &[i32], heads: &[Head]) -> Result<(), String> {
    if heads.is_empty() {
        return Ok(());
    }
    for (row, decision) in actions.chunks_exact(heads.len()).enumerate() {
        for (head, &option) in heads.iter().zip(decision) {
            // Read without a sign, negative options are too large.
            if option as u32 >= head.options {
                let Head { name, options } = head;
                return Err(format!("C002 row {row}: {name} is {option}; it must be 0 to {}", options - 1));
            }
        }
    }
    Ok(())
}
