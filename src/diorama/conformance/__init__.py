"""The conformance kit: what a world must hold to, tried out on the world itself. `diorama check-world` runs it."""
