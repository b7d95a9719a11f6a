"""Training on a GPU: copies step while the GPU decides for others, and what repeats is recorded and played back."""
