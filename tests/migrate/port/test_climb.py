"""Tests that a change that alters results is reverted, with the reason."""

import os

import pytest

from migrate.port import climb, estimators, rewriting
from tests.migrate.port import programs


def _planted(monkeypatch, old, new, *, in_rungs):
    """Alters each text that the rewriter writes to some rungs."""
    to_modern = rewriting.to_modern

    def altered(folder, highest):
        rewritten = to_modern(folder, highest)
        if set(rewritten.rungs.values()) & {*in_rungs}:
            for one in rewritten.rungs:
                path = os.path.join(folder, one.path)
                with open(path) as file:
                    text = file.read()
                assert old in text
                with open(path, "w") as file:
                    file.write(text.replace(old, new))
        return rewritten

    monkeypatch.setattr(rewriting, "to_modern", altered)


@pytest.mark.slow
def test_a_keras_model_with_another_learning_rate_is_reverted_to_a_bridged_one(
    monkeypatch, tmp_path
):
    path = programs.small(tmp_path / "job", "model")
    _planted(monkeypatch, "0.05", "0.06", in_rungs=[estimators.KERAS])
    ascent, said = programs.climbed(path, tmp_path / "ported")
    (one,) = ascent.estimators
    assert (one.rung, one.is_proven) == (estimators.BRIDGED, True)
    assert one.reasons[0].startswith("as Keras: different: training 1, loss at step 2: ")
    assert any("reverted job.py:26: as Keras: different" in line for line in said)
    assert not ascent.is_complete
    with open(os.path.join(ascent.source, "job.py")) as file:
        assert "KerasModelFn(model_fn)" in file.read()


@pytest.mark.slow
def test_a_program_whose_results_differ_with_keras_3_stays_on_tf_keras(monkeypatch, tmp_path):
    path = programs.small(tmp_path / "job", "model")
    programs.plant(monkeypatch, "job.py", "0.05", "0.06", "to_keras_3")
    ascent, said = programs.climbed(path, tmp_path / "ported", keras=3)
    (one,) = ascent.estimators
    assert (one.rung, one.is_proven) == (estimators.KERAS, True)
    (reason,) = ascent.reasons
    assert reason.startswith("with Keras 3: different: training 1, loss at step 2: ")
    assert f"  reverted to tf_keras: {reason}" in said
    assert not ascent.is_complete
    assert ascent.proof.keras.startswith("tf_keras 2.")
    with open(os.path.join(ascent.source, "job.py")) as file:
        assert "import tf_keras" in file.read()


@pytest.mark.slow
def test_a_program_with_an_estimator_that_stays_lower_is_not_tried_with_keras_3(
    monkeypatch, tmp_path
):
    path = programs.small(tmp_path / "job", "model")
    _planted(monkeypatch, "0.05", "0.06", in_rungs=[estimators.KERAS])
    ascent, said = programs.climbed(path, tmp_path / "ported", keras=3)
    (reason,) = ascent.reasons
    assert reason.startswith("not tried with Keras 3: a process has one Keras, so all Estimators ")
    assert reason.endswith("job.py:26 is bridged")
    assert not ascent.is_complete
    assert not [line for line in said if line.startswith("keras3: ")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *("baselines", "batch_norm_forgotten", "house_prices", "learn_estimator", "v1_columns"),
        "v2_columns",
    ],
)
def test_programs_of_several_kinds_go_on_to_keras_3(tmp_path, name):
    path = programs.copied(name, tmp_path / "job")
    ascent, said = programs.climbed(path, tmp_path / "ported", keras=3)
    assert ascent.is_complete, said
    assert {one.rung for one in ascent.estimators} == {estimators.KERAS_3}


@pytest.mark.slow
def test_a_program_that_fails_after_each_rewriting_stays_legacy(monkeypatch, tmp_path):
    path = programs.small(tmp_path / "job")
    _planted(
        monkeypatch,
        "dataset.shuffle(12)",
        "dataset.shuffled(12)",
        in_rungs=[estimators.KERAS, estimators.BRIDGED],
    )
    ascent, _ = programs.climbed(path, tmp_path / "ported")
    (one,) = ascent.estimators
    assert one.rung == estimators.LEGACY
    assert [reason.partition(": ")[0] for reason in one.reasons] == ["as Keras", "as bridged"]
    assert "has no attribute 'shuffled'" in one.reasons[0]
    with open(os.path.join(ascent.source, "job.py")) as file:
        assert "tf_estimator.Estimator(model_fn, None)" in file.read()


@pytest.mark.slow
def test_a_legacy_text_that_differs_is_reverted_to_the_unmodified_program(monkeypatch, tmp_path):
    path = programs.small(tmp_path / "job")
    to_legacy = rewriting.to_legacy

    def altered(folder, api):
        rewritten = to_legacy(folder, api)
        with open(os.path.join(folder, "job.py"), "r+") as file:
            text = file.read().replace("* 2.0", "* 3.0")
            file.seek(0)
            file.write(text)
        return rewritten

    monkeypatch.setattr(rewriting, "to_legacy", altered)
    ascent, _ = programs.climbed(path, tmp_path / "ported")
    assert [one.rung for one in ascent.estimators] == [climb.UNMODIFIED]
    assert ascent.reasons[0].startswith("rewritten to legacy: different: training 1, loss")
    assert ascent.proof is None


# The labels of each run differ, as by a chance that no seed fixes. It is largest in modern texts.
NOISY = programs.SMALL.replace(
    "X = np",
    "STEPS = ('unmodified', 'again', 'legacy', 'modern')\n"
    "NOISE = [1e-4 * number for number, step in enumerate(STEPS) if step in os.getcwd()]\nX = np",
    1,
).replace("X[:, :1] * 2.0", "X[:, :1] * 2.0 + sum(NOISE)")


@pytest.mark.slow
@pytest.mark.parametrize("factor", ["2.0", "2.1"])
def test_a_program_that_does_not_repeat_its_results_is_compared_with_its_repetitions(
    monkeypatch, tmp_path, factor
):
    (tmp_path / "job").mkdir()
    path = tmp_path / "job" / "job.py"
    path.write_text("import os\n" + NOISY.replace("MODEL_DIR", "'model'"))
    to_legacy = rewriting.to_legacy

    def altered(folder, api):
        rewritten = to_legacy(folder, api)
        with open(os.path.join(folder, "job.py"), "r+") as file:
            text = file.read().replace("* 2.0", f"* {factor}")
            file.seek(0)
            file.write(text)
        return rewritten

    monkeypatch.setattr(rewriting, "to_legacy", altered)
    ascent, said = programs.climbed(path, tmp_path / "ported")
    (one,) = ascent.estimators
    assert any(line.startswith("unmodified once more") for line in said)
    if factor == "2.0":
        assert one.rung == estimators.KERAS, one.reasons
        details = [line for line in ascent.proof.details if "does not repeat" in line]
        assert details[0].startswith("The unmodified program does not repeat its own results. ")
    else:
        assert one.rung == climb.UNMODIFIED
        assert ascent.reasons[0].startswith("rewritten to legacy: different: training 1, loss")
        assert "the unmodified program does not repeat its own results either" in ascent.reasons[0]


# An Experiment evaluates by the clock, so the number of evaluations may differ.
EXPERIMENT = """
def experiment_fn(output_dir):
    config = tf.contrib.learn.RunConfig(save_checkpoints_steps=1)
    return tf.contrib.learn.Experiment(
        tf.estimator.Estimator(model_fn, output_dir, config), input_fn, input_fn,
        train_steps=3, eval_steps=2, min_eval_frequency=1)


tf.contrib.learn.learn_runner.run(experiment_fn, "model")
"""


@pytest.mark.slow
def test_the_estimator_of_an_experiment_rises_to_a_keras_model(tmp_path):
    path = programs.small(tmp_path / "job")
    with open(path) as file:
        text = file.read().partition("estimator = tf.estimator.Estimator(")[0]
    with open(path, "w") as file:
        file.write(text + EXPERIMENT)
    ascent, said = programs.climbed(path, tmp_path / "ported")
    assert [one.rung for one in ascent.estimators] == [estimators.KERAS], said
    assert ascent.is_complete


# Arrays, SKCompat's way to feed them, and features that nobody cast.
LEARN = """
import numpy as np
import tensorflow as tf
from tensorflow.contrib import layers, learn

X = np.random.RandomState(0).rand(40, 3)
Y = (X.sum(axis=1) > 1.5).astype(np.int64)


def model_fn(features, targets, mode):
    logits = layers.fully_connected(features, 2, activation_fn=None)
    loss = tf.losses.sparse_softmax_cross_entropy(targets, logits)
    train_op = layers.optimize_loss(
        loss, tf.contrib.framework.get_global_step(), 0.1, optimizer="Adagrad")
    return learn.ModelFnOps(mode, {"class": tf.argmax(logits, 1)}, loss, train_op)


classifier = learn.Estimator(model_fn, "model")
classifier.fit(X, Y, steps=12, batch_size=8)
print(classifier.evaluate(X, Y, batch_size=8, steps=2))
print(learn.SKCompat(classifier).predict(X, batch_size=8)["class"])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("is_planted", "rung"), [(False, estimators.KERAS), (True, estimators.LEGACY)]
)
def test_an_estimator_of_contrib_learn_rises_to_a_keras_model(
    monkeypatch, tmp_path, is_planted, rung
):
    (tmp_path / "job").mkdir()
    path = tmp_path / "job" / "job.py"
    path.write_text(LEARN)
    if is_planted:
        in_rungs = [estimators.KERAS, estimators.BRIDGED]
        loss = "from_logits=True))"
        _planted(monkeypatch, loss, f"{loss} * 1.01", in_rungs=in_rungs)
    ascent, said = programs.climbed(path, tmp_path / "ported")
    (one,) = ascent.estimators
    assert (one.rung, one.original.name) == (rung, "tf.contrib.learn.Estimator"), said
    assert one.results == {"trainings": 1, "steps": 12, "evaluations": 1, "predictions": 1}
    assert ascent.is_complete == (not is_planted)
