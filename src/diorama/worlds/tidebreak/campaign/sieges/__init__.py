"""How hubs fall, and what becomes of them."""
