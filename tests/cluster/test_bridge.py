"""Tests of `migrate train` on real clusters, which resume an Estimator's checkpoint."""

import json
import sys

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator as tf_estimator
from migrate.bridge.jobs.job import Job
from modern.model_files import checkpoints
from tests.cluster import trainings
from tests.migrate.bridge import small
from tests.modern import draws

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore:`tf.layers:UserWarning")]
SMALL = "tests.migrate.bridge.small"
BRIDGED = [
    *(sys.executable, "-m", "migrate", "train"),
    *(f"--model_fn={SMALL}:logging_model_fn", f"--input_fn={SMALL}:drawing_input_fn"),
    "--warmup_steps=5",
]
STEPS = 30  # After the Estimator's steps.


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Returns a folder with the models of an Estimator and of two clusters that continued it."""
    folder = tmp_path_factory.mktemp("bridged")
    estimator = tf_estimator.Estimator(small.model_fn, str(folder / "estimator"), params={})
    estimator.train(small.endless, steps=5)
    flags = [f"--init_checkpoint={estimator.latest_checkpoint()}", f"--train_steps={STEPS + 5}"]

    def noting(way):
        return "--model_params=" + json.dumps({"draws": str(folder / f"{way}.draws")})

    synchronous = trainings.cluster(
        folder / "1", folder / "synchronous", *flags, noting("synchronous"), program=BRIDGED
    )
    trainings.to_the_end(synchronous)
    served = trainings.cluster(
        folder / "2", folder / "served", *flags, noting("served"),
        program=BRIDGED, strategy="parameter_server", chief=True, ps=1,
    )  # fmt: skip
    trainings.to_the_end(served)
    estimator.train(small.endless, steps=STEPS)
    return folder, estimator


def weights(folder):
    """Returns the model's variables in the last checkpoint, and its step."""
    model = Job(f"{SMALL}:model_fn", f"{SMALL}:input_fn", None, "{}").evaluation_model()
    path = tf.train.latest_checkpoint(str(folder / "checkpoints"))
    step = checkpoints.restore_for_evaluation(model, path)
    return {name: v.numpy() for name, v in model.variables_by_name.items()}, step


def test_synchronous_training_goes_on_as_the_estimator_does(trained):
    folder, estimator = trained
    found, step = weights(folder / "synchronous")
    assert step == STEPS + 5
    for name, value in found.items():
        np.testing.assert_allclose(
            value, estimator.get_variable_value(name), rtol=1e-4, atol=1e-6, err_msg=name
        )


def test_parameter_servers_train_and_evaluate(trained):
    folder, estimator = trained
    result = trainings.result_of(folder / "served")
    assert sum(result["examples"].values()) == STEPS * 16
    expected = estimator.evaluate(small.input_fn)
    # The two workers are out of step, so the weights differ, but they are as good.
    assert result["eval"]["loss"] == pytest.approx(expected["loss"], rel=0.1)
    assert set(result["eval"]) == {"loss", "mae", "rmse"}


@pytest.mark.parametrize(("way", "trainers"), [("synchronous", 2), ("served", 1)])
def test_each_worker_draws_random_numbers_of_its_own(trained, way, trainers):
    """Each worker draws its own numbers. An asynchronous step belongs to one worker."""
    folder, _ = trained
    draws.check_distinct(folder / f"{way}.draws", trainers * STEPS)


def test_results_name_the_model_fn(trained):
    folder, _ = trained
    result = trainings.result_of(folder / "synchronous")
    assert result["job"] == f"{SMALL}:logging_model_fn"
    assert result["examples"] == {"worker-0": STEPS * 16, "worker-1": STEPS * 16}
    signatures = tf.saved_model.load(result["export"]).signatures
    assert list(signatures) == ["serving_default"]
