"""What factions agree upon, think of and do to each other."""
