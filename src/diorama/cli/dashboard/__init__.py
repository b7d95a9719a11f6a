"""A dashboard in the terminal, for live worlds and for runs in training."""
