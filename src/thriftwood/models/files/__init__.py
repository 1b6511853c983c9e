"""Saved models: JSON with a version and a SHA-256 of its content, checked entry by entry when it is read."""
