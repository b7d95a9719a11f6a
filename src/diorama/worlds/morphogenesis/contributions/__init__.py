"""What each seed is worth: coalitions of seeds, and what is derived from their accuracies."""
