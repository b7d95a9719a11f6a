"""Telemetry that is off unless it is asked for: why the network changed, where time went, what memory is left."""
