"""Console commands, executed inside the town: what scenarios and operators do to it."""
