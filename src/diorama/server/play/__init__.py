"""People at play: sessions that live in this process and nowhere else."""
