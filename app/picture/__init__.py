"""Pictures of a trace: which boxes, where they lie, what a frame shows of them. No HTTP."""
