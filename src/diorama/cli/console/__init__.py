"""Commands for live worlds, given from a terminal."""
