"""Who decides how a host grows, and what they get to see."""
