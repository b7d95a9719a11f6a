"""Steps two tiers of a world side by side and compares everything they show; works for any registered world."""
