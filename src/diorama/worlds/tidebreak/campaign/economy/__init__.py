"""What hubs make, use, keep, send and trade."""
