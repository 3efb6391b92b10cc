"""Runs in series what may run in parallel, so that it draws random numbers in one order.

A random operation draws its next number when it runs. So if the iterations of a `tf.map_fn` or the
calls of a dataset's function run in parallel, each element gets the number of another one, by
chance. In series, the results are the same, apart from this chance.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

_DATA = "tensorflow.python.data"
# Arguments of functions that make datasets, and their values in series.
_SERIAL: dict[str, dict[str, Any]] = {
    "num_parallel_calls": {"num_parallel_calls": None, "deterministic": None},
    "num_parallel_batches": {"num_parallel_calls": 1, "num_parallel_batches": None},
}


def patches() -> dict[str, Callable[[Any], None]]:
    """Returns the functions that patch loops and datasets, by module."""
    of_data = {
        f"{_DATA}.ops.map_op": ("_map_v1", "_map_v1_with_legacy_function", "_map_v2"),
        f"{_DATA}.ops.interleave_op": ("_interleave",),
        f"{_DATA}.experimental.ops.batching": (
            "map_and_batch",
            "map_and_batch_with_legacy_function",
        ),
    }
    return {
        "tensorflow.python.ops.control_flow_ops": functools.partial(
            _patch_loop, "WhileContext", "_init_from_args"
        ),
        "tensorflow.python.ops.while_v2": functools.partial(_patch_loop, "", "while_loop"),
        **{name: functools.partial(_patch_data, names) for name, names in of_data.items()},
        f"{_DATA}.experimental.ops.interleave_ops": _patch_interleave,
        f"{_DATA}.ops.dataset_ops": _patch_options,
    }


def _patch_loop(owner_name: str, name: str, module: Any) -> None:
    owner = getattr(module, owner_name) if owner_name else module
    setattr(owner, name, _with(getattr(owner, name), {"parallel_iterations": 1}))


def _patch_data(names: tuple[str, ...], module: Any) -> None:
    for name in names:
        function = getattr(module, name)
        parameters = inspect.signature(function).parameters
        kind = next(
            kind for kind in ("num_parallel_batches", "num_parallel_calls") if kind in parameters
        )
        values = {key: value for key, value in _SERIAL[kind].items() if key in parameters}
        setattr(module, name, _with(function, values))


def _patch_interleave(module: Any) -> None:
    function = module.parallel_interleave

    @functools.wraps(function)
    def parallel_interleave(
        map_func: Any, cycle_length: Any, block_length: Any = 1, *args: Any, **kwargs: Any
    ) -> Any:
        del args, kwargs  # They concern the speed, or allow any order.
        return lambda dataset: dataset.interleave(map_func, cycle_length, block_length)

    module.parallel_interleave = parallel_interleave


def _patch_options(module: Any) -> None:
    """Ignores options that let a dataset give its elements in any order."""
    with_options = module.DatasetV2.with_options

    @functools.wraps(with_options)
    def with_order(self: Any, options: Any, *args: Any, **kwargs: Any) -> Any:
        if options.deterministic is False:
            options = type(options)().merge(options)
            options.deterministic = True
        return with_options(self, options, *args, **kwargs)

    module.DatasetV2.with_options = with_order


def _with(function: Callable[..., Any], values: dict[str, Any]) -> Callable[..., Any]:
    """Returns a function that ignores the values of some arguments."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def with_values(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.arguments.update(values)
        return function(*bound.args, **bound.kwargs)

    return with_values
