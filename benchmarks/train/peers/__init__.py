"""The contestants, one module each: `start(task)` gives a Training at the task's first step."""
