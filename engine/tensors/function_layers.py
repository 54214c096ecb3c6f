"""torch.nn: layers and losses that are a function of the input and of their settings, as rows.

`CELU(alpha=1.0, inplace=False) = celu(alpha)` is the layer CELU, which calls `F.celu(x, alpha)` and
prints as `CELU(alpha=1.0)`; behind a bar stands what it prints where that is something else.
"""

from __future__ import annotations

from typing import Any

from .functions import METHODS
from .modules import TorchModule
from .signatures import TorchRow, bound, rows
from .table_functions import FUNCTIONS

_ACTIVATIONS = """
ReLU(inplace=False) = relu() |
SiLU(inplace=False) = silu() |
SELU(inplace=False) = selu() |
Mish(inplace=False) = mish() |
ReLU6(inplace=False) = relu6() |
Hardsigmoid(inplace=False) = hardsigmoid() |
Hardswish(inplace=False) = hardswish() |
Tanh() = tanh() |
Sigmoid() = sigmoid() |
LogSigmoid() = logsigmoid() |
Softsign() = softsign() |
Tanhshrink() = tanhshrink() |
Softplus(beta=1.0, threshold=20.0) = softplus(beta, threshold)
Hardtanh(min_val=-1.0, max_val=1.0, inplace=False) = hardtanh(min_val, max_val)
GELU(approximate='none') = gelu(approximate)
LeakyReLU(negative_slope=0.01, inplace=False) = leaky_relu(negative_slope)
ELU(alpha=1.0, inplace=False) = elu(alpha)
CELU(alpha=1.0, inplace=False) = celu(alpha)
Threshold(threshold, value, inplace=False) = threshold(threshold, value)
Hardshrink(lambd=0.5) = hardshrink(lambd) | {lambd}
Softshrink(lambd=0.5) = softshrink(lambd) | {lambd}
Softmax(dim=None) = softmax(dim)
LogSoftmax(dim=None) = log_softmax(dim)
Softmin(dim=None) = softmin(dim)
GLU(dim=-1) = glu(dim)
Flatten(start_dim=1, end_dim=-1) = flatten(start_dim, end_dim)
Unflatten(dim, unflattened_size) = unflatten(dim, unflattened_size)
CosineSimilarity(dim=1, eps=1e-08) = cosine_similarity(dim, eps) |
MaxPool1d(kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False) =
     max_pool1d(kernel_size, stride, padding, dilation, ceil_mode)
MaxPool2d(kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False) =
     max_pool2d(kernel_size, stride, padding, dilation, ceil_mode)
AvgPool1d(kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True) =
     avg_pool1d(kernel_size, stride, padding, ceil_mode, count_include_pad)
     | kernel_size=({kernel_size},), stride=({stride},), padding=({padding},)
AvgPool2d(kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True) =
     avg_pool2d(kernel_size, stride, padding, ceil_mode, count_include_pad)
     | kernel_size={kernel_size}, stride={stride}, padding={padding}
AdaptiveAvgPool2d(output_size) = adaptive_avg_pool2d(output_size)
AdaptiveMaxPool2d(output_size, return_indices=False) = adaptive_max_pool2d(output_size)
"""
_LOSSES = """
MSELoss(size_average=None, reduce=None, reduction='mean') = mse_loss(reduction)
L1Loss(size_average=None, reduce=None, reduction='mean') = l1_loss(reduction)
SmoothL1Loss(size_average=None, reduce=None, reduction='mean', beta=1.0) =
     smooth_l1_loss(reduction, beta)
HuberLoss(reduction='mean', delta=1.0) = huber_loss(reduction, delta)
KLDivLoss(size_average=None, reduce=None, reduction='mean', log_target=False) =
     kl_div(reduction, log_target)
CrossEntropyLoss(weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean',
     label_smoothing=0.0) = cross_entropy(weight, ignore_index, reduction, label_smoothing)
NLLLoss(weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean') =
     nll_loss(weight, ignore_index, reduction)
BCELoss(weight=None, size_average=None, reduce=None, reduction='mean') =
     binary_cross_entropy(reduction, weight)
BCEWithLogitsLoss(weight=None, size_average=None, reduce=None, reduction='mean', pos_weight=None) =
     binary_cross_entropy_with_logits(reduction, weight, pos_weight)
SoftMarginLoss(size_average=None, reduce=None, reduction='mean') = soft_margin_loss(reduction)
HingeEmbeddingLoss(margin=1.0, size_average=None, reduce=None, reduction='mean') =
     hinge_embedding_loss(margin, reduction)
MarginRankingLoss(margin=0.0, size_average=None, reduce=None, reduction='mean') =
     margin_ranking_loss(margin, reduction)
CosineEmbeddingLoss(margin=0.0, size_average=None, reduce=None, reduction='mean') =
     cosine_embedding_loss(margin, reduction)
TripletMarginLoss(margin=1.0, p=2.0, eps=1e-06, swap=False, size_average=None, reduce=None,
     reduction='mean') = triplet_margin_loss(margin, p, eps, swap, reduction)
GaussianNLLLoss(*, full=False, eps=1e-06, reduction='mean') =
     gaussian_nll_loss(full, eps, reduction)
PoissonNLLLoss(log_input=True, full=False, size_average=None, eps=1e-08, reduce=None,
     reduction='mean') = poisson_nll_loss(log_input, full, size_average, eps, reduce, reduction)
"""
_CALLS = METHODS | FUNCTIONS


class FunctionLayer(TorchModule):
    """A function of the inputs and of the attributes that are its settings."""

    _seegrad_function: Any = None
    _seegrad_settings: tuple[str, ...] = ()
    _seegrad_row: Any = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.training = True
        if self._seegrad_row is None:
            return
        row = self._seegrad_row
        given = bound(row, f"{type(self).__name__}.__init__", args, kwargs)
        vars(self)["_seegrad_inplace"] = bool(given.pop("inplace", False))
        if "stride" in given and given["stride"] is None:
            given["stride"] = given["kernel_size"]
        for name, value in given.items():
            setattr(self, name, value)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        settings = {name: getattr(self, name) for name in self._seegrad_settings}
        return self._seegrad_function(*args, **settings)


FunctionLayer.__name__ = FunctionLayer.__qualname__ = "_FunctionLayer"


def _layer(row: TorchRow, in_text: str | None = None) -> type:
    call, bar, text = row.rest.partition("|")
    function, _, inside = call.strip().rstrip(")").partition("(")
    settings = tuple(name.strip() for name in inside.split(",") if name.strip())
    shown = ", ".join(f"{name}={{{name}!r}}" for name in settings) if in_text is None else in_text
    body: dict[str, Any] = {
        "_seegrad_function": staticmethod(_CALLS[function]), "_seegrad_settings": settings,
        "_seegrad_row": row, "_seegrad_text": text.strip() if bar else shown,
    }  # fmt: skip
    return type(row.name, (FunctionLayer,), body)


ROW_LAYERS = (
    *(_layer(row) for row in rows(_ACTIVATIONS)), *(_layer(row, "") for row in rows(_LOSSES)),
)  # fmt: skip
"""The classes of the rows."""
