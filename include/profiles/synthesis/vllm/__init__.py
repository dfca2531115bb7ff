"""vLLM: its arguments and its engine."""
