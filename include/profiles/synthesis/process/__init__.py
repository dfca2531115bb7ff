"""The engine process and its protocol: both ends of the pipe."""
