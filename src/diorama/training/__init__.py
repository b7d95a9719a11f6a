"""A training run from its settings to its closing score: learning, run directory and telemetry."""
