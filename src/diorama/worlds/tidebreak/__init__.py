"""Tidebreak: naval combat over three depth layers, with a campaign around it."""
