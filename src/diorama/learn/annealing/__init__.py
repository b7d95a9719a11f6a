"""Handing decisions over from a scripted controller to a policy: what a stage came to, and what it raises."""
