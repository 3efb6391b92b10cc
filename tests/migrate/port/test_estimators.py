"""Tests for the Estimators of a program, and their rungs."""

import pytest

from migrate.port import estimators
from migrate.port.estimators import BRIDGED, KERAS, LEGACY, Estimator

PROGRAM = """\
import tensorflow as tf
from tensorflow.contrib import learn
a = tf.estimator.DNNClassifier([4], [])
b = learn.Estimator(model_fn)
c = learn.DNNRegressor([], [4])
d = tf.keras.estimator.model_to_estimator(model)
e = tf.estimator.DNNClassifier([4], []).model_fn
"""


def test_estimators_that_rules_can_lift_are_found(tmp_path):
    (tmp_path / "job.py").write_text(PROGRAM)
    found = [(one.line, one.name) for one in estimators.find(str(tmp_path))]
    assert found == [
        (3, "tf.estimator.DNNClassifier"),
        (4, "tf.contrib.learn.Estimator"),
        (6, "tf.keras.estimator.model_to_estimator"),
    ]


@pytest.mark.parametrize(
    ("rules", "rung"),
    [
        ({"learn_estimators", "model_fns"}, KERAS),
        ({"canned_models"}, KERAS),
        ({"estimators"}, BRIDGED),
        ({"losses"}, LEGACY),
        (set(), LEGACY),
    ],
)
def test_rules_tell_the_rung(rules, rung):
    assert estimators.rung_of(rules) == rung


def test_marks_are_removed_again(tmp_path):
    path = tmp_path / "job.py"
    path.write_text(PROGRAM)
    estimators.mark(str(tmp_path), Estimator("job.py", 4, "tf.contrib.learn.Estimator"), LEGACY)
    line = path.read_text().splitlines()[3]
    assert line.startswith("b = learn.Estimator(model_fn)  # migrate: ignore[")
    assert "learn_estimators" in line
    assert "model_fns" in line
    estimators.unmark(str(tmp_path))
    assert path.read_text() == PROGRAM
