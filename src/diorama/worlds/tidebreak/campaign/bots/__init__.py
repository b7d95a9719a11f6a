"""What is decided for factions that nobody plays."""
