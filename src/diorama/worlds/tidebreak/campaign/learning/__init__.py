"""The campaign as a learning problem: order templates with a mask, and an observation of fixed size."""
