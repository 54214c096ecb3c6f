"""What PyTorch's schemas say of operations."""

from __future__ import annotations

from typing import Any

import torch


class OperationSchema:
    """What PyTorch's schema says of an operation, read once."""

    def __init__(self, func: Any) -> None:
        schema = func._schema
        self.func = func
        self.name = str(func)
        self.names = [argument.name for argument in schema.arguments]
        self.writes = [
            argument.name
            for argument in schema.arguments
            if argument.alias_info is not None and argument.alias_info.is_write
        ]
        infos = [argument.alias_info for argument in schema.arguments]
        self.is_view = not self.writes and any(info is not None for info in infos)
        self.is_random = torch.Tag.nondeterministic_seeded in func.tags

    def named(self, args: Any, kwargs: Any) -> list[tuple[str, Any]]:
        """The arguments of a call by their names."""
        return [*zip(self.names, args, strict=False), *kwargs.items()]
