"""Parts of the measurement of training on a GPU; each runs in a process of its own."""
