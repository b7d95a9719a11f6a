"""What operators see of a run: events in, immutable pictures out."""
