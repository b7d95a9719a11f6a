"""Imitation learning: recording, datasets, behavior cloning, validation, annealing, offline updates."""
