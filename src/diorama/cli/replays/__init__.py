"""`diorama replay`: lists, shows, verifies, continues and draws replays."""
