"""What people do beside the nightly run: decide, explain, review, export, approve, tune."""
