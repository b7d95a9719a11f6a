"""Plays contenders on the same episode seeds, sums up what happened and judges it; needs no learning library."""
