"""Tests of the fake writer that old tests of hooks read."""

import pytest
import tensorflow as tf

from legacy.private_api.fake_summary_writer import FakeSummaryWriter

tf1 = tf.compat.v1


@pytest.fixture
def installed():
    FakeSummaryWriter.install()
    yield
    FakeSummaryWriter.uninstall()


@pytest.mark.usefixtures("installed")
def test_what_a_hook_writes(tmp_path):
    folder = str(tmp_path)
    with tf.Graph().as_default() as graph:
        step = tf1.train.create_global_step()
        summary = tf1.summary.scalar("doubled", 2 * step)
        hook = tf1.train.SummarySaverHook(1, output_dir=folder, summary_op=summary)
        with tf.control_dependencies([summary]):  # The summary reads the step before it grows.
            increment = tf1.assign_add(step, 1)
        with tf1.train.MonitoredSession(hooks=[hook]) as session:
            session.run(increment)
        writer = tf1.summary.FileWriterCache.get(folder)
    case = tf.test.TestCase()
    writer.assert_summaries(case, folder, graph, {1: {"doubled": 0.0}})
    for wrong in ({2: {}}, {1: {"doubled": 1.0}}, {1: {}}):
        with pytest.raises(AssertionError):
            writer.assert_summaries(case, expected_summaries=wrong)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("installed")
def test_what_it_refuses():
    with pytest.raises(ValueError, match="already installed"):
        FakeSummaryWriter.install()
    writer = tf1.summary.FileWriter("folder")
    with pytest.raises(ValueError, match="global_step -1"):
        writer.add_graph(None, global_step=-1)
    with pytest.raises(ValueError, match="graph_def"):
        writer.add_graph(None, graph_def="graph")


def test_uninstalled_is_as_before():
    before = tf1.summary.FileWriter, tf1.summary.FileWriterCache.get
    FakeSummaryWriter.install()
    FakeSummaryWriter.uninstall()
    assert (tf1.summary.FileWriter, tf1.summary.FileWriterCache.get) == before
    with pytest.raises(ValueError, match="not installed"):
        FakeSummaryWriter.uninstall()
