"""Scoreboard: scripts, the champion, runs and people on the same seeds of a world, with results kept in files."""
