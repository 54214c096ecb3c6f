"""The pictures of training that the server draws: for pages without scripts, slides and print.

Pure functions of a run's plain data (`app.train_state`): its setup and its state at a step.
"""

from app.train_boundary import boundary_png
from app.train_chart import loss_svg
from app.train_network import network_svg

__all__ = ["boundary_png", "loss_svg", "network_svg"]
