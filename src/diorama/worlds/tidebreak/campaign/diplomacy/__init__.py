"""What factions strive for, agree upon, think of and do to each other."""
