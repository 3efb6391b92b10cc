"""tf.contrib.data: transformations of tf.data, most of which tf.data.experimental has today.

dataset = files.apply(data.parallel_interleave(tf.data.TFRecordDataset, cycle_length=4))
dataset = dataset.apply(data.map_and_batch(parse, batch_size=32))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing
from legacy.estimator.hooks import input_checkpoint

tf1 = tf.compat.v1
_e = tf1.data.experimental

AUTOTUNE = tf.data.AUTOTUNE
CheckpointInputPipelineHook = input_checkpoint.CheckpointInputPipelineHook
# The first version of tf.data stood here whole.
Dataset = tf1.data.Dataset
FixedLengthRecordDataset = tf1.data.FixedLengthRecordDataset
Iterator = tf1.data.Iterator
TFRecordDataset = tf1.data.TFRecordDataset
TextLineDataset = tf1.data.TextLineDataset

Counter = _e.Counter
CsvDataset = _e.CsvDataset
Optional = _e.Optional
RandomDataset = _e.RandomDataset
Reducer = _e.Reducer
SqlDataset = _e.SqlDataset
TFRecordWriter = _e.TFRecordWriter
bucket_by_sequence_length = _e.bucket_by_sequence_length
choose_from_datasets = _e.choose_from_datasets
copy_to_device = _e.copy_to_device
dense_to_sparse_batch = _e.dense_to_sparse_batch
enumerate_dataset = _e.enumerate_dataset
get_next_as_optional = _e.get_next_as_optional
get_single_element = _e.get_single_element
group_by_reducer = _e.group_by_reducer
group_by_window = _e.group_by_window
ignore_errors = _e.ignore_errors
make_batched_features_dataset = _e.make_batched_features_dataset
make_csv_dataset = _e.make_csv_dataset
make_saveable_from_iterator = _e.make_saveable_from_iterator
map_and_batch = _e.map_and_batch
parallel_interleave = _e.parallel_interleave
parse_example_dataset = _e.parse_example_dataset
prefetch_to_device = _e.prefetch_to_device
rejection_resample = _e.rejection_resample
sample_from_datasets = _e.sample_from_datasets
scan = _e.scan
shuffle_and_repeat = _e.shuffle_and_repeat
unbatch = _e.unbatch
unique = _e.unique

_Transformation = Callable[[tf.data.Dataset], tf.data.Dataset]


def batch_and_drop_remainder(batch_size: Any) -> _Transformation:
    """Makes batches of one size; what is left over is dropped.

    Args:
      batch_size: Examples in a batch.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


def padded_batch_and_drop_remainder(
    batch_size: Any, padded_shapes: Any, padding_values: Any = None
) -> _Transformation:
    """Makes batches of one size from padded examples; what is left over is dropped.

    Args:
      batch_size: Examples in a batch.
      padded_shapes: As in `Dataset.padded_batch`.
      padding_values: As in `Dataset.padded_batch`.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: dataset.padded_batch(
        batch_size, padded_shapes, padding_values, drop_remainder=True
    )


def sloppy_interleave(
    map_func: Callable[..., Any], cycle_length: Any, block_length: Any = 1
) -> _Transformation:
    """As `parallel_interleave(sloppy=True)`: the order may differ from run to run.

    Args:
      map_func: From an element to a Dataset.
      cycle_length: How many Datasets are read at a time.
      block_length: How many elements come from one before the next.

    Returns:
      A function for `Dataset.apply`.
    """
    return parallel_interleave(map_func, cycle_length, block_length, sloppy=True)


def sliding_window_batch(
    window_size: int,
    stride: int | None = None,
    window_shift: int | None = None,
    window_stride: int = 1,
) -> _Transformation:
    """Makes batches that overlap.

    Args:
      window_size: Elements in a batch.
      stride: The older name of `window_shift`.
      window_shift: Elements from the start of one batch to that of the next; None is 1.
      window_stride: Elements from one of a batch to the next, in the input.

    Returns:
      A function for `Dataset.apply`.

    Raises:
      ValueError: Both names of the shift are given.
    """
    if stride is not None and window_shift is not None:
        raise ValueError("Cannot specify both `stride` and `window_shift`")
    shift = next((each for each in (stride, window_shift) if each is not None), 1)

    def join(*windows: Any) -> tf.data.Dataset:
        element = windows[0] if len(windows) == 1 else windows
        return _zipped(element).batch(window_size, drop_remainder=True)

    def apply(dataset: tf.data.Dataset) -> tf.data.Dataset:
        windows = dataset.window(window_size, shift, window_stride, drop_remainder=True)
        return windows.flat_map(join)

    return apply


def _zipped(element: Any) -> tf.data.Dataset:
    return element if isinstance(element, tf.data.Dataset) else tf.data.Dataset.zip(element)


def assert_element_shape(expected_shapes: Any) -> _Transformation:
    """Checks elements' shapes, and tells them to TensorFlow.

    Args:
      expected_shapes: The shapes, nested as the elements are; unknown sizes are None.

    Returns:
      A function for `Dataset.apply`.
    """
    shapes = [
        tf.TensorShape(shape)
        for shape in tf.nest.flatten(
            tf.nest.map_structure(tf.TensorShape, expected_shapes, expand_composites=False)
        )
    ]

    def check(*element: Any) -> Any:
        tensors = tf.nest.flatten(element)
        checked = [
            tf.ensure_shape(tensor, shape) for tensor, shape in zip(tensors, shapes, strict=True)
        ]
        packed = tf.nest.pack_sequence_as(element, checked)
        return packed[0] if len(packed) == 1 else packed

    return lambda dataset: dataset.map(check)


def reduce_dataset(dataset: tf.data.Dataset, reducer: Any) -> Any:
    """Reduces a Dataset to one value.

    Args:
      dataset: The Dataset.
      reducer: A `Reducer`.

    Returns:
      The value.

    Raises:
      TypeError: It is no `Reducer`.
    """
    if not isinstance(reducer, Reducer):
        raise TypeError(f"reducer must be a Reducer, and is {type(reducer)}.")
    reduced = dataset.apply(group_by_reducer(lambda *_: tf.constant(0, tf.int64), reducer))
    return get_single_element(reduced)


def read_batch_features(
    file_pattern: Any,
    batch_size: int,
    features: Mapping[str, Any],
    reader: Any = tf1.data.TFRecordDataset,
    reader_args: Any = None,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    capacity: int = 10000,
) -> dict[str, Any]:
    """Reads and parses files of tf.Example.

    Args:
      file_pattern: Files, or patterns of files.
      batch_size: Examples in a batch.
      features: By name, a feature of tf.io, such as FixedLenFeature.
      reader: From files to a Dataset of serialized examples.
      reader_args: Further arguments for it.
      randomize_input: Whether to shuffle, among `capacity` examples.
      num_epochs: How often all is read; None for no end.
      capacity: See there.

    Returns:
      The features by name, as tensors.
    """
    dataset = make_batched_features_dataset(
        file_pattern,
        batch_size,
        features,
        reader=reader,
        reader_args=reader_args,
        shuffle=randomize_input,
        num_epochs=num_epochs,
        shuffle_buffer_size=capacity,
    )
    return tf1.data.make_one_shot_iterator(dataset).get_next()


__getattr__ = _missing.attribute_of("data")
