"""`diorama scoreboard`: everyone of a world on the same seeds."""
