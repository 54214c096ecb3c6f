"""What programs find in place of libraries, in plain Python, and the built-in classes."""
