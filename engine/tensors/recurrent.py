"""torch.nn: recurrent cells and layers (Elman 1990; Hochreiter and Schmidhuber 1997; Cho et al.
2014), attention and the layer of a transformer (Vaswani et al. 2017).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .arrangement import cat, permute, reshape, stack, transpose
from .creation import full
from .elementwise import elementwise
from .modules import TorchModule
from .products import linear, matmul
from .reductions import mean
from .softmaxes import softmax
from .table_functions import as_bias, attention
from .tensor_array import TensorArray, called

State = tuple[Any, ...]


def _gates(x: Any, h: Any, weights: Sequence[Any]) -> tuple[Any, Any]:
    """W x + b and U h + c."""
    w, u, *biases = weights
    b, c = biases or (None, None)
    return linear(x, w, b), linear(h, u, c)


def _parts(x: Any, count: int) -> list[Any]:
    """Equal parts along the last axis."""
    n = x.shape[-1] // count
    return [x[..., k * n : (k + 1) * n] for k in range(count)]


def _simple(x: Any, state: State, weights: Sequence[Any], bend: str) -> State:
    """h ← tanh(W x + b + U h + c)"""
    a, b = _gates(x, state[0], weights)
    return (elementwise(bend, a + b),)


def _lstm(x: Any, state: State, weights: Sequence[Any], bend: str) -> State:
    """c ← f c + i g, h ← o tanh c with the gates i, f, g, o."""
    h, c = state
    a, b = _gates(x, h, weights)
    i, f, g, o = _parts(a + b, 4)
    i, f, o = (elementwise("sigmoid", gate) for gate in (i, f, o))
    c = f * c + i * elementwise("tanh", g)
    return o * elementwise("tanh", c), c


def _gru(x: Any, state: State, weights: Sequence[Any], bend: str) -> State:
    """h ← n + z (h − n) with n = tanh(W x + b + r (U h + c)) and the gates r, z."""
    (h,) = state
    a, b = _gates(x, h, weights)
    (ra, za, na), (rb, zb, nb) = _parts(a, 3), _parts(b, 3)
    r, z = (elementwise("sigmoid", gate) for gate in (ra + rb, za + zb))
    n = elementwise("tanh", na + r * nb)
    return (n + z * (h - n),)


_STEPS = {"RNN": (_simple, 1, 1), "LSTM": (_lstm, 4, 2), "GRU": (_gru, 3, 1)}
"""For each kind its step, how many gates there are, and how many tensors its state has."""


class _Recurrent(TorchModule):
    """Weights uniform on ±1/√hidden, for each layer and direction."""

    _seegrad_kind = "RNN"

    def _seegrad_make(self, inputs: int, hidden: int, bias: bool, suffix: str) -> None:
        bound = 1 / math.sqrt(hidden) if hidden else 0.0
        rows = _STEPS[self._seegrad_kind][1] * hidden
        shapes: dict[str, tuple[int, ...]] = {
            "weight_ih": (rows, inputs),
            "weight_hh": (rows, hidden),
        }
        shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)} if bias else {}
        for name, shape in shapes.items():
            self._seegrad_uniform(name + suffix, shape, bound)

    def _seegrad_weights(self, suffix: str) -> list[Any]:
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        return [vars(self)[n + suffix] for n in names if n + suffix in vars(self)]

    def _seegrad_start(self, like: TensorArray, shape: tuple[int, ...]) -> State:
        count = _STEPS[self._seegrad_kind][2]
        return tuple(full(self._seegrad_session, shape, 0.0, like.dtype) for _ in range(count))


class RNNCell(_Recurrent):
    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh"
    ) -> None:
        self.training, self.nonlinearity = True, nonlinearity
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        self._seegrad_make(input_size, hidden_size, bias, "")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        x, (step, _, count) = args[0], _STEPS[self._seegrad_kind]
        given = args[1] if len(args) > 1 else kwargs.get("hx")
        if given is None:
            given = self._seegrad_start(x, (*x.shape[:-1], self.hidden_size))
        state = given if isinstance(given, tuple) else (given,)
        found = step(x, state, self._seegrad_weights(""), self.nonlinearity)
        return found if count > 1 else found[0]

    def extra_repr(self) -> str:
        bias = "" if self.bias else ", bias=False"
        return f"{self.input_size}, {self.hidden_size}{bias}"


class LSTMCell(RNNCell):
    _seegrad_kind = "LSTM"


class GRUCell(RNNCell):
    _seegrad_kind = "GRU"


class RNN(_Recurrent):
    """A cell along a sequence, layer upon layer, in one direction or both."""

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, nonlinearity: str = "tanh",
        bias: bool = True, batch_first: bool = False, dropout: float = 0.0,
        bidirectional: bool = False,
    ) -> None:  # fmt: skip
        self._seegrad_layers(input_size, hidden_size, num_layers, bias, batch_first, dropout,
                             bidirectional)  # fmt: skip
        self.nonlinearity = nonlinearity

    def _seegrad_layers(
        self, inputs: int, hidden: int, layers: int, bias: bool, batch_first: bool, dropout: float,
        both: bool,
    ) -> None:  # fmt: skip
        if dropout:
            self._seegrad_session.machine.refuse("dropout is 0 here.", "Leave it out.")
        self.training, self.nonlinearity, self.dropout = True, "tanh", dropout
        self.input_size, self.hidden_size, self.num_layers = inputs, hidden, layers
        self.bias, self.batch_first, self.bidirectional = bias, batch_first, both
        for layer in range(layers):
            wide = inputs if layer == 0 else hidden * (1 + both)
            for suffix in self._seegrad_suffixes(layer):
                self._seegrad_make(wide, hidden, bias, suffix)

    def _seegrad_suffixes(self, layer: int) -> list[str]:
        return [f"_l{layer}", *([f"_l{layer}_reverse"] if self.bidirectional else [])]

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        x = args[0]
        given = args[1] if len(args) > 1 else kwargs.get("hx")
        turned = self.batch_first and x.ndim == 3
        steps = list(transpose(x, 0, 1) if turned else x)
        lines = self.num_layers * (1 + self.bidirectional)
        if given is None:
            start = self._seegrad_start(x, (lines, *steps[0].shape[:-1], self.hidden_size))
        else:
            start = given if isinstance(given, tuple) else (given,)
        ends: list[State] = []
        for layer in range(self.num_layers):
            sides = []
            for k, suffix in enumerate(self._seegrad_suffixes(layer)):
                line = layer * (1 + self.bidirectional) + k
                state = tuple(part[line] for part in start)
                found, end = self._seegrad_run(steps[::-1] if k else steps, state, suffix)
                sides.append(found[::-1] if k else found)
                ends.append(end)
            steps = sides[0] if len(sides) == 1 else [
                cat(list(pair), -1) for pair in zip(*sides, strict=True)
            ]  # fmt: skip
        out = stack(steps)
        if self._seegrad_kind == "LSTM":
            out = called(out, "MkldnnRnnLayerBackward0")
        if turned:
            out = called(transpose(out, 0, 1), "TransposeBackward1")
        last = tuple(stack(list(parts)) for parts in zip(*ends, strict=True))
        return out, last if len(last) > 1 else last[0]

    def _seegrad_run(self, steps: list[Any], state: State, suffix: str) -> tuple[list[Any], State]:
        step = _STEPS[self._seegrad_kind][0]
        weights, found = self._seegrad_weights(suffix), []
        for x in steps:
            state = step(x, state, weights, self.nonlinearity)
            found.append(state[0])
        return found, state

    def extra_repr(self) -> str:
        parts = [f"{self.input_size}, {self.hidden_size}"]
        parts += [f"num_layers={self.num_layers}"] if self.num_layers != 1 else []
        parts += [] if self.bias else ["bias=False"]
        parts += ["batch_first=True"] if self.batch_first else []
        return ", ".join(parts + (["bidirectional=True"] if self.bidirectional else []))


class LSTM(RNN):
    _seegrad_kind = "LSTM"

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True,
        batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False,
    ) -> None:  # fmt: skip
        self._seegrad_layers(input_size, hidden_size, num_layers, bias, batch_first, dropout,
                             bidirectional)  # fmt: skip


class GRU(LSTM):
    _seegrad_kind = "GRU"


class MultiheadAttention(TorchModule):
    """Attention in several heads, each of a part of the features, joined by a linear layer."""

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True,
        batch_first: bool = False,
    ) -> None:  # fmt: skip
        self.training = True
        if dropout:
            self._seegrad_session.machine.refuse("dropout is 0 here.", "Leave it out.")
        if embed_dim % num_heads:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.batch_first = embed_dim, num_heads, batch_first
        projection = self._seegrad_part("Linear", embed_dim, embed_dim, bias)
        shape = (3 * embed_dim, embed_dim)
        bound = math.sqrt(6.0 / sum(shape))  # Glorot and Bengio 2010
        self._seegrad_uniform("in_proj_weight", shape, bound)
        self.in_proj_bias: Any = None
        if bias:
            self._seegrad_equal("in_proj_bias", (3 * embed_dim,), 0.0)
            projection._seegrad_equal("bias", (embed_dim,), 0.0)
        self.out_proj = projection

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        names = ("query", "key", "value", "key_padding_mask", "need_weights", "attn_mask")
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        if given.get("key_padding_mask") is not None:
            self._seegrad_session.machine.refuse("key_padding_mask is None here.",
                                                 "Give an attn_mask.")  # fmt: skip
        sides = [given[name] for name in names[:3]]
        turned = not self.batch_first and sides[0].ndim == 3
        if turned:
            sides = [transpose(x, 0, 1) for x in sides]
        q, k, v = (self._seegrad_heads(x, slot) for slot, x in enumerate(sides))
        mask, weights = given.get("attn_mask"), None
        bias = None if mask is None else as_bias(mask, shows=False)
        if given.get("need_weights", True):
            scores = matmul(q * (1 / math.sqrt(q.shape[-1])), transpose(k, -2, -1))
            shares = softmax(scores if bias is None else scores + bias, -1)
            heads, weights = matmul(shares, v), mean(shares, shares.ndim - 3)
        else:
            heads = attention(q, k, v, bias)
        joined = _heads_exchanged(heads)
        joined = reshape(joined, (*joined.shape[:-2], self.embed_dim))
        out = linear(joined, self.out_proj.weight, self.out_proj.bias)
        out = transpose(out, 0, 1) if turned else out
        return called(out, "ViewBackward0" if turned else "TransposeBackward0"), weights

    def _seegrad_heads(self, x: Any, slot: int) -> Any:
        """(…, length, features) as (…, heads, length, part)."""
        n, own = self.embed_dim, vars(self)
        part = slice(slot * n, (slot + 1) * n)
        bias = None if self.in_proj_bias is None else self.in_proj_bias[part]
        found = linear(x, own["in_proj_weight"][part], bias)
        shape = (*found.shape[:-1], self.num_heads, n // self.num_heads)
        return _heads_exchanged(reshape(found, shape))


def _heads_exchanged(x: TensorArray) -> Any:
    """The axis of heads and that of the sequence exchanged."""
    return permute(x, [*range(x.ndim - 3), x.ndim - 2, x.ndim - 3, x.ndim - 1])


class TransformerEncoderLayer(TorchModule):
    """Attention and two linear layers, each added to its input and normalised."""

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: Any = "relu", layer_norm_eps: float = 1e-5, batch_first: bool = False,
        norm_first: bool = False, bias: bool = True,
    ) -> None:  # fmt: skip
        self.training, self.norm_first = True, norm_first
        self.self_attn = self._seegrad_part(
            "MultiheadAttention", d_model, nhead, 0.0, bias, batch_first
        )
        self.linear1 = self._seegrad_part("Linear", d_model, dim_feedforward, bias)
        self.dropout = self._seegrad_part("Dropout", dropout)
        self.linear2 = self._seegrad_part("Linear", dim_feedforward, d_model, bias)
        self.norm1 = self._seegrad_part("LayerNorm", d_model, layer_norm_eps)
        self.norm2 = self._seegrad_part("LayerNorm", d_model, layer_norm_eps)
        self.dropout1 = self._seegrad_part("Dropout", dropout)
        self.dropout2 = self._seegrad_part("Dropout", dropout)
        vars(self)["_seegrad_bend"] = activation

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        x = args[0]
        mask = args[1] if len(args) > 1 else kwargs.get("src_mask")
        if self.norm_first:
            x = x + self._seegrad_attention(self.norm1(x), mask)
            return x + self._seegrad_forward(self.norm2(x))
        x = self.norm1(x + self._seegrad_attention(x, mask))
        return self.norm2(x + self._seegrad_forward(x))

    def _seegrad_attention(self, x: Any, mask: Any) -> Any:
        return self.dropout1(self.self_attn(x, x, x, attn_mask=mask, need_weights=False)[0])

    def _seegrad_forward(self, x: Any) -> Any:
        bend = vars(self)["_seegrad_bend"]
        inner = self.linear1(x)
        if isinstance(bend, str):
            inner = elementwise(bend, inner)
        else:
            inner = self._seegrad_session.machine.callable(bend)(inner)
        return self.dropout2(self.linear2(self.dropout(inner)))


LAYERS: tuple[type, ...] = (
    _Recurrent, RNNCell, LSTMCell, GRUCell, RNN, LSTM, GRU, MultiheadAttention,
    TransformerEncoderLayer,
)  # fmt: skip
