"""The fast path of training: WebAssembly generated from the tables' own text.

    wasm          an assembler
    mathematics   exp, log, tanh, … as text
    formula       text of the tables → a graph of operations on pairs → instructions
    recording     a loss, recorded on Values and differentiated
    layout        what a kind of run looks like, and where it lies in memory
    tiling        loop tiles that stay in registers
    network       forward and backward passes of the layers
    step          batch, loss, penalties, learning rate, update
    order         the order of the samples
    mapping       what the neurons say at many points
    program       the whole module
    instance      wasmtime
    checkpoints   the way back
    run           a run: forwards, back to any step, seen from outside

Needs `wasmtime`; everything else in `engine` does without.
"""

from .run import Run, Score, Stopped

__all__ = ["Run", "Score", "Stopped"]
