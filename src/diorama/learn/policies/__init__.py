"""Policies by name: plain torch modules over the observation of any world."""
