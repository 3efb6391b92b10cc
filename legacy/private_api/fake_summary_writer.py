"""A summary writer that keeps summaries in memory, where old tests of hooks inspect them.

    FakeSummaryWriter.install()
    try:
        estimator.train(input_fn, steps=10)
        writer = tf.compat.v1.summary.FileWriterCache.get(estimator.model_dir)
        writer.assert_summaries(self, expected_summaries={1: {"loss": 0.5}})
    finally:
        FakeSummaryWriter.uninstall()

Old test suites import it from `tensorflow_estimator.python.estimator.hooks.fake_summary_writer`.
"""

# ruff: noqa: PT009 - the test case is the old test suite's.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import tensorflow as tf

tf1 = tf.compat.v1

# A separate thread writes this tag, so its number of values is random.
_BY_CHANCE = "global_step/sec"


class FakeSummaryWriter:
    """Replacement for `tf.compat.v1.summary.FileWriter`.

    Args:
      logdir: The folder in which the real one would write.
      graph: The graph that the real one would write.

    Attributes:
      summaries: The Summaries that were added, by step.
    """

    _real: ClassVar[tuple[Any, Any] | None] = None
    _writers: ClassVar[dict[str, FakeSummaryWriter]] = {}

    @classmethod
    def install(cls) -> None:
        """Makes FileWriterCache return fake writers, one for each folder.

        Raises:
          ValueError: It is installed already.
        """
        if cls._real is not None:
            raise ValueError("FakeSummaryWriter already installed.")
        cache = tf1.summary.FileWriterCache
        # Hooks of tf.train get their writer from this cache. `vars` returns the staticmethod
        # itself, which `uninstall` can set again.
        cls._real = (vars(cache)["get"], tf1.summary.FileWriter)
        cls._writers = {}
        cache.get = staticmethod(cls._get)
        tf1.summary.FileWriter = cls

    @classmethod
    def uninstall(cls) -> None:
        """Reverts `install`.

        Raises:
          ValueError: It is not installed.
        """
        if cls._real is None:
            raise ValueError("FakeSummaryWriter not installed.")
        tf1.summary.FileWriterCache.get, tf1.summary.FileWriter = cls._real
        cls._real, cls._writers = None, {}

    @classmethod
    def _get(cls, logdir: str) -> FakeSummaryWriter:
        if logdir not in cls._writers:
            cls._writers[logdir] = cls(logdir, graph=tf1.get_default_graph())
        return cls._writers[logdir]

    def __init__(self, logdir: str, graph: tf.Graph | None = None) -> None:
        self._logdir = logdir
        self._graph = graph
        self.summaries: dict[int, list[Any]] = {}
        self._added_graphs: list[Any] = []
        self._added_meta_graphs: list[Any] = []
        self._added_session_logs: list[Any] = []
        self._added_run_metadata: dict[str, Any] = {}

    def assert_summaries(
        self,
        test_case: Any,
        expected_logdir: str | None = None,
        expected_graph: tf.Graph | None = None,
        expected_summaries: Mapping[int, Mapping[str, float]] | None = None,
        expected_added_graphs: Sequence[Any] | None = None,
        expected_added_meta_graphs: Sequence[Any] | None = None,
        expected_session_logs: Sequence[Any] | None = None,
    ) -> None:
        """Checks the data that was added. An expectation of None is not checked.

        Args:
          test_case: A `unittest.TestCase`, which fails if the data differs.
          expected_logdir: The folder.
          expected_graph: The graph that the writer was created with.
          expected_summaries: All values of a step by tag, by step.
          expected_added_graphs: The graphs.
          expected_added_meta_graphs: The MetaGraphDefs.
          expected_session_logs: The SessionLogs.
        """
        if expected_logdir is not None:
            test_case.assertEqual(expected_logdir, self._logdir)
        if expected_graph is not None:
            test_case.assertIs(expected_graph, self._graph)
        for step, expected_values in (expected_summaries or {}).items():
            test_case.assertIn(step, self.summaries, f"Missing step {step}.")
            values = [value for summary in self.summaries[step] for value in summary.value]
            actual_values = {
                value.tag: value.simple_value for value in values if value.tag != _BY_CHANCE
            }
            test_case.assertEqual(dict(expected_values), actual_values)
        if expected_added_graphs is not None:
            test_case.assertEqual([*expected_added_graphs], self._added_graphs)
        if expected_added_meta_graphs is not None:
            test_case.assertEqual([*expected_added_meta_graphs], self._added_meta_graphs)
        if expected_session_logs is not None:
            test_case.assertEqual([*expected_session_logs], self._added_session_logs)

    def add_summary(self, summ: Any, current_global_step: int) -> None:
        """Stores a Summary, which may be serialized."""
        if isinstance(summ, bytes):
            summ = tf1.Summary.FromString(summ)
        self.summaries.setdefault(current_global_step, []).append(summ)

    def add_graph(self, graph: Any, global_step: int | None = None, graph_def: Any = None) -> None:
        """Stores a graph.

        Raises:
          ValueError: The step is negative, or `graph_def` is set.
        """
        _check_step(global_step)
        if graph_def is not None:
            raise ValueError(f"Unexpected graph_def {graph_def}.")
        self._added_graphs.append(graph)

    def add_meta_graph(self, meta_graph_def: Any, global_step: int | None = None) -> None:
        """Stores a MetaGraphDef.

        Raises:
          ValueError: The step is negative.
        """
        _check_step(global_step)
        self._added_meta_graphs.append(meta_graph_def)

    def add_session_log(self, session_log: Any, global_step: int | None = None) -> None:
        """Stores a SessionLog."""
        del global_step
        self._added_session_logs.append(session_log)

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: int | None = None) -> None:
        """Stores a RunMetadata.

        Raises:
          ValueError: The step is negative.
        """
        _check_step(global_step)
        self._added_run_metadata[tag] = run_metadata

    def flush(self) -> None:
        """Does nothing, because it writes no file."""

    reopen = close = flush


def _check_step(step: int | None) -> None:
    if step is not None and step < 0:
        raise ValueError(f"Invalid global_step {step}.")
