"""Capturing what the scripted controller does in scenes chosen for it, as material to learn from."""
