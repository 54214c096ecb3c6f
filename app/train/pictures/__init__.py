"""Pictures of training rendered by the server, for pages without scripts, slides and print.

Pure functions of a run's plain data (`app.train.state`): its setup and its state at a step.
"""

from app.train.pictures.boundary import boundary_png
from app.train.pictures.chart import loss_svg, penalties
from app.train.pictures.network import network_svg

__all__ = ["boundary_png", "loss_svg", "network_svg", "penalties"]
