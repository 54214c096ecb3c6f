"""Pictures in a notebook: the graph of an object, or a recording, below its cell."""
