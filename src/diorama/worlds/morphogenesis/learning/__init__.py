"""What the world makes of the policy updates it is told about."""
