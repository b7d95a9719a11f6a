"""A training run from its settings to its closing score: learning, the run directory and telemetry in one place."""
