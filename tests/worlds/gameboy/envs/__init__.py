"""What makes consoles an environment."""
