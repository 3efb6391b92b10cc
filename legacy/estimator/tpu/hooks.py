"""Hooks of TPUEstimator, which report examples per second and run host calls.

hooks = [ExamplesPerSecondHook(batch_size=32, every_n_steps=100, output_dir="/tmp/model")]
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

# The graph collection in which TensorFlow registers the initializers of v2 summary writers.
_WRITER_INITIALIZERS = "_SUMMARY_WRITER_V2"


class ExamplesPerSecondHook(tf1.train.StepCounterHook):
    """Logs and writes "global_step/sec" and "examples/sec".

    Args:
      batch_size: Examples per step. If None, only steps are reported.
      every_n_steps: Steps between two reports. Mutually exclusive with `every_n_secs`.
      every_n_secs: Seconds between two reports.
      output_dir: Directory of the event file. None writes no file.
      summary_writer: A summary writer, instead of `output_dir`.
    """

    def __init__(
        self,
        batch_size: int | None,
        every_n_steps: int | None = 100,
        every_n_secs: float | None = None,
        output_dir: str | None = None,
        summary_writer: Any = None,
    ) -> None:
        self._batch_size = batch_size
        super().__init__(
            every_n_steps=every_n_steps,
            every_n_secs=every_n_secs,
            output_dir=output_dir,
            summary_writer=summary_writer,
        )

    def _log_and_record(self, elapsed_steps: int, elapsed_time: float, global_step: int) -> None:
        rates = {"global_step/sec": elapsed_steps / elapsed_time}
        if self._batch_size is not None:
            rates["examples/sec"] = self._batch_size * rates["global_step/sec"]
        for tag, rate in rates.items():
            if self._summary_writer is not None:
                value = tf1.Summary.Value(tag=tag, simple_value=rate)
                self._summary_writer.add_summary(tf1.Summary(value=[value]), global_step)
            tf1.logging.info("%s: %g", tag, rate)


class HostCallHook(tf1.train.SessionRunHook):
    """Runs the results of a host call with each step.

    It initializes the graph's writers of v2 summaries at the start and flushes them at the end.

    Args:
      tensors: A nest of tensors and operations.
    """

    def __init__(self, tensors: Any) -> None:
        self._tensors = tensors

    def begin(self) -> None:
        """Creates the operations that flush the writers."""
        self._initializers = tf1.get_collection(_WRITER_INITIALIZERS)
        # The first input of an initializer is its writer.
        self._flush = [
            tf.raw_ops.FlushSummaryWriter(writer=initializer.inputs[0])
            for initializer in self._initializers
        ]

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Initializes the writers."""
        session.run(self._initializers)

    def before_run(self, run_context: Any) -> Any:
        """Requests the tensors."""
        return tf1.train.SessionRunArgs(self._tensors)

    def end(self, session: Any) -> None:
        """Flushes the writers."""
        session.run(self._flush)
