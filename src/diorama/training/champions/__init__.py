"""Champions: built from a run, and checked against their world and their card."""
