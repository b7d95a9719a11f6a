"""Live worlds, and the snapshots they leave."""
