"""Makes two runs of a program comparable: the same seeds, order of data and dropout masks.

A rewritten program makes its random operations in another order, so that the seed of a graph gives
them other numbers. Here every random operation has the same seeds in all runs. `tf.data` shuffles
in one order, which depends only on the buffer. It does not shuffle again in the next epoch, because
Keras begins the data more often than an Estimator. Queues shuffle in the order of `tf.data`, which
replaces them. Dropout has one mask for each shape and rate. `step_order` orders the global step.
"""

from __future__ import annotations

import functools
import inspect
import random
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from migrate.port.in_program import step_order
from migrate.same_run import recording

SEED = 87654321
DROPOUT = "dropout"  # Kind of the events with the rates.
SHUFFLE = "shuffle"  # Kind of the event of a program that shuffles.
STEP = "step"  # Kind of the event of a program that sets its step beside other reads of it.
_OWN = 20260
_records: list[str] = []
_noted: set[str] = set()
_off: list[bool] = []  # Has an item while a dropout is built that nothing switches on.


def begin(record: str) -> None:
    """Seeds Python and NumPy. A program that seeds them itself does so later.

    Args:
      record: Folder of the recording, which gets the rates of dropout.
    """
    _records[:] = [record]
    _noted.clear()
    random.seed(SEED)
    np.random.seed(SEED)


def patches() -> dict[str, Callable[[types.ModuleType], None]]:
    """Returns the functions that patch TensorFlow, by module."""
    return {
        "tensorflow.python.framework.random_seed": _fix_seeds,
        "tensorflow.python.data.ops.dataset_ops": _fix_order,
        "tf_keras.src.backend": _fix_seeds_of_keras,
        "tf_keras.src.utils.control_flow_util": _fix_choice,
        "legacy.estimator.inputs.numpy_io": functools.partial(_fix_queue, "numpy_input_fn"),
        "legacy.estimator.inputs.pandas_io": functools.partial(_fix_queue, "pandas_input_fn"),
        **step_order.patches(functools.partial(_note, STEP)),
        "tensorflow": _fix_dropout,
    }


def rates(record: str) -> set[float]:
    """Returns the rates of dropout that a program used, as far as they are known.

    Args:
      record: Folder of the recording.
    """
    return {
        round(event["rate"], 6) for event in _events(record, DROPOUT) if event["rate"] is not None
    }


def conditions(record: str) -> list[str]:
    """Returns sentences on the randomness of a program that its runs did not exercise.

    Args:
      record: Folder of the recording.
    """
    found = []
    if _events(record, SHUFFLE):
        found.append(
            "Data were shuffled in one order in all runs and epochs. Another order in each epoch "
            "was not exercised."
        )
    if _events(record, DROPOUT):
        found.append(
            "Dropout had the same mask in each step. Changing masks were not exercised. Its rates "
            "were compared."
        )
    if _events(record, STEP):
        found.append(
            "The program assigns its global step while it reads the step, in no certain order. In "
            "these runs the reads came first."
        )
    return found


def _events(record: str, kind: str) -> list[dict[str, Any]]:
    return [
        event
        for process in recording.processes(record)
        for event in recording.read_events(record, process)
        if event["kind"] == kind
    ]


def _note(kind: str, **event: Any) -> None:
    """Writes an event, once for each content."""
    if f"{kind} {event}" not in _noted:
        _noted.add(f"{kind} {event}")
        recording.append_event(_records[0], {"kind": kind, **event})


def _fix_seeds(module: Any) -> None:
    def get_seed(op_seed: int | None) -> tuple[int, int]:
        return SEED, _OWN if op_seed is None else op_seed % (2**31 - 1)

    module.get_seed = get_seed


def _fix_seeds_of_keras(module: Any) -> None:
    """Keeps Keras from drawing its seeds from `random`, whose numbers the program may use."""
    module._SEED_GENERATOR.generator = random.Random(SEED)


def _fix_order(module: Any) -> None:
    def wrapped(shuffle: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(shuffle)
        def in_one_order(
            self: Any,
            buffer_size: Any,
            seed: Any = None,
            reshuffle_each_iteration: Any = None,
            name: Any = None,
        ) -> Any:
            del reshuffle_each_iteration
            _note(SHUFFLE)
            return shuffle(self, buffer_size, seed, reshuffle_each_iteration=False, name=name)

        return in_one_order

    # DatasetV1's method calls that of DatasetV2, so only one of them needs another argument.
    module.DatasetV2.shuffle = wrapped(module.DatasetV2.shuffle)


def _fix_queue(name: str, module: types.ModuleType) -> None:
    """Makes a queue shuffle as the Dataset that replaces it."""
    function = getattr(module, name)
    signature = inspect.signature(function)

    @functools.wraps(function)
    def in_one_order(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = bound.arguments
        if given["shuffle"] is not True:
            return function(*args, **kwargs)
        checked = function(*args, **kwargs)  # Raises an error if an argument is wrong.

        def input_fn() -> Any:
            rows = {len(one) for one in _arrays(given["x"]) + _arrays(given["y"])}
            if len(rows) != 1:
                return checked()  # Raises an error.
            size = rows.pop()
            order = _order(size, given["queue_capacity"] or 4 * size)
            x, y = (_in_order(given[one], order) for one in ("x", "y"))
            return function(**{**given, "x": x, "y": y, "shuffle": False, "num_threads": 1})()

        return input_fn

    setattr(module, name, in_one_order)


def _arrays(value: Any) -> list[Any]:
    if value is None:
        return []
    return [*value.values()] if isinstance(value, Mapping) else [value]


def _in_order(value: Any, order: np.ndarray) -> Any:
    if value is None:
        return None
    if isinstance(value, Mapping):
        return {name: one[order] for name, one in value.items()}
    return value.iloc[order] if hasattr(value, "iloc") else value[order]


def _order(size: int, buffer: int) -> np.ndarray:
    """Returns the order in which a Dataset of this size is shuffled."""
    import tensorflow as tf

    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        dataset = tf.data.Dataset.range(size).shuffle(buffer).batch(max(size, 1))
        return session.run(tf.compat.v1.data.make_one_shot_iterator(dataset).get_next())


def _fix_dropout(tf: Any) -> None:
    def v2(x: Any, rate: Any, *args: Any, **kwargs: Any) -> Any:
        return _dropped(tf, x, rate, kwargs.get("noise_shape", args[0] if args else None))

    def of_sampler(x: Any, rate: Any, *args: Any, **kwargs: Any) -> Any:
        del args  # A sampler, or seeds.
        return _dropped(tf, x, rate, kwargs.get("noise_shape"))

    def v1(
        x: Any,
        keep_prob: Any = None,
        noise_shape: Any = None,
        seed: Any = None,
        name: str | None = None,
        rate: Any = None,
    ) -> Any:
        del seed, name
        return _dropped(tf, x, rate if keep_prob is None else 1 - keep_prob, noise_shape)

    for module in (tf.nn, tf.compat.v2.nn):
        module.dropout = v2
        module.experimental.stateless_dropout = of_sampler
        module.experimental.general_dropout = of_sampler
    tf.compat.v1.nn.dropout = v1


def _dropped(tf: Any, x: Any, rate: Any, noise_shape: Any) -> Any:
    """Returns a tensor after dropout with the mask of its shape and rate."""
    x = tf.convert_to_tensor(x)
    known = rate if isinstance(rate, (int, float)) else tf.get_static_value(rate)
    if known is not None:
        if not 0 <= known < 1:
            raise ValueError(f"rate must be a number from 0 to below 1, and is {known}.")
        if known == 0:
            return x
    if not _off:
        _note(DROPOUT, rate=None if known is None else float(known))
    shape = tf.shape(x)
    if isinstance(noise_shape, (list, tuple, tf.TensorShape)):
        shape = [shape[axis] if size is None else size for axis, size in enumerate(noise_shape)]
    elif noise_shape is not None:
        shape = noise_shape
    numbers = tf.random.stateless_uniform(shape, [SEED, _OWN])
    rate = tf.cast(rate, tf.float32)
    factor = tf.where(numbers >= rate, 1.0 / (1.0 - rate), tf.zeros_like(numbers))
    return x * tf.cast(factor, x.dtype)


def _fix_choice(module: Any) -> None:
    """Marks dropouts that Keras builds, but that nothing switches on.

    In a graph, a Keras layer without the argument `training` chooses by Keras' learning phase, a
    placeholder whose default is False. An Estimator does not feed it.
    """
    smart_cond = module.smart_cond

    @functools.wraps(smart_cond)
    def marked(pred: Any, true_fn: Any = None, false_fn: Any = None, name: Any = None) -> Any:
        def switched_off() -> Any:
            _off.append(True)
            try:
                return true_fn()
            finally:
                _off.pop()

        return smart_cond(pred, switched_off if _is_phase(pred) else true_fn, false_fn, name)

    module.smart_cond = marked


def _is_phase(pred: Any) -> bool:
    """Says whether a condition is Keras' learning phase, with its default."""
    operation = None if hasattr(pred, "numpy") else getattr(pred, "op", None)
    while operation is not None and operation.type == "Identity":
        operation = operation.inputs[0].op
    if operation is None or operation.type != "PlaceholderWithDefault":
        return False
    return bool(operation.name.endswith("keras_learning_phase"))
