"""Prints the contents of a checkpoint as a table or as JSON.

print(json.dumps(summary(open_source("/models/1"))))
"""

from __future__ import annotations

import collections
import math
import os
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from migrate.checkpoint.conversion import values
from migrate.checkpoint.formats.contents import Role
from migrate.checkpoint.formats.source import Source


def summary(source: Source) -> dict[str, Any]:
    """Returns the contents of a checkpoint without reading its values.

    Args:
      source: The checkpoint.

    Returns:
      path, kind, step (int or None), optimizers (kind or name -> number of variables that it
      trains), files (path -> bytes), parameters (elements of the variables), bytes, and tensors.
      Each tensor has its name, key, shape, dtype, role, trainable, bytes and partitions, and the
      variable and the name of a slot.
    """
    variables = list(source.of(Role.VARIABLE))
    return {
        "path": source.path,
        "kind": source.kind,
        "step": source.step(),
        "optimizers": _optimizers(source),
        "files": {file.path: file.size for file in source.files},
        "parameters": sum(math.prod(tensor.shape) for tensor in variables),
        "bytes": sum(values.size_of(tensor) for tensor in source.stored),
        "tensors": [
            {
                "name": tensor.name,
                "key": tensor.key,
                "shape": list(tensor.shape),
                "dtype": tensor.dtype,
                "role": tensor.role.value,
                "trainable": tensor.trainable,
                "bytes": values.size_of(tensor),
                "partitions": tensor.partitions,
                "of": tensor.owner,
                "slot": tensor.slot,
            }
            for tensor in source.stored
        ],
    }


def _optimizers(source: Source) -> dict[str, int]:
    owners_by_optimizer: dict[str, set[str]] = collections.defaultdict(set)
    for tensor in source.of(Role.SLOT):
        owners_by_optimizer[tensor.kind or tensor.optimizer or "unknown"].add(
            tensor.owner or tensor.name
        )
    return {name: len(owners) for name, owners in owners_by_optimizer.items()}


def show(contents: dict[str, Any], console: Console) -> None:
    """Prints a summary as a table.

    Args:
      contents: Result of `summary`.
      console: Console to print to.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("name", "shape", "dtype", "role", "of"):
        table.add_column(column, overflow="fold")
    for tensor in contents["tensors"]:
        parts = f" in {tensor['partitions']} parts" if tensor["partitions"] > 1 else ""
        of = f"{tensor['of']} {tensor['slot']}".strip()
        shape = "×".join(map(str, tensor["shape"])) or "scalar"
        table.add_row(tensor["name"], shape + parts, tensor["dtype"], tensor["role"], of)
    console.print(table)
    optimizers = ", ".join(f"{name} on {n} variables" for name, n in contents["optimizers"].items())
    console.print(f"{contents['path']}: {contents['kind']}, step {_or_none(contents['step'])}")
    console.print(
        f"{contents['parameters']:,} parameters; optimizer state: {optimizers or 'none'}; "
        f"{len(contents['tensors'])} tensors of {_size(contents['bytes'])}"
    )
    for path, size in contents["files"].items():
        console.print(f"  {os.path.basename(path)}  {_size(size)}")


def _or_none(value: int | None) -> str:
    return "none" if value is None else str(value)


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}" if unit != "B" else f"{count} B"
        count /= 1000
    return f"{count:.3g} GB"
