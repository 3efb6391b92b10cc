"""Tests if a user's input_fn repeats its batches, and counts the examples in them.

    repetition = input_probe.examine(call, batches=20)
    repetition.varies          # "" or the reason why two trainings see other batches
    repetition.follows_seed    # True if another seed changes the order

`call` calls the input_fn. Its first batches are compared by their digests: twice in a graph from
one tf_random_seed, once in a graph that already has other operations, and eagerly from the same
seed. An Estimator calls an input_fn in a graph, and the other ways call it eagerly.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
CallInput = Callable[[], tf.data.Dataset]


@dataclasses.dataclass(frozen=True)
class Repetition:
    """The degree to which an input_fn repeats its batches when it is called again.

    Attributes:
      varies: The reason why trainings with one seed see other batches, as the end of a sentence
        whose subject is the input_fn. "" if they see the same.
      follows_seed: Whether another seed changes the batches.
    """

    varies: str
    follows_seed: bool


def examine(call: CallInput, batches: int) -> Repetition:
    """Compares the first batches of repeated calls of an input_fn.

    Args:
      call: Calls the input_fn, in the current graph or eagerly.
      batches: Number of batches to compare.
    """
    first, again = (_in_graph(call, batches, seed=0, operations=0) for _ in range(2))
    if first != again:
        return Repetition("gives other batches each time, even from one tf_random_seed", True)
    follows_seed = first != _in_graph(call, batches, seed=1, operations=0)
    others = {
        _in_graph(call, batches, seed=0, operations=7),
        *(_eagerly(call, batches, seed=0) for _ in range(2)),
    }
    if others == {first}:
        return Repetition("", follows_seed)
    if follows_seed:
        return Repetition(
            "orders its examples by the random seed, which a graph (legacy) and eager execution "
            "(the other ways) use differently, until shuffle() and the like are given a seed",
            True,
        )
    return Repetition("gives other batches in a graph than eagerly", False)


def _in_graph(call: CallInput, batches: int, seed: int, operations: int) -> str:
    with tf.Graph().as_default():
        tf1.set_random_seed(seed)
        for _ in range(operations):
            tf.no_op()  # shuffle() derives its seed from the number of operations.
        iterator = tf1.data.make_initializable_iterator(call())
        parts = tf.nest.flatten(iterator.get_next(), expand_composites=True)

        def rows(session: Any) -> Iterator[list[Any]]:
            for _ in range(batches):
                try:
                    yield session.run(parts)
                except tf.errors.OutOfRangeError:
                    return

        with tf1.Session() as session:
            session.run([tf1.global_variables_initializer(), tf1.local_variables_initializer()])
            session.run([tf1.tables_initializer(), iterator.initializer])
            return _digest(rows(session))


def _eagerly(call: CallInput, batches: int, seed: int) -> str:
    tf.random.set_seed(seed)
    return _digest(
        [part.numpy() for part in tf.nest.flatten(element, expand_composites=True)]
        for element in call().take(batches)
    )


def _digest(rows: Any) -> str:
    digest = hashlib.sha256()
    for row in rows:
        for part in row:
            array = np.asarray(part)
            digest.update(f"{array.dtype} {array.shape} ".encode())
            is_text = array.dtype.kind in "OSU"
            digest.update(repr(array.tolist()).encode() if is_text else array.tobytes())
    return digest.hexdigest()


@dataclasses.dataclass(frozen=True)
class Sizes:
    """The numbers of examples in the first batches.

    Attributes:
      batches: One number for each batch.
    """

    batches: np.ndarray

    @property
    def uniform(self) -> bool:
        """True if all batches have the same number of examples."""
        return len(set(self.batches.tolist())) == 1

    @property
    def spread(self) -> int:
        """The difference in examples between the largest and the smallest batch."""
        return int(np.ptp(self.batches))

    def first(self, count: int) -> int:
        """Returns the number of examples in the first `count` batches."""
        return int(self.batches[:count].sum())


def sizes(data: tf.data.Dataset, batches: int) -> Sizes:
    """Counts the examples of the first batches. Does not read them if their shape is static.

    Args:
      data: The Dataset of an input_fn, of (features, labels).
      batches: Number of batches. Fewer are counted if the data end earlier.
    """
    spec = tf.nest.flatten(data.element_spec[1])[0]
    size = spec.shape[0] if spec.shape.rank else None
    count = int(data.cardinality())
    if size is not None and count != tf.data.UNKNOWN_CARDINALITY:
        ends = count != tf.data.INFINITE_CARDINALITY
        return Sizes(np.full(min(count, batches) if ends else batches, size))
    counts = data.take(batches).map(lambda _, labels: tf.shape(tf.nest.flatten(labels)[0])[0])
    return Sizes(np.array([int(size) for size in counts], np.int64))
