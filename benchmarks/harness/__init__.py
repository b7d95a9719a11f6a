"""What the measuring scripts share: reports and gates, servers to measure, replays to read, memory and rates."""
