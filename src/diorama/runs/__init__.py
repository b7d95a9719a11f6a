"""The run directory: windows, metadata, checkpoints, replays, and a catalogue that can be deleted at any time."""
