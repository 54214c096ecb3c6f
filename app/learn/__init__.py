"""Learn: the course. Lessons are Markdown files whose steps are states of Explore and Train."""
