"""Rollouts gathered by workers of a Ray cluster."""
