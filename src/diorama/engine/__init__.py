"""Batches of worlds: making, stepping, auto-reset, snapshots, and adapters to other ecosystems."""
