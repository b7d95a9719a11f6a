"""Sections read by the services around a town: training and stability."""
