"""Faces of a batch for other ecosystems, derived from the world's contract and never written per world."""
