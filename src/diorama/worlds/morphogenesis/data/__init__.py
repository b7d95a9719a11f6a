"""Tasks and the data they learn from; nothing is ever downloaded or replaced by something else."""
