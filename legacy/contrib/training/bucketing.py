"""Queue-based batching of examples of similar length.

    length, (padded,) = bucket_by_sequence_length(
        input_length, [tokens], batch_size=32, bucket_boundaries=[10, 20], dynamic_pad=True
    )

A new program uses `tf.data.Dataset.bucket_by_sequence_length`.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

_QUEUE_ENDED = (tf.errors.OutOfRangeError, tf.errors.CancelledError)


def bucket(
    tensors: Any,
    which_bucket: Any,
    batch_size: Any,
    num_buckets: int,
    num_threads: int = 1,
    capacity: int = 32,
    bucket_capacities: Sequence[int] | None = None,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    keep_input: Any = True,
    shared_name: str | None = None,
    name: str | None = None,
) -> tuple[tf.Tensor, Any]:
    """Batches examples that belong to the same bucket.

    Args:
      tensors: An example: a list or dict of dense tensors.
      which_bucket: Bucket of the example, an int32 scalar.
      batch_size: Number of examples in a batch, or a list with a number for each bucket.
      num_buckets: Number of buckets.
      num_threads: Number of threads that fill the buckets.
      capacity: Maximum number of queued batches, and of queued examples in a bucket.
      bucket_capacities: Maximum number of queued examples, for each bucket.
      shapes: Shapes of the tensors, if they are not statically known.
      dynamic_pad: If true, pads the tensors of a batch to the same shape.
      allow_smaller_final_batch: If true, the last batches may have fewer examples.
      keep_input: A bool scalar. False drops the example.
      shared_name: Name under which sessions share the queues.
      name: Name of the operations.

    Returns:
      The bucket, an int32 scalar, and the batch in the form of `tensors`.

    Raises:
      ValueError: The length of a list is not the number of buckets, or `tensors` is empty.
      NotImplementedError: A tensor is sparse.
    """
    sizes = (
        list(batch_size) if isinstance(batch_size, (list, tuple)) else [batch_size] * num_buckets
    )
    if len(sizes) != num_buckets:
        raise ValueError("If batch_size is a list it must have num_buckets elements")
    capacities = [capacity] * num_buckets if bucket_capacities is None else bucket_capacities
    if len(capacities) != num_buckets:
        raise ValueError(
            f"The list bucket_capacities ({capacities}) must have exactly num_buckets "
            f"({num_buckets}) elements."
        )
    example = _as_list(tensors)
    with tf1.name_scope(name, "bucket", example):
        example = _dense(example)
        queue_type = tf.queue.PaddingFIFOQueue if dynamic_pad else tf.queue.FIFOQueue
        queues = [
            queue_type(
                capacity,
                [t.dtype for t in example],
                [t.shape for t in example] if shapes is None else shapes,
                shared_name=None if shared_name is None else f"{shared_name}_{i}",
                name=f"bucket_queue_{i}",
            )
            for i, capacity in enumerate(capacities)
        ]
        fill = _fill(queues, example, tf.cast(which_bucket, tf.int32), keep_input)
        # The batch size is a static dimension only if all batches have the same size.
        has_fixed_size = not allow_smaller_final_batch and not isinstance(batch_size, (list, tuple))
        batches = tf.queue.PaddingFIFOQueue(
            capacity,
            [tf.int32, *(t.dtype for t in example)],
            [[], *_batch_shapes(queues[0], _static(batch_size) if has_fixed_size else None)],
            shared_name=shared_name,
            name="top_queue",
        )
        take = [
            batches.enqueue([i, *_batch(queue, size, allow_smaller_final_batch)])
            for i, (queue, size) in enumerate(zip(queues, sizes, strict=True))
        ]
        _run_queues(queues, batches, [fill] * num_threads, take)
        bucket_index, *values = batches.dequeue(name="dequeue_top")
    return bucket_index, _like(tensors, values)


def bucket_by_sequence_length(
    input_length: Any,
    tensors: Any,
    batch_size: Any,
    bucket_boundaries: Sequence[int],
    num_threads: int = 1,
    capacity: int = 32,
    bucket_capacities: Sequence[int] | None = None,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    keep_input: Any = True,
    shared_name: str | None = None,
    name: str | None = None,
) -> tuple[tf.Tensor, Any]:
    """Batches examples of similar length.

    Args:
      input_length: Length of the example, an int32 scalar.
      tensors: An example: a list or dict of dense tensors.
      batch_size: As in `bucket`.
      bucket_boundaries: Lengths at which the next bucket begins, in increasing order.
      num_threads: As in `bucket`.
      capacity: As in `bucket`.
      bucket_capacities: As in `bucket`. It has one element more than `bucket_boundaries`.
      shapes: As in `bucket`.
      dynamic_pad: As in `bucket`.
      allow_smaller_final_batch: As in `bucket`.
      keep_input: As in `bucket`.
      shared_name: As in `bucket`.
      name: As in `bucket`.

    Returns:
      The lengths, an int32 tensor of shape [batch_size], and the batch in the form of `tensors`.

    Raises:
      TypeError: `bucket_boundaries` is not a list of integers.
      ValueError: `bucket_boundaries` is empty or does not increase, or as in `bucket`.
    """
    _check_boundaries(bucket_boundaries)
    with tf1.name_scope(name, "bucket_by_sequence_length", [input_length, *_as_list(tensors)]):
        length = tf.cast(input_length, tf.int32)
        below = tf.cast(tf.less_equal(list(bucket_boundaries), length), tf.int32)
        _, (lengths, *values) = bucket(
            [length, *_as_list(tensors)],
            which_bucket=tf.reduce_sum(below),
            batch_size=batch_size,
            num_buckets=len(bucket_boundaries) + 1,
            num_threads=num_threads,
            capacity=capacity,
            bucket_capacities=bucket_capacities,
            shapes=None if shapes is None else [[], *shapes],
            dynamic_pad=dynamic_pad,
            allow_smaller_final_batch=allow_smaller_final_batch,
            keep_input=keep_input,
            shared_name=shared_name,
        )
    return lengths, _like(tensors, values)


def _check_boundaries(boundaries: Any) -> None:
    if not isinstance(boundaries, (list, tuple)):
        raise TypeError(f"bucket_boundaries must be a list or tuple, but received: {boundaries}")
    if not boundaries:
        raise ValueError("bucket_boundaries must not be empty")
    for lower, upper in itertools.pairwise(boundaries):
        if not isinstance(lower, int) or not isinstance(upper, int):
            raise TypeError(f"bucket boundaries must be integers, but saw: {lower} and {upper}")
        if lower >= upper:
            raise ValueError(
                "Buckets must contain sequential increasing lengths, but saw: "
                f"{lower} before {upper}"
            )


def _fill(queues: list[Any], example: list[tf.Tensor], index: tf.Tensor, keep: Any) -> Any:
    """Creates the operation that enqueues the example in its bucket."""

    def into_one() -> tf.Operation:
        return tf.group(
            *[
                tf1.cond(
                    tf.equal(index, i),
                    lambda queue=queue: tf.group(queue.enqueue(example)),
                    tf.no_op,
                )
                for i, queue in enumerate(queues)
            ]
        )

    return into_one() if keep is True else tf1.cond(tf.cast(keep, tf.bool), into_one, tf.no_op)


def _batch(queue: Any, size: Any, smaller: bool) -> list[tf.Tensor]:
    return _as_list(queue.dequeue_up_to(size) if smaller else queue.dequeue_many(size))


def _batch_shapes(queue: Any, size: int | None) -> list[tf.TensorShape]:
    return [tf.TensorShape([size]).concatenate(shape) for shape in queue.shapes]


def _run_queues(queues: list[Any], batches: Any, fill: list[Any], take: list[Any]) -> None:
    """Adds the queue runners, which pass the end of the input from the buckets to the batches."""
    tf1.train.add_queue_runner(
        tf1.train.QueueRunner(
            queues[0],
            take,
            close_op=batches.close(),
            cancel_op=batches.close(cancel_pending_enqueues=True),
            queue_closed_exception_types=_QUEUE_ENDED,
        )
    )
    tf1.train.add_queue_runner(
        tf1.train.QueueRunner(
            batches,
            fill,
            close_op=tf.group(*[queue.close() for queue in queues]),
            cancel_op=tf.group(*[queue.close(cancel_pending_enqueues=True) for queue in queues]),
            queue_closed_exception_types=_QUEUE_ENDED,
        )
    )


def _dense(tensors: list[Any]) -> list[tf.Tensor]:
    if not tensors:
        raise ValueError("Expected at least one tensor in bucket().")
    if any(isinstance(t, tf1.SparseTensor) for t in tensors):
        raise NotImplementedError(
            "tf.contrib.training.bucket does not take sparse tensors here: make them dense with "
            "tf.sparse.to_dense and set dynamic_pad=True."
        )
    return [tf.convert_to_tensor(t) for t in tensors]


def _static(size: Any) -> int | None:
    value = tf.get_static_value(tf.convert_to_tensor(size))
    return None if value is None else int(value)


def _as_list(tensors: Any) -> list[Any]:
    if isinstance(tensors, dict):
        return [tensors[key] for key in sorted(tensors)]
    return list(tensors) if isinstance(tensors, (list, tuple)) else [tensors]


def _like(tensors: Any, values: list[tf.Tensor]) -> Any:
    if isinstance(tensors, dict):
        return dict(zip(sorted(tensors), values, strict=True))
    if len(values) == 1 and not isinstance(tensors, (list, tuple)):
        return values[0]
    return values
