"""Tests that each Estimator of the legacy text is paired with its place in the unmodified one."""

from migrate.port import climb, estimators
from migrate.port.estimators import Estimator

JOB, OTHER = (Estimator("job.py", line, "tf.estimator.Estimator") for line in (3, 9))
NEW_JOB, NEW_OTHER = (one._replace(line=one.line + 2) for one in (JOB, OTHER))
TPU = Estimator("job.py", 12, "tf.compat.v1.estimator.tpu.TPUEstimator")
CREATED = Estimator("job.py", 10, "TPUEstimator")  # As the run names the class.


def test_texts_that_show_the_same_estimators_keep_their_order():
    assert climb.pairs([JOB, OTHER], [NEW_JOB, NEW_OTHER]) == {NEW_JOB: JOB, NEW_OTHER: OTHER}


def test_an_estimator_that_only_the_legacy_text_shows_is_paired_with_that_of_the_run():
    assert climb.pairs([JOB], [NEW_JOB, TPU], [CREATED]) == {NEW_JOB: JOB, TPU: CREATED}
    assert climb.pairs([], [TPU], [CREATED]) == {TPU: CREATED}
    assert climb.pairs([], [TPU], []) == {TPU: TPU}


def test_a_subclass_is_no_pair():
    hidden = CREATED._replace(name="Ranker")
    assert climb.pairs([], [TPU], [hidden]) == {TPU: TPU}


def test_a_converted_keras_model_is_found_in_both_texts(tmp_path):
    (tmp_path / "job.py").write_text(
        "import tensorflow as tf\njob = tf.keras.estimator.model_to_estimator(model)\n"
        "other = tf.estimator.Estimator(model_fn)\n"
    )
    assert [one.line for one in estimators.find(str(tmp_path))] == [2, 3]
