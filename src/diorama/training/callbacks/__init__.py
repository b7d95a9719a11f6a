"""What a run adds to its trainer: windows, checkpoints, replays, curriculum, self-play, anneal, rounds."""
