"""What the benchmark of gameboy is made of."""
