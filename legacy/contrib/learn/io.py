"""contrib.learn.io: input functions for arrays, and queues that read tf.Example files.

    features = read_batch_features("/data/*.tfrecord", 32, spec, tf.compat.v1.TFRecordReader)

A new program uses tf.data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import tensorflow as tf

from legacy.contrib import _missing
from legacy.contrib.learn.inputs import core_input_fns
from legacy.contrib.learn.inputs import data_feeder as data_feeder

tf1 = tf.compat.v1

numpy_input_fn = core_input_fns.numpy_input_fn
pandas_input_fn = core_input_fns.pandas_input_fn

_NUMBERS = "iufb"


def extract_pandas_data(data: Any) -> Any:
    """Returns a DataFrame's values as floats, and any other object unchanged.

    Args:
      data: A DataFrame or any other object.

    Raises:
      ValueError: A column is not numeric.
    """
    if not hasattr(data, "dtypes") or not hasattr(data, "columns"):
        return data
    wrong = [name for name in data.columns if data[name].dtype.kind not in _NUMBERS]
    if wrong:
        raise ValueError(
            f"Data types for extracting pandas data must be int, float, or bool: {wrong}."
        )
    return data.to_numpy(dtype="float")


def extract_pandas_matrix(data: Any) -> Any:
    """Returns a DataFrame's values, and any other object unchanged.

    Args:
      data: A DataFrame or any other object.
    """
    return data.to_numpy() if hasattr(data, "columns") else data


def extract_pandas_labels(labels: Any) -> Any:
    """Returns the values of a DataFrame's only column, and any other object unchanged.

    Args:
      labels: A DataFrame, a Series or any other object.

    Raises:
      ValueError: The DataFrame has several columns.
    """
    if not hasattr(labels, "columns"):
        return labels
    if len(labels.columns) > 1:
        raise ValueError("Only one column for labels is allowed.")
    return extract_pandas_data(labels)


def generator_input_fn(
    x: Callable[[], Any],
    target_key: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool = True,
    queue_capacity: int = 1000,
    num_threads: int = 1,
    pad_value: Any = None,
) -> Callable[[], Any]:
    """Creates an input function from a generator.

    Args:
      x: Function that returns a generator of dicts from name to array.
      target_key: Name of the label, or a list of names. None returns no labels.
      batch_size: Number of examples in a batch.
      num_epochs: Number of times that the generator is read. None repeats forever.
      shuffle: If true, shuffles in a buffer of `queue_capacity` examples.
      queue_capacity: Size of the shuffle buffer, in examples.
      num_threads: Not used. A generator runs in one thread.
      pad_value: Value that pads arrays of different lengths. None refuses such arrays.

    Returns:
      The input function.

    Raises:
      TypeError: `x` is not callable.
    """
    del num_threads
    if not callable(x):
        raise TypeError(f"x must be generator function; got {type(x).__name__}")

    def input_fn() -> Any:
        first_batch = next(iter(x()))
        signature = {
            name: tf.TensorSpec(
                np.shape(value) if pad_value is None else [None] * np.ndim(value),
                tf.as_dtype(np.asarray(value).dtype),
            )
            for name, value in first_batch.items()
        }
        dataset = tf.data.Dataset.from_generator(x, output_signature=signature)
        if shuffle:
            dataset = dataset.shuffle(queue_capacity)
        dataset = dataset.repeat(num_epochs)
        if pad_value is None:
            dataset = dataset.batch(batch_size)
        else:
            values = {name: tf.cast(pad_value, spec.dtype) for name, spec in signature.items()}
            dataset = dataset.padded_batch(batch_size, padding_values=values)
        features = tf1.data.make_one_shot_iterator(dataset).get_next()
        if target_key is None:
            return features
        if isinstance(target_key, (list, tuple)):
            return features, {key: features.pop(key) for key in target_key}
        return features, features.pop(target_key)

    return input_fn


def read_keyed_batch_examples(
    file_pattern: Any,
    batch_size: int,
    reader: Callable[[], Any],
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    num_threads: int = 1,
    read_batch_size: int = 1,
    parse_fn: Callable[[tf.Tensor], Any] | None = None,
    name: str | None = None,
    seed: int | None = None,
) -> tuple[tf.Tensor, Any]:
    """Reads files by queues.

    Args:
      file_pattern: Files, or patterns of files: a string or a list.
      batch_size: Number of examples in a batch.
      reader: Function that returns a reader, such as `tf.compat.v1.TFRecordReader`.
      randomize_input: If true, shuffles files and examples.
      num_epochs: Number of times that the files are read, counted in a local variable. None repeats
        forever.
      queue_capacity: Maximum number of queued examples.
      num_threads: Number of concurrent readers.
      read_batch_size: Number of examples that a reader reads at once.
      parse_fn: Function from a serialized example to a tensor.
      name: Name of the operations.
      seed: Seed of the order.

    Returns:
      Keys of shape [batch_size], and serialized examples of shape [batch_size] or the results of
      `parse_fn`.

    Raises:
      ValueError: A number is out of range, or no file matches.
    """
    files = _files(file_pattern)
    _check_positive("queue_capacity", queue_capacity)
    _check_positive("read_batch_size", read_batch_size)
    _check_positive("num_threads", num_threads)
    if num_epochs is not None:
        _check_positive("num_epochs", num_epochs)
    if not 0 < batch_size < queue_capacity:
        raise ValueError(f"Invalid batch_size {batch_size}, with queue_capacity {queue_capacity}.")
    with tf1.name_scope(name, "read_batch_examples", [file_pattern]):
        queue = tf1.train.string_input_producer(
            files, num_epochs=num_epochs, shuffle=randomize_input, seed=seed
        )
        examples = [
            _read_examples(queue, reader(), read_batch_size, parse_fn) for _ in range(num_threads)
        ]
        common = {
            "batch_size": batch_size,
            "capacity": queue_capacity,
            "enqueue_many": read_batch_size > 1,
            "allow_smaller_final_batch": num_epochs is not None,
        }
        if not randomize_input:
            keys, *values = tf1.train.batch_join(examples, **common)
        else:
            # Leaves room for three batches in the queue.
            least = max(queue_capacity - 3 * batch_size, batch_size)
            keys, *values = tf1.train.shuffle_batch_join(
                examples, min_after_dequeue=least, seed=seed, **common
            )
    return keys, values[0]


def read_batch_examples(
    file_pattern: Any,
    batch_size: int,
    reader: Callable[[], Any],
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    num_threads: int = 1,
    read_batch_size: int = 1,
    parse_fn: Callable[[tf.Tensor], Any] | None = None,
    name: str | None = None,
    seed: int | None = None,
) -> Any:
    """Reads files by queues, as `read_keyed_batch_examples` does, and returns no keys.

    Args:
      file_pattern: As in `read_keyed_batch_examples`.
      batch_size: As in `read_keyed_batch_examples`.
      reader: As in `read_keyed_batch_examples`.
      randomize_input: As in `read_keyed_batch_examples`.
      num_epochs: As in `read_keyed_batch_examples`.
      queue_capacity: As in `read_keyed_batch_examples`.
      num_threads: As in `read_keyed_batch_examples`.
      read_batch_size: As in `read_keyed_batch_examples`.
      parse_fn: As in `read_keyed_batch_examples`.
      name: As in `read_keyed_batch_examples`.
      seed: As in `read_keyed_batch_examples`.
    """
    _, examples = read_keyed_batch_examples(
        file_pattern,
        batch_size,
        reader,
        randomize_input=randomize_input,
        num_epochs=num_epochs,
        queue_capacity=queue_capacity,
        num_threads=num_threads,
        read_batch_size=read_batch_size,
        parse_fn=parse_fn,
        name=name,
        seed=seed,
    )
    return examples


def read_keyed_batch_features(
    file_pattern: Any,
    batch_size: int,
    features: Mapping[str, Any],
    reader: Callable[[], Any],
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    reader_num_threads: int = 1,
    feature_queue_capacity: int = 100,
    num_enqueue_threads: int = 2,
    parse_fn: Callable[[tf.Tensor], Any] | None = None,
    name: str | None = None,
    read_batch_size: int | None = None,
) -> tuple[tf.Tensor, dict[str, Any]]:
    """Reads and parses files of tf.Example by queues.

    Args:
      file_pattern: As in `read_keyed_batch_examples`.
      batch_size: As in `read_keyed_batch_examples`.
      features: Features of tf.io, such as FixedLenFeature, by name.
      reader: As in `read_keyed_batch_examples`.
      randomize_input: As in `read_keyed_batch_examples`.
      num_epochs: As in `read_keyed_batch_examples`.
      queue_capacity: As in `read_keyed_batch_examples`.
      reader_num_threads: Number of concurrent readers.
      feature_queue_capacity: Not used. A batch is parsed when it is requested.
      num_enqueue_threads: Not used.
      parse_fn: Function from a record to a serialized tf.Example.
      name: As in `read_keyed_batch_examples`.
      read_batch_size: As in `read_keyed_batch_examples`. None is 1.

    Returns:
      Keys of shape [batch_size], and features by name.
    """
    del feature_queue_capacity, num_enqueue_threads
    with tf1.name_scope(name, "read_batch_features", [file_pattern]):
        keys, examples = read_keyed_batch_examples(
            file_pattern,
            batch_size,
            reader,
            randomize_input=randomize_input,
            num_epochs=num_epochs,
            queue_capacity=queue_capacity,
            num_threads=reader_num_threads,
            read_batch_size=read_batch_size or 1,
            parse_fn=parse_fn,
        )
        return keys, tf1.parse_example(examples, features)


def read_batch_features(
    file_pattern: Any,
    batch_size: int,
    features: Mapping[str, Any],
    reader: Callable[[], Any],
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    feature_queue_capacity: int = 100,
    reader_num_threads: int = 1,
    num_enqueue_threads: int = 2,
    parse_fn: Callable[[tf.Tensor], Any] | None = None,
    name: str | None = None,
    read_batch_size: int | None = None,
) -> dict[str, Any]:
    """Reads and parses files, as `read_keyed_batch_features` does, and returns no keys.

    Args:
      file_pattern: As in `read_keyed_batch_features`.
      batch_size: As in `read_keyed_batch_features`.
      features: As in `read_keyed_batch_features`.
      reader: As in `read_keyed_batch_features`.
      randomize_input: As in `read_keyed_batch_features`.
      num_epochs: As in `read_keyed_batch_features`.
      queue_capacity: As in `read_keyed_batch_features`.
      feature_queue_capacity: As in `read_keyed_batch_features`.
      reader_num_threads: As in `read_keyed_batch_features`.
      num_enqueue_threads: As in `read_keyed_batch_features`.
      parse_fn: As in `read_keyed_batch_features`.
      name: As in `read_keyed_batch_features`.
      read_batch_size: As in `read_keyed_batch_features`.
    """
    _, parsed = read_keyed_batch_features(
        file_pattern,
        batch_size,
        features,
        reader,
        randomize_input=randomize_input,
        num_epochs=num_epochs,
        queue_capacity=queue_capacity,
        reader_num_threads=reader_num_threads,
        feature_queue_capacity=feature_queue_capacity,
        num_enqueue_threads=num_enqueue_threads,
        parse_fn=parse_fn,
        name=name,
        read_batch_size=read_batch_size,
    )
    return parsed


def read_batch_record_features(
    file_pattern: Any,
    batch_size: int,
    features: Mapping[str, Any],
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    reader_num_threads: int = 1,
    name: str = "dequeue_record_examples",
) -> dict[str, Any]:
    """Reads and parses TFRecord files, as `read_batch_features` does.

    Args:
      file_pattern: As in `read_batch_features`.
      batch_size: As in `read_batch_features`.
      features: As in `read_batch_features`.
      randomize_input: As in `read_batch_features`.
      num_epochs: As in `read_batch_features`.
      queue_capacity: As in `read_batch_features`.
      reader_num_threads: As in `read_batch_features`.
      name: As in `read_batch_features`.
    """
    return read_batch_features(
        file_pattern,
        batch_size,
        features,
        tf1.TFRecordReader,
        randomize_input=randomize_input,
        num_epochs=num_epochs,
        queue_capacity=queue_capacity,
        reader_num_threads=reader_num_threads,
        name=name,
    )


def _files(pattern: Any) -> list[str]:
    patterns = list(pattern) if isinstance(pattern, (list, tuple)) else [pattern]
    if not patterns:
        raise ValueError("No files given to dequeue_examples.")
    files = [path for file_pattern in patterns for path in tf.io.gfile.glob(file_pattern)]
    if not files:
        raise ValueError(f"No files match {pattern}.")
    return sorted(files)


def _check_positive(name: str, value: Any) -> None:
    if not value or value <= 0:
        raise ValueError(f"Invalid {name} {value}.")


def _read_examples(queue: Any, reader: Any, count: int, parse_fn: Any) -> list[Any]:
    """Returns a pair (key, example), or (keys, examples) if `count` is above 1."""
    keys, examples = reader.read(queue) if count == 1 else reader.read_up_to(queue, count)
    if parse_fn is None:
        return [keys, examples]
    if count == 1:
        return [keys, parse_fn(examples)]
    return [keys, tf.map_fn(parse_fn, examples, dtype=tf.string)]


__getattr__ = _missing.attribute_of("learn.io")
