"""The language of programs: source text in, a run out. Never calls eval, exec or compile."""
