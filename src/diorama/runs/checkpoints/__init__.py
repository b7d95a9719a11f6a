"""Checkpoints: policies as tensors and plain values, and beside the newest one what only a resume needs."""
