"""Manual operations beside the nightly run: decide, explain, review, export, approve, tune."""
