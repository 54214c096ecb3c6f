"""The training kernel: WebAssembly generated from the text of the tables.

    mathematics   exp, log, tanh, … in the formula language
    formula       compiler: formula language → expression graph on f64x2 → instructions
    recording     a loss recorded on Values and differentiated
    layout        shape of a run and its memory layout
    tiling        loop tiling for register reuse
    network       forward and backward passes of the layers
    batch         samples, loss and gradient of a batch, block by block
    dropout       masks of hidden activations
    step          penalties, learning rate, update
    order         shuffling of the samples
    mapping       activations at many points
    program       the complete module
    memory        the memory of a segment at its first step
    machines      instances of the code, one for each shape among the segments
    observation   activations read from the memory of an instance
    checkpoints   saved states for seeking
    run           a run: training, seeking, evaluation

Requires `wasmtime`, unlike the rest of `engine`.
"""

from .run import Run, Score

__all__ = ["Run", "Score"]
