"""Demonstrations on disk: one file per episode, a manifest with checksums, and an index of versions."""
