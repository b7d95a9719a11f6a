"""Ways between places, and the weather over them."""
