"""Learning from demonstrations: recording, datasets, cloning, judging, annealing."""
