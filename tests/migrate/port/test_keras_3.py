"""Tests that programs which cannot go to Keras 3 are refused before they run."""

import pytest

from migrate.port import keras_3
from migrate.port.copies import program
from modern.process import chosen_keras, cli
from tests.migrate.port import programs
from tests.migrate.same_run import campaign

BRIDGED = (campaign.PROGRAMS / "two_losses.py").read_text()
COLUMNS = """
import tensorflow as tf

columns = [tf.feature_column.numeric_column("x")]
estimator = tf.estimator.DNNRegressor([2], columns, "model", warm_start_from="earlier")
estimator.train(lambda: tf.data.Dataset.from_tensors(({"x": [1.0]}, [2.0])))
"""


@pytest.fixture
def check(tmp_path):
    """Returns a function that checks a program with a text."""

    def run(text):
        path = tmp_path / "job.py"
        path.write_text(text)
        one = program.read(str(path), ["python", str(path)])
        keras_3.check(one, str(tmp_path / "ported"))
        assert path.read_text() == text

    return run


def test_a_program_that_can_go_to_keras_3_passes(check):
    check(programs.SMALL.replace("MODEL_DIR", '"model"'))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BRIDGED, "job.py:40: tf.estimator.Estimator: "),
        (COLUMNS, "job.py stays on tf_keras: modern.porting.warm_start: "),
    ],
    ids=["bridged", "part of tf_keras"],
)
def test_a_program_that_stays_is_refused_with_its_reason(check, text, reason):
    with pytest.raises(cli.UsageError) as error:
        check(text)
    message = str(error.value)
    assert message.startswith(f"--keras=3: {reason}"), message
    assert message.endswith("Port it to tf_keras: leave out --keras=3.")
    assert "\n" not in message


def test_a_cluster_is_refused(check, monkeypatch):
    monkeypatch.setenv("TF_CONFIG", '{"cluster": {"worker": ["a:1", "b:1"]}}')
    with pytest.raises(cli.UsageError, match="--keras=3: TF_CONFIG is set, .* Unset TF_CONFIG"):
        check("print(1)\n")


def test_an_old_keras_3_is_refused(check, monkeypatch):
    monkeypatch.setattr(chosen_keras, "OLDEST_KERAS_3", (99, 0))
    with pytest.raises(cli.UsageError, match="--keras=3 needs keras 99.0 or later"):
        check("print(1)\n")


def test_another_backend_is_refused(check, monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    with pytest.raises(cli.UsageError, match="KERAS_BACKEND=jax does not fit migrate port"):
        check("print(1)\n")
