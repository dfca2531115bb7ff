"""A lane: leased documents through one engine, and what becomes of each."""
