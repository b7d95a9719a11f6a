"""Whole rounds under a controller: what they add up to and what they tell at their end."""
