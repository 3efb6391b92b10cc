"""Finds what the command line names: MODULE:NAME, parameters, and the hash of a source file.

model_fn = loading.find("legacy.jobs.mnist_cnn:model_fn", "--legacy")
params = loading.parameters('{"learning_rate": 0.1}', "--params")
spec = loading.call(model_fn, {"features": x, "labels": y, "mode": "train", "params": params})
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from absl import flags

from modern.process import cli, references


def find(reference: str, flag: str) -> Any:
    """Imports a name, as `modern.process.references` does. Eager execution stays on."""
    with _eager_kept(), _flags_shared():
        return references.find(reference, flag)


def find_function(reference: str, flag: str) -> Callable[..., Any]:
    """Imports a function, as `modern.process.references` does. Eager execution stays on."""
    with _eager_kept(), _flags_shared():
        return references.find_function(reference, flag)


def parameters(text: str | None, flag: str) -> Any:
    """Returns params, as `modern.process.references` does. Eager execution stays on."""
    with _eager_kept(), _flags_shared():
        return references.parameters(text, flag)


@contextlib.contextmanager
def _eager_kept() -> Iterator[None]:
    """While the block imports a job's module, its disable_v2_behavior() and the like do nothing.

    Keras needs eager execution, which such a call at the top of a file would end for the process.
    """
    import tensorflow as tf

    v1 = tf.compat.v1
    names = (
        "disable_eager_execution",
        "disable_v2_behavior",
        "disable_v2_tensorshape",
        "disable_resource_variables",
        "disable_control_flow_v2",
        "disable_tensor_equality",
    )
    before = {name: getattr(v1, name) for name in names}
    for name in names:
        setattr(v1, name, lambda: None)
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(v1, name, function)


@contextlib.contextmanager
def _flags_shared() -> Iterator[None]:
    """While the block imports a module, it may define flags that another one has defined.

    A program and its rewritten copy have the same flags.
    """
    changed = [
        flag for flag in map(flags.FLAGS.__getitem__, flags.FLAGS) if not flag.allow_override
    ]
    for flag in changed:
        flag.allow_override = True
    try:
        yield
    finally:
        for flag in changed:
            flag.allow_override = False


def call(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Calls a function with those of the arguments that it takes, by name, as Estimator does."""
    taken = inspect.signature(function).parameters
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in taken.values()):
        return function(**arguments)
    return function(**{name: value for name, value in arguments.items() if name in taken})


def arguments(maker: Callable[..., Any], params: Any, flag: str) -> dict[str, Any]:
    """Returns the arguments for a function, or a class, that makes a model or an Estimator.

    Args:
      maker: It may take `params`, and `model_dir`, which is None. A single parameter without a
        default is taken for params, whatever it is called.
      params: Parameters of the model; a copy is given.
      flag: The flag that named the function, for the message.

    Raises:
      cli.UsageError: It needs other arguments.
    """
    # A class of Keras has a `__new__` that takes anything.
    signature = inspect.signature(maker.__init__ if inspect.isclass(maker) else maker)
    parameters = list(signature.parameters.values())[inspect.isclass(maker) :]
    needed = [
        one.name
        for one in parameters
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]
    offered = {name: None for name in ("model_dir",) if name in needed}
    left = [name for name in needed if name not in ("model_dir", "params")]
    if any(one.name == "params" for one in parameters):
        offered["params"] = copy.deepcopy(params)
    elif len(left) == 1:
        offered[left.pop()] = copy.deepcopy(params)
    if left:
        raise cli.UsageError(
            f"{flag}: takes {', '.join(needed)}; it must take params, or nothing. Name a function "
            "that gives the rest."
        )
    return offered


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
    thing = inspect.unwrap(thing)
    is_written = inspect.isclass(thing) or inspect.isroutine(thing)
    try:
        path = inspect.getsourcefile(thing if is_written else type(thing))
    except (TypeError, OSError):  # A class of a notebook or a shell.
        return {}
    return {} if path is None or not os.path.exists(path) else file_hash(path)


def file_hash(path: str) -> dict[str, str]:
    """A file's path and the SHA-256 of its bytes."""
    with open(path, "rb") as file:
        digest = hashlib.sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    return {"file": path, "sha256": digest.hexdigest()}
