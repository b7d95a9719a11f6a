"""How a belt comes to be: nodes, then edges, then asteroids, then the market, drawn in exactly that order."""
