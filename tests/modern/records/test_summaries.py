"""Tests of scalars for TensorBoard, which are written without its package."""

import subprocess
import sys

import pytest
import tensorflow as tf

from modern.records import summaries
from tests.cluster.trainings import ROOT


def read(folder):
    """Returns (step, tag, value, plugin) of all scalars."""
    return [
        (event.step, value.tag, float(tf.make_ndarray(value.tensor)),
         value.metadata.plugin_data.plugin_name)
        for path in sorted(folder.iterdir())
        for event in tf.compat.v1.train.summary_iterator(str(path))
        for value in event.summary.value
    ]  # fmt: skip


def test_scalars_are_read_back(tmp_path):
    folder = tmp_path / "eval"
    scalars = summaries.ScalarWriter(str(folder))
    assert not folder.exists()
    scalars.write(7, {"loss": 0.5, "accuracy": 0.75})
    scalars.write(9, {"loss": 0.25})
    assert len(list(folder.iterdir())) == 1  # TensorBoard reads one file of a folder at a time.
    assert read(folder) == [
        (7, "loss", 0.5, "scalars"),
        (7, "accuracy", 0.75, "scalars"),
        (9, "loss", pytest.approx(0.25), "scalars"),
    ]


def test_scalars_of_several_files_are_read_by_step(tmp_path):
    assert summaries.read(str(tmp_path / "nowhere")) == {}
    with tf.Graph().as_default(), tf.compat.v1.summary.FileWriter(str(tmp_path)) as file:
        value = tf.compat.v1.Summary.Value(tag="loss", simple_value=0.5)
        file.add_summary(tf.compat.v1.Summary(value=[value]), 9)  # As an Estimator writes it.
    summaries.ScalarWriter(str(tmp_path)).write(3, {"loss": 2.0, "mae": 1.0})
    assert summaries.read(str(tmp_path)) == {3: {"loss": 2.0, "mae": 1.0}, 9: {"loss": 0.5}}
    (tmp_path / "events.out.tfevents.0.damaged").write_bytes(b"no event file")
    assert [*summaries.read(str(tmp_path))] == [3, 9]


def test_tensorboard_is_not_needed(tmp_path):
    code = (
        "import sys; sys.modules['tensorboard'] = None\n"
        "from modern.process import quiet_import\n"
        "quiet_import.import_tensorflow()\n"
        "from modern.records import summaries\n"
        f"summaries.ScalarWriter({str(tmp_path / 'eval')!r}).write(1, {{'loss': 1.0}})"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, timeout=60)
    assert read(tmp_path / "eval")[0][:3] == (1, "loss", 1.0)
