"""The web application of Gradlens: FastAPI, Jinja2 and Graphviz around the engine."""
