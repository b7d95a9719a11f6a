"""Demo data for a root without runs, made on this machine in a process of its own."""
