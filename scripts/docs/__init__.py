"""Generators of files from the code: pages of the documentation, surfaces of pinned engines."""
