"""Finds what the command line names: MODULE:NAME, parameters, and the hash of a source file.

model_fn = loading.find("legacy.jobs.mnist_cnn:model_fn", "--legacy")
params = loading.parameters('{"learning_rate": 0.1}', "--params")
spec = loading.call(model_fn, {"features": x, "labels": y, "mode": "train", "params": params})
"""

from __future__ import annotations

import hashlib
import inspect
import os
from collections.abc import Callable, Mapping
from typing import Any

from modern.references import find, find_function, parameters

__all__ = ["call", "file_hash", "find", "find_function", "parameters", "source", "takes"]


def call(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Calls a function with those of the arguments that it takes, by name, as Estimator does."""
    taken = inspect.signature(function).parameters
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in taken.values()):
        return function(**arguments)
    return function(**{name: value for name, value in arguments.items() if name in taken})


def takes(function: Callable[..., Any], name: str) -> bool:
    """Whether a function has a parameter of this name."""
    return name in inspect.signature(function).parameters


def source(thing: Any) -> dict[str, str]:
    """Where a function or class is written, and what its file hashes to.

    Args:
      thing: a function, method, class or callable object.

    Returns:
      "file" and "sha256" of the whole file; empty where there is none (a notebook, a shell).
    """
    try:
        path = inspect.getsourcefile(inspect.unwrap(thing))
    except TypeError:
        path = inspect.getsourcefile(type(thing))
    return {} if path is None or not os.path.exists(path) else file_hash(path)


def file_hash(path: str) -> dict[str, str]:
    """A file's path and the SHA-256 of its bytes."""
    with open(path, "rb") as file:
        digest = hashlib.sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    return {"file": path, "sha256": digest.hexdigest()}
