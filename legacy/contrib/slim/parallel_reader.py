"""tf.contrib.slim.parallel_reader, in which several readers fill one queue of records.

key, record = parallel_reader.parallel_read("/data/*.tfrecord", tf.compat.v1.TFRecordReader)
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class ParallelReader(tf1.ReaderBase):
    """Group of readers that put their records into a common queue."""

    def __init__(
        self,
        reader_class: Any,
        common_queue: Any,
        num_readers: int = 4,
        reader_kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Creates the readers.

        Args:
          reader_class: Reader class, such as `tf.compat.v1.TFRecordReader`.
          common_queue: Queue of string pairs (key, record).
          num_readers: Number of parallel readers.
          reader_kwargs: Keyword arguments of the reader class.

        Raises:
          TypeError: The elements of the queue are not pairs of strings.
        """
        # As in the original, the base class is not initialized: it wraps a single reader op.
        if [dtype.base_dtype for dtype in common_queue.dtypes] != [tf.string, tf.string]:
            raise TypeError("common_queue.dtypes must be [tf.string, tf.string]")
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    @property
    def num_readers(self) -> int:
        """Number of parallel readers."""
        return len(self._readers)

    @property
    def common_queue(self) -> Any:
        """Queue of (key, record) pairs."""
        return self._common_queue

    def read(self, queue: Any, name: str | None = None) -> list[tf.Tensor]:
        """Returns the key and the record of a sample, and adds a queue runner.

        Args:
          queue: Queue of file names.
          name: Name of the operation.
        """
        self._fill_from(queue)
        return self._common_queue.dequeue(name=name)

    def read_up_to(self, queue: Any, num_records: int, name: str | None = None) -> list[tf.Tensor]:
        """Returns the keys and the records of several samples, and adds a queue runner.

        Args:
          queue: Queue of file names.
          num_records: Maximum number of records. The last call may return fewer.
          name: Name of the operation.
        """
        self._fill_from(queue)
        return self._common_queue.dequeue_up_to(num_records, name)

    def _fill_from(self, queue: Any) -> None:
        fill = [self._common_queue.enqueue(reader.read(queue)) for reader in self._readers]
        tf1.train.add_queue_runner(tf1.train.QueueRunner(self._common_queue, fill))

    def num_records_produced(self, name: str | None = None) -> tf.Tensor:
        """Returns the number of records that all readers have read."""
        return tf.add_n([reader.num_records_produced() for reader in self._readers], name=name)

    def num_work_units_completed(self, name: str | None = None) -> tf.Tensor:
        """Returns the number of files that all readers have read."""
        return tf.add_n([reader.num_work_units_completed() for reader in self._readers], name=name)


def parallel_read(
    data_sources: Any,
    reader_class: Any,
    num_epochs: int | None = None,
    num_readers: int = 4,
    reader_kwargs: dict[str, Any] | None = None,
    shuffle: bool = True,
    dtypes: Any = None,
    capacity: int = 256,
    min_after_dequeue: int = 128,
    seed: int | None = None,
    scope: str | None = None,
) -> list[tf.Tensor]:
    """Reads the records of files through queues.

    Args:
      data_sources: File name, pattern, or list of file names and patterns.
      reader_class: Reader class, such as `tf.compat.v1.TFRecordReader`.
      num_epochs: Number of passes over the files. None repeats them without end. A local variable
        counts the epochs.
      num_readers: Number of parallel readers.
      reader_kwargs: Keyword arguments of the reader class.
      shuffle: If true, shuffles the files and the records.
      dtypes: Types of the key and the record. Both must be strings.
      capacity: Capacity of the queue in records.
      min_after_dequeue: Number of records that stay in the queue for shuffling.
      seed: Random seed.
      scope: Name scope.

    Returns:
      The key, which identifies the source of the record, and the record.

    Raises:
      ValueError: No files match.
    """
    files = get_data_files(data_sources)
    with tf1.name_scope(scope, "parallel_read"):
        names = tf1.train.string_input_producer(
            files, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name="filenames"
        )
        dtypes = dtypes or [tf.string, tf.string]
        if shuffle:
            queue = tf.queue.RandomShuffleQueue(
                capacity, min_after_dequeue, dtypes, seed=seed, name="common_queue"
            )
        else:
            queue = tf.queue.FIFOQueue(capacity, dtypes, name="common_queue")
        share = tf.cast(queue.size(), tf.float32) * (1.0 / capacity)
        tf1.summary.scalar(f"fraction_of_{capacity}_full", share)
        return ParallelReader(reader_class, queue, num_readers, reader_kwargs).read(names)


def single_pass_read(
    data_sources: Any,
    reader_class: Any,
    reader_kwargs: dict[str, Any] | None = None,
    scope: str | None = None,
) -> Any:
    """Reads the records of files once and in order. See `parallel_read` for the arguments."""
    files = get_data_files(data_sources)
    with tf1.name_scope(scope, "single_pass_read"):
        names = tf1.train.string_input_producer(
            files, num_epochs=1, shuffle=False, capacity=1, name="filenames"
        )
        return reader_class(**(reader_kwargs or {})).read(names)


def get_data_files(data_sources: Any) -> list[str]:
    """Returns the files that match names and patterns.

    Args:
      data_sources: File name, pattern (with *, ? or [), or list of file names and patterns.

    Raises:
      ValueError: No files match.
    """
    if isinstance(data_sources, (list, tuple)):
        files = [file for source in data_sources for file in get_data_files(source)]
    elif any(sign in data_sources for sign in "*?["):
        files = tf.io.gfile.glob(data_sources)
    else:
        files = [data_sources]
    if not files:
        raise ValueError(f"No data files found in {data_sources}")
    return files
