"""The training pipeline beside a GPU: slices step while the device decides for others."""
