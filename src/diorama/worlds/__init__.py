"""The worlds: one package each, all with the same inside; none imports another."""
