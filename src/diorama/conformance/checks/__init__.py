"""One file per promise."""
