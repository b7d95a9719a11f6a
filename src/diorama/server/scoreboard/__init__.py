"""Scoreboards: what is known of every player, and a process that lets those play who have not."""
