"""Gathering what is learned from: who decides for which rows, and where what they see and do is kept."""
