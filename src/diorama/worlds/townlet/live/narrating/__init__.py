"""What of a town's life is worth a sentence."""
