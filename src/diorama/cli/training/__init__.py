"""`diorama train`: its options, and how it trains a run."""
