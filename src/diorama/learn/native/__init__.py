"""Small policies in compiled code, on the weights torch holds: what they decide, and the gradient of their loss."""
