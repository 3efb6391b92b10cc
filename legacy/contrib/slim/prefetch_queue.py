"""tf.contrib.slim.prefetch_queue, a queue of batches for later steps.

queue = prefetch_queue.prefetch_queue([images, labels], capacity=2)
images, labels = queue.dequeue()
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


def prefetch_queue(
    tensors: Any,
    capacity: int = 8,
    num_threads: int = 1,
    dynamic_pad: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Adds a queue of batches and the queue runner that fills it.

    Args:
      tensors: List or dict of the tensors of a batch.
      capacity: Capacity of the queue in batches.
      num_threads: Number of threads that fill the queue.
      dynamic_pad: If true, the shapes may be partly unknown.
      shared_name: Name under which other sessions share the queue.
      name: Name prefix of the operations.

    Returns:
      The queue.
    """
    names = sorted(tensors) if isinstance(tensors, dict) else None
    in_order = [tensors[key] for key in names] if names else tensors
    with tf1.name_scope(name, "prefetch_queue", in_order):
        queue_class = tf.queue.PaddingFIFOQueue if dynamic_pad else tf.queue.FIFOQueue
        queue = queue_class(
            capacity=capacity,
            dtypes=[tensor.dtype for tensor in in_order],
            shapes=[tensor.shape for tensor in in_order],
            names=names,
            shared_name=shared_name,
        )
        enqueue = queue.enqueue(tensors)
        tf1.train.add_queue_runner(tf1.train.QueueRunner(queue, [enqueue] * num_threads))
        share = tf.cast(queue.size(), tf.float32) * (1.0 / capacity)
        tf1.summary.scalar(f"fraction_of_{capacity}_full", share)
        return queue
