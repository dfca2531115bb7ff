"""The cards: locks, memory, heat, and which model fits where."""
