"""The price and the profit of growing: families and modes of the reward."""
