"""What factions want and do when nobody plays them."""
