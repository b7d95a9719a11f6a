"""Replays: recorded frame by frame, read by page, simulated again to prove them, continued, drawn."""
