"""What the town ships with: its map, what can be done in it, jobs, personalities, perturbations and names."""
