"""What never changes while a town runs, compiled from its files: both tiers execute these tables."""
