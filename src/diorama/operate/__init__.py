"""Running things for people: training runs from start to end, live worlds, consoles."""
