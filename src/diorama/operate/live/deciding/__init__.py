"""Who decides in a live world: its own controller, a scripted bot, or a learned policy."""
