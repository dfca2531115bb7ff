"""What a judge says of summaries, and how far it agrees with labels: pure, without an engine."""
