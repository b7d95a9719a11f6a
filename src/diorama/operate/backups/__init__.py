"""Backups of live worlds and of runs: made while they are written, verified by hashes, restored whole or not at all."""
