"""The caches of the application, as the table in `engine/caches.py`."""

from __future__ import annotations

from engine.caches import Caches, Row

CACHES = Caches(
    Row("programs in addresses", "program", 16),
    Row("reference page", "none", 1),
    Row("front page", "none", 1),
    Row("page for teachers", "none", 1),
    Row("places of neurons", "layer sizes", 64),
    Row("shades of an output", "palette, threshold, flat", 8),
    Row("colours of classes", "outputs of a cell, palette, flat", 65_536),
    Row("looks of elements", "role, page or file", among="roles"),
    Row("maps of features", "feature", among="features"),
    Row("thumbnails", "data set", among="data sets"),
    Row("centres of cells", "bounds, cells, inputs, outputs", 16),
    Row("points of a curve", "bounds, outputs", 16),
    Row("pages of operations", "operation and view, place", 256),
    Row("curves of operations", "operation and view", 512),
    Row("lines of operations", "operation and view, curve", 512),
    Row("recorded special points", "none", 1),
    Row("file of special points", "none", 1),
    Row("held inputs", "op, input", 256),
    Row("limits of requests", "none", 1),
    Row("hash of the sources", "none", 1),
    Row("first fingerprint", "none", 1),
    Row("views of lessons", "lesson", among="lessons"),
    Row("lessons", "none", 1),
    Row("drawings of lessons", "drawing", among="drawings"),
    Row("words of the editor", "none", 1),
    Row("forward cards", "op, exponent", 256),
    Row("formula cards", "op, exponent", 256),
    Row("backward cards", "op, exponent", 256),
    Row("parts of cards", "template", 512),
    Row("rules of operations", "op, exponent", 512),
    Row("tags of names", "name", 4_096),
    Row("script of offline files", "folder of assets", 2),
    Row("styles of offline files", "folder of assets", 2),
    Row("headers of cards", "width, height, radius", 64),
    Row("escaped texts", "text", 4_096),
    Row("fitted texts", "text, room, font size", 4_096),
    Row("inline styles", "classes, role", 4_096),
    Row("grids of arrays", "shape", 512),
    Row("programs", "text", 64, size=500_000, unit="characters"),
    Row("traces", "text, leaves, scene", 64, size=60_000, unit="nodes and frames"),
    Row("traces of exercises", "text, leaves, scene", 64, size=60_000, unit="nodes and frames"),
    Row("layouts", "graph without numbers, direction", 128, size=60_000, unit="boxes and edges"),
    Row("failed layouts", "as for layouts", 128, size=60_000, unit="boxes and edges"),
    Row("answers", "method, address, body, encoding", 4_096, unit="`SEEGRAD_ANSWERS_KEPT` bytes"),
    Row(
        "training runs",
        "settings, changes",
        among="`SEEGRAD_TRAIN_KEPT`; `SEEGRAD_TRAIN_KEPT_BYTES` bytes",
    ),
)
"""The caches of the application; the training runs are kept by `app.train.runs.TrainingRuns`."""
cached, store = CACHES.cached, CACHES.store
