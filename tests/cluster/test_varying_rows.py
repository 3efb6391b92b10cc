"""Tests of synchronous workers whose sparse gradients have another number of rows in each step."""

import sys

import numpy as np
import pytest
import tensorflow as tf

from migrate.bridge.jobs.job import Job
from modern.model_files import checkpoints
from tests.cluster import trainings

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore:`tf.layers:UserWarning")]
FUNCTIONS = "tests.cluster.varying_rows"
BRIDGED = [
    *(sys.executable, "-m", "migrate", "train"),
    *(f"--model_fn={FUNCTIONS}:model_fn", f"--input_fn={FUNCTIONS}:input_fn"),
    *("--train_steps=20", "--warmup_steps=1", "--steps_per_execution=5", "--noexport"),
]


def table(folder):
    model = Job(f"{FUNCTIONS}:model_fn", f"{FUNCTIONS}:input_fn", None, "{}").evaluation_model()
    path = tf.train.latest_checkpoint(str(folder / "checkpoints"))
    assert checkpoints.restore_for_evaluation(model, path) == 20
    return model.variables_by_name["table"].numpy()


def test_several_steps_per_execution_train_as_one_process_does(tmp_path):
    """All workers read the same batches, so the mean gradient is that of one process."""
    trainings.to_the_end(trainings.cluster(tmp_path, tmp_path / "two", program=BRIDGED))
    trainings.alone(tmp_path / "one", program=BRIDGED)
    found = table(tmp_path / "two")
    assert np.count_nonzero(found) == len(found)
    np.testing.assert_allclose(found, table(tmp_path / "one"), rtol=1e-5)
