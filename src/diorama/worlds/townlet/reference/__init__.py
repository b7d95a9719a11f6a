"""The readable tier: the town as its specification tells it, one mechanism per file."""
