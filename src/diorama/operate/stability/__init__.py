"""Watches a live world for what should worry its operators."""
