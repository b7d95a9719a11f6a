"""Self-play: matches, ratings, matchmaking and a league of past policies."""
