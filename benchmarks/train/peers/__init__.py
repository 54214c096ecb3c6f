"""The contestants, one module each: `start(task)` returns a Training at its first step."""
