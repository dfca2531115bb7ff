"""Entry points of the containers."""
