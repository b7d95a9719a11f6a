"""The engines that train and measure hosts, and the world that is played on them."""
