"""What exported notebooks print, each executed from first to last cell by a kernel of its own."""

from __future__ import annotations

import nbclient
import nbformat

from tests.oracles import programs

LIBRARY = f"{programs.LIBRARY}, nbclient {nbclient.__version__}"
NEAR, NOISE = 1e-9, 1e-13  # after many steps
SECONDS = 120  # of a cell


def printed(text: str) -> list[str]:
    """The lines that all cells print. Raises CellExecutionError where one fails."""
    notebook = nbformat.reads(text, as_version=4)
    nbclient.NotebookClient(notebook, timeout=SECONDS).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    written = [output["text"] for output in outputs if output["output_type"] == "stream"]
    return "".join(written).splitlines()
