"""Tests that defects which are planted in a ported program are all found, each by its part."""

import pathlib

import pytest

from migrate.port import estimators, rewriting, runs
from migrate.port.copies import program
from tests.migrate.port import programs

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
JOB = pathlib.Path(__file__).with_name("classifier.py")


@pytest.fixture(scope="module")
def ported(tmp_path_factory):
    """Returns the runs of a program whose Keras model gives the same results."""
    folder = tmp_path_factory.mktemp("port")
    read = program.read(str(JOB), ["python", str(JOB)])
    found = runs.Runs(read, str(folder / "ported"), programs.Said())
    found.unmodified()
    legacy = found.legacy()
    top = found.modern(legacy, {})
    assert (top.verdict, [*top.rungs.values()]) == (runs.SAME, ["Keras"]), top.lines
    assert top.not_compared == ()
    assert [*top.compared] == [
        "gradient norms",
        "trainings",
        "evaluations",
        "predictions",
        "signatures of exports",
        "checkpoints",
        "initial values",
    ]
    return found, legacy


@pytest.fixture(scope="module")
def with_keras_3(ported):
    """Returns the runs of the same program, and its port to tf_keras, which Keras 3 equals."""
    found, legacy = ported
    modern = found.modern(legacy, {})
    attempt = found.keras_3(modern)
    assert (attempt.verdict, [*attempt.rungs.values()]) == (runs.SAME, ["Keras 3"]), attempt.lines
    assert attempt.keras.startswith("keras 3.")
    assert (attempt.not_compared, attempt.compared) == ((), modern.compared)
    return found, modern


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("learning_rate=0.05", "learning_rate=0.0501", "training 1, loss at step "),
        ("loss += sum(self.losses)", "", "training 1, loss at step 1: "),
        ("keras.ops.softmax(logits, axis=-1)", "keras.ops.softmax(logits, axis=0)", "prediction 1"),
        ("self.dropout(x, training=training)", "x", "training 1, loss at step 1: "),
        ('Dropout(0.25, name="dropout")', "Dropout(0.3)", "rates of dropout: 0.25 before, 0.3 "),
        (
            "tf.nn.relu, ",
            'tf.nn.relu, kernel_initializer="he_normal", ',
            "initial values of model, dense/kernel: ",
        ),
        ("> mean", "> 1.0", "evaluation 1, accuracy: "),
        ("BatchNormalization(", "BatchNormalization(momentum=1.0, ", "evaluation 1, loss: "),
        ("dataset.shuffle(16)", "dataset", "training 1, loss at step 1: "),
        ('{"x": x}', '{"x": 2.0 * x}', "export/export 1, signature serving_default, p"),
    ],
)
def test_a_planted_defect_is_found_with_keras_3(with_keras_3, monkeypatch, old, new, line):
    found, modern = with_keras_3
    programs.plant(monkeypatch, JOB.name, old, new, "to_keras_3")
    attempt = found.keras_3(modern)
    assert attempt.verdict == runs.DIFFERENT
    assert [one for one in attempt.lines if one.startswith(line)], attempt.lines


def test_a_port_that_trains_with_another_keras_proves_nothing_about_keras_3(
    with_keras_3, monkeypatch
):
    found, modern = with_keras_3
    monkeypatch.setattr(rewriting, "to_keras_3", lambda folder: rewriting.to_modern(folder, {}))
    attempt = found.keras_3(modern)
    assert attempt.verdict == runs.DIFFERENT
    (line,) = attempt.lines
    assert line.startswith("the program trained with tf_keras 2.")
    assert line.endswith(", not with Keras 3")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("learning_rate=0.05", "learning_rate=0.0501", "training 1, loss at step "),
        ("loss += sum(self.losses)", "", "training 1, loss at step 1: "),
        ("tf.nn.softmax(logits)", "tf.nn.softmax(logits, axis=0)", "prediction 1, p"),
        ("self.dropout(x, training=training)", "x", "training 1, loss at step 1: "),
        ('Dropout(0.25, name="dropout")', "Dropout(0.3)", "rates of dropout: 0.25 before, 0.3 "),
        ("Y[:16]", "np.roll(Y[:16], 1)", "training 1, loss at step "),
        ('"model"', '"other"', "training 1: of the model in model before, of that in other after"),
        (
            "tf.nn.relu, ",
            'tf.nn.relu, kernel_initializer="he_normal", ',
            "initial values of model, dense/kernel: ",
        ),
        (
            "Dense(2, ",
            'Dense(2, bias_initializer="ones", ',
            "initial values of model, dense_1/bias: ",
        ),
        ("X[16:]}, Y[16:]", "X[:8]}, Y[:8]", "evaluation 1, loss: "),
        ("> mean", "> 1.0", "evaluation 1, accuracy: "),
        ("BatchNormalization(", "BatchNormalization(momentum=1.0, ", "evaluation 1, loss: "),
        ("epsilon=1e-3", "epsilon=1e-7", "training 1, loss at step 2: "),
        ("dataset.shuffle(16)", "dataset", "training 1, loss at step 1: "),
        ('{"x": x}', '{"x": 2.0 * x}', "export/export 1, signature serving_default, p"),
        ('{"p": probabilities}', '{"q": probabilities}', "prediction 1, p: "),
    ],
)
def test_a_planted_defect_is_found(ported, monkeypatch, old, new, line):
    found, legacy = ported
    programs.plant(monkeypatch, JOB.name, old, new)
    attempt = found.modern(legacy, {})
    assert attempt.verdict == runs.DIFFERENT
    assert [one for one in attempt.lines if one.startswith(line)], attempt.lines


@pytest.fixture
def other_job(tmp_path):
    """Returns a function that runs a variant of the program, unmodified and legacy."""

    def make(old, new):
        text = JOB.read_text()
        assert old in text
        path = tmp_path / JOB.name
        path.write_text(text.replace(old, new))
        read = program.read(str(path), ["python", str(path)])
        found = runs.Runs(read, str(tmp_path / "ported"), programs.Said())
        found.unmodified()
        return found, found.legacy()

    return make


def test_other_random_numbers_are_replaced_and_named(other_job, monkeypatch):
    found, legacy = other_job('features["x"], 8, ', 'features["x"], 80, ')
    seeded = "tf.nn.relu, kernel_initializer=tf_keras.initializers.GlorotUniform(3), "
    programs.plant(monkeypatch, JOB.name, "tf.nn.relu, ", seeded)
    attempt = found.modern(legacy, {})
    assert attempt.verdict == runs.SAME, attempt.lines
    (line,) = attempt.not_compared
    assert line.startswith("initial values of model, dense/kernel: other random numbers")


def test_another_learning_rate_in_a_variable_of_a_bridged_model_is_found(other_job, monkeypatch):
    minimize = "optimizer.minimize(loss, global_step=tf.train.get_global_step())"
    optimize = "tf.contrib.layers.optimize_loss(loss, tf.train.get_global_step(), 0.1, 'SGD')"
    found, legacy = other_job(minimize, optimize)
    bridged = dict.fromkeys(estimators.find(legacy.source), estimators.BRIDGED)
    assert found.modern(legacy, bridged).verdict == runs.SAME
    programs.plant(monkeypatch, JOB.name, "0.1, 'SGD'", "0.11, 'SGD'")
    attempt = found.modern(legacy, bridged)
    assert attempt.verdict == runs.DIFFERENT
    rate = "initial values of model, OptimizeLoss/learning_rate: 0.1 before, 0.11 after"
    assert attempt.lines[0] == rate
