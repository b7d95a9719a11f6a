"""Verification: two backends in lockstep, what is compared, and the evidence of a mismatch."""
