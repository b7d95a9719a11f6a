"""What training reports while it runs: typed events, the hub that hands them on, and the sinks that write them."""
