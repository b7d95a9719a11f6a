"""Sections read by the services around a town: training, stability, telemetry, console and snapshots."""
