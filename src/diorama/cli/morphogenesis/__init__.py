"""`diorama morphogenesis`: rounds without a learned policy, comparisons, and a look into recorded events."""
