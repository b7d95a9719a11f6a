"""Policy networks, chosen by name, for the observations and actions of any world."""
