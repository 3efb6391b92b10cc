"""Imports the objects that the command line names: MODULE:NAME, parameters, and source hashes.

    model_fn = loading.find("legacy.jobs.mnist_cnn:model_fn", "--legacy")
    params = loading.parameters('{"learning_rate": 0.1}', "--params")
    spec = loading.call(model_fn, {"features": x, "labels": y, "mode": "train", "params": params})

Eager execution stays on, even if a module of the job disables it.
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import inspect
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from absl import flags

from migrate import patches, v1_behavior
from modern.process import cli, files, references

# Functions that would end eager execution for the whole process.
_DISABLING = (
    "disable_eager_execution",
    "disable_v2_behavior",
    "disable_v2_tensorshape",
    "disable_resource_variables",
    "disable_control_flow_v2",
    "disable_tensor_equality",
)
# After these, `shape[1]` was a Dimension.
_OF_SHAPES = ("disable_v2_behavior", "disable_v2_tensorshape")


def find(reference: str, flag: str) -> Any:
    """Imports a name, as `modern.process.references` does. Eager execution stays on."""
    with _keep_eager_execution(), _share_flags():
        return references.find(reference, flag)


def find_function(reference: str, flag: str) -> Callable[..., Any]:
    """Imports a function, as `modern.process.references` does. Eager execution stays on."""
    with _keep_eager_execution(), _share_flags():
        return references.find_function(reference, flag)


def parameters(text: str | None, flag: str) -> Any:
    """Returns params, as `modern.process.references` does. Eager execution stays on."""
    with _keep_eager_execution(), _share_flags():
        return references.parameters(text, flag)


# Several threads may import at once, for example by `migrate.bridge.load`. No lock is held during
# the import itself, because modules wait for each other, too.
def _eager_targets() -> patches.Targets:
    import tensorflow as tf

    return [(tf.compat.v1, name, _ignored) for name in _DISABLING]


def _ignored(original: Any, state: Any) -> None:
    """Replaces a function that disables behavior of TensorFlow 2."""
    if original.__name__ in _OF_SHAPES:
        v1_behavior.need()


_eager_patches = patches.Patches(_eager_targets)


def _keep_eager_execution() -> contextlib.AbstractContextManager[None]:
    """Disables disable_v2_behavior() and the like while the block imports a job's module.

    Keras needs eager execution, which such a call at the top of a file would end for the whole
    process.
    """
    return _eager_patches.active(True)


class _SharedFlags:
    """Flags that may be defined again while any thread imports a program."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._strict_flags: list[flags.Flag] = []

    def begin(self) -> None:
        """Allows all current flags to be defined again."""
        with self._lock:
            self._users += 1
            self._share()

    def end(self) -> None:
        """Reverts `begin`. If another thread imports, all flags so far are shared with it."""
        with self._lock:
            self._users -= 1
            if self._users:
                self._share()
                return
            for flag in self._strict_flags:
                flag.allow_override = False
            self._strict_flags.clear()

    def _share(self) -> None:
        for flag in map(flags.FLAGS.__getitem__, list(flags.FLAGS)):
            if not flag.allow_override:
                flag.allow_override = True
                self._strict_flags.append(flag)


_shared_flags = _SharedFlags()


@contextlib.contextmanager
def _share_flags() -> Iterator[None]:
    """Allows modules that the block imports to define flags that another module has defined.

    A program and its rewritten copy have the same flags.
    """
    _shared_flags.begin()
    try:
        yield
    finally:
        _shared_flags.end()


def call(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Calls a function by name with those arguments that it takes, as Estimator does."""
    parameters_by_name = inspect.signature(function).parameters
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters_by_name.values()):
        return function(**arguments)
    return function(
        **{name: value for name, value in arguments.items() if name in parameters_by_name}
    )


def arguments(maker: Callable[..., Any], params: Any, flag: str) -> dict[str, Any]:
    """Returns the arguments for a function or class that creates a model or an Estimator.

    Args:
      maker: It may take `params`, and `model_dir`, which is None. A single parameter without a
        default receives the params under any name.
      params: Parameters of the model, which are copied.
      flag: The flag that names the function, for the message.

    Raises:
      cli.UsageError: It needs other arguments.
    """
    # A Keras class has a `__new__` that takes any arguments.
    signature = inspect.signature(maker.__init__ if inspect.isclass(maker) else maker)
    parameters = list(signature.parameters.values())[inspect.isclass(maker) :]
    required_names = [
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    values = {name: None for name in ("model_dir",) if name in required_names}
    unknown = [name for name in required_names if name not in ("model_dir", "params")]
    if any(parameter.name == "params" for parameter in parameters):
        values["params"] = copy.deepcopy(params)
    elif len(unknown) == 1:
        values[unknown.pop()] = copy.deepcopy(params)
    if unknown:
        raise cli.UsageError(
            f"{flag}: takes {', '.join(required_names)}, but it may take only params. Name a "
            "function that supplies the rest."
        )
    return values


def takes(function: Callable[..., Any], name: str) -> bool:
    """Returns whether a function has a parameter of this name."""
    return name in inspect.signature(function).parameters


def source(thing: Any) -> dict[str, str]:
    """Returns the source file of a function or class, with its hash.

    Args:
      thing: A function, method, class or callable object.

    Returns:
      "file" and "sha256" of the whole file. Empty without a file, as in a notebook or a shell.
    """
    thing = inspect.unwrap(thing)
    is_written = inspect.isclass(thing) or inspect.isroutine(thing)
    try:
        path = inspect.getsourcefile(thing if is_written else type(thing))
    except (TypeError, OSError):  # A class of a notebook or a shell.
        return {}
    return {} if path is None or not os.path.exists(path) else file_hash(path)


def file_hash(path: str) -> dict[str, str]:
    """Returns a file's path and the SHA-256 of its bytes."""
    digest = hashlib.sha256()
    for block in files.chunks(path):
        digest.update(block)
    return {"file": path, "sha256": digest.hexdigest()}
