"""Makes two runs of a program comparable: the same seeds, order of data and dropout masks.

A rewritten program creates its random operations in another order, so that they get other numbers
from the seed of a graph. Here every random operation has the same seeds in all runs. `tf.data`
shuffles in one order, which depends only on the buffer. It does not shuffle again in the next
epoch, because Keras iterates over the data more often than an Estimator. Queues shuffle in the
order of `tf.data`, which replaces them, and `queues` orders the other ones. Dropout has one mask
for each shape and rate. `step_order` orders the global step, and `update_order` the updates of
variables. `intervals` keeps the clock from deciding what a program does.
"""

from __future__ import annotations

import functools
import inspect
import random
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from migrate.port.in_program import (
    initializers,
    intervals,
    last_step,
    queues,
    step_order,
    update_order,
)
from migrate.same_run import recording

SEED = 87654321
DROPOUT = "dropout"  # Kind of the events with dropout rates.
SHUFFLE = "shuffle"  # Kind of the event of a program that shuffles.
STEP = "step"  # Kind of the event of a program that sets its step in no order with its reads.
LAST_STEP = "last step"  # Kind of the event of a program with updates that need no data.
UPDATES = "updates"  # Kind of the event of a program that updates variables while it reads them.
INTERVALS = "intervals"  # Kind of the event of a program that saves or evaluates by the clock.
_OP_SEED = 20260  # Arbitrary. The seed of an operation that has none.
_records: list[str] = []
_written_events: set[str] = set()
_unused_dropouts: list[bool] = []  # Not empty while a dropout is built that is never switched on.


def begin(record: str) -> None:
    """Seeds Python and NumPy. A program may seed them again later, but not by the clock.

    Args:
      record: Folder of the recording, which gets the rates of dropout.
    """
    _records[:] = [record]
    _written_events.clear()
    module: Any
    for module in (random, np.random):
        module.seed = _seed_of(module.seed)
        module.seed(SEED)


def _seed_of(function: Callable[..., None]) -> Callable[..., None]:
    """Returns a function that seeds with SEED in place of None, which means the clock."""

    @functools.wraps(function)
    def seed(value: Any = None, *args: Any, **kwargs: Any) -> None:
        return function(SEED if value is None else value, *args, **kwargs)

    return seed


def patches() -> dict[str, Callable[[types.ModuleType], None]]:
    """Returns the functions that patch TensorFlow, by module."""
    return {
        "tensorflow.python.framework.random_seed": _fix_seeds,
        "tensorflow.python.data.ops.dataset_ops": _fix_order,
        "tf_keras.src.backend": _fix_seeds_of_keras,
        "keras.src.random.seed_generator": _fix_seeds_of_keras_3,
        "keras.src.initializers.random_initializers": functools.partial(
            initializers.patch_keras_3, default_seed=_OP_SEED
        ),
        "tf_keras.src.utils.control_flow_util": _fix_choice,
        "legacy.estimator.inputs.numpy_io": functools.partial(_fix_queue, "numpy_input_fn"),
        "legacy.estimator.inputs.pandas_io": functools.partial(_fix_queue, "pandas_input_fn"),
        **queues.patches(functools.partial(_write_once, SHUFFLE)),
        **step_order.patches(functools.partial(_write_once, STEP)),
        **update_order.patches(functools.partial(_write_once, UPDATES)),
        **intervals.patches(functools.partial(_write_once, INTERVALS)),
        "tensorflow": _fix_dropout,
    }


def patches_of_steps() -> dict[str, Callable[[Any], None]]:
    """Returns the functions that let the updates of a step wait for its data, by module."""
    return last_step.patches(functools.partial(_write_once, LAST_STEP))


def _write_once(kind: str, **event: Any) -> None:
    """Writes an event, unless the same event has been written."""
    if f"{kind} {event}" not in _written_events:
        _written_events.add(f"{kind} {event}")
        recording.append_event(_records[0], {"kind": kind, **event})


def _fix_seeds(module: Any) -> None:
    def get_seed(op_seed: int | None) -> tuple[int, int]:
        return SEED, _OP_SEED if op_seed is None else op_seed % (2**31 - 1)

    module.get_seed = get_seed


def _fix_seeds_of_keras(module: Any) -> None:
    """Keeps Keras from drawing its seeds from `random`, whose numbers the program may use."""
    module._SEED_GENERATOR.generator = random.Random(SEED)
    initializers.patch(module, _OP_SEED)


def _fix_seeds_of_keras_3(module: Any) -> None:
    """Keeps Keras 3 from drawing its seeds from `random`, as `_fix_seeds_of_keras`."""
    module.python_random = random.Random(SEED)


def _fix_order(module: Any) -> None:
    def wrap(shuffle: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(shuffle)
        def shuffle_once(
            self: Any,
            buffer_size: Any,
            seed: Any = None,
            reshuffle_each_iteration: Any = None,
            name: Any = None,
        ) -> Any:
            del reshuffle_each_iteration
            _write_once(SHUFFLE)
            return shuffle(self, buffer_size, seed, reshuffle_each_iteration=False, name=name)

        return shuffle_once

    # DatasetV1's method calls that of DatasetV2, so only one of them needs another argument.
    module.DatasetV2.shuffle = wrap(module.DatasetV2.shuffle)


def _fix_queue(name: str, module: types.ModuleType) -> None:
    """Makes a queue shuffle like the Dataset that replaces it."""
    function = getattr(module, name)
    signature = inspect.signature(function)

    @functools.wraps(function)
    def create_input_fn(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        arguments = bound.arguments
        if arguments["shuffle"] is not True:
            return function(*args, **kwargs)
        original_input_fn = function(*args, **kwargs)  # Raises an error if an argument is wrong.

        def input_fn() -> Any:
            rows = {len(array) for array in _arrays(arguments["x"]) + _arrays(arguments["y"])}
            if len(rows) != 1:
                return original_input_fn()  # Raises an error.
            size = rows.pop()
            order = _order(size, arguments["queue_capacity"] or 4 * size)
            x, y = (_reorder(arguments[key], order) for key in ("x", "y"))
            return function(**{**arguments, "x": x, "y": y, "shuffle": False, "num_threads": 1})()

        return input_fn

    setattr(module, name, create_input_fn)


def _arrays(value: Any) -> list[Any]:
    if value is None:
        return []
    return [*value.values()] if isinstance(value, Mapping) else [value]


def _reorder(value: Any, order: np.ndarray) -> Any:
    if value is None:
        return None
    if isinstance(value, Mapping):
        return {name: column[order] for name, column in value.items()}
    return value.iloc[order] if hasattr(value, "iloc") else value[order]


def _order(size: int, buffer: int) -> np.ndarray:
    """Returns the order in which a Dataset of this size is shuffled."""
    import tensorflow as tf

    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        dataset = tf.data.Dataset.range(size).shuffle(buffer).batch(max(size, 1))
        return session.run(tf.compat.v1.data.make_one_shot_iterator(dataset).get_next())


def _fix_dropout(tf: Any) -> None:
    def dropout_v2(x: Any, rate: Any, *args: Any, **kwargs: Any) -> Any:
        return _apply_dropout(tf, x, rate, kwargs.get("noise_shape", args[0] if args else None))

    def dropout_with_sampler(x: Any, rate: Any, *args: Any, **kwargs: Any) -> Any:
        del args  # A sampler, or seeds.
        return _apply_dropout(tf, x, rate, kwargs.get("noise_shape"))

    def dropout_v1(
        x: Any,
        keep_prob: Any = None,
        noise_shape: Any = None,
        seed: Any = None,
        name: str | None = None,
        rate: Any = None,
    ) -> Any:
        del seed, name
        return _apply_dropout(tf, x, rate if keep_prob is None else 1 - keep_prob, noise_shape)

    for module in (tf.nn, tf.compat.v2.nn):
        module.dropout = dropout_v2
        module.experimental.stateless_dropout = dropout_with_sampler
        module.experimental.general_dropout = dropout_with_sampler
    tf.compat.v1.nn.dropout = dropout_v1


def _apply_dropout(tf: Any, x: Any, rate: Any, noise_shape: Any) -> Any:
    """Returns a tensor after dropout with the mask of its shape and rate."""
    x = tf.convert_to_tensor(x)
    static_rate = rate if isinstance(rate, (int, float)) else tf.get_static_value(rate)
    if static_rate is not None:
        if not 0 <= static_rate < 1:
            raise ValueError(f"rate must be a number from 0 to below 1, and is {static_rate}.")
        if static_rate == 0:
            return x
    if not _unused_dropouts:
        _write_once(DROPOUT, rate=None if static_rate is None else float(static_rate))
    shape = tf.shape(x)
    if isinstance(noise_shape, (list, tuple, tf.TensorShape)):
        shape = [shape[axis] if size is None else size for axis, size in enumerate(noise_shape)]
    elif noise_shape is not None:
        shape = noise_shape
    numbers = tf.random.stateless_uniform(shape, [SEED, _OP_SEED])
    rate = tf.cast(rate, tf.float32)
    factor = tf.where(numbers >= rate, 1.0 / (1.0 - rate), tf.zeros_like(numbers))
    return x * tf.cast(factor, x.dtype)


def _fix_choice(module: Any) -> None:
    """Marks dropouts that Keras builds, but that are never switched on.

    In a graph, a Keras layer without the argument `training` chooses by Keras' learning phase, a
    placeholder whose default is False. An Estimator does not feed it.
    """
    smart_cond = module.smart_cond

    @functools.wraps(smart_cond)
    def marking_smart_cond(
        pred: Any, true_fn: Any = None, false_fn: Any = None, name: Any = None
    ) -> Any:
        def build_unused() -> Any:
            _unused_dropouts.append(True)
            try:
                return true_fn()
            finally:
                _unused_dropouts.pop()

        return smart_cond(pred, build_unused if _is_phase(pred) else true_fn, false_fn, name)

    module.smart_cond = marking_smart_cond


def _is_phase(pred: Any) -> bool:
    """Returns whether a condition is Keras' learning phase with its default value."""
    operation = None if hasattr(pred, "numpy") else getattr(pred, "op", None)
    while operation is not None and operation.type == "Identity":
        operation = operation.inputs[0].op
    if operation is None or operation.type != "PlaceholderWithDefault":
        return False
    return bool(operation.name.endswith("keras_learning_phase"))
