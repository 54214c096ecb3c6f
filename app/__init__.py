"""The web application of Seegrad: FastAPI, Jinja2 and Graphviz around the engine."""
