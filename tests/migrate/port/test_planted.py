"""Tests that defects which are planted in a ported program are all found, each by its part."""

import os
import pathlib

import pytest

from migrate.port import rewriting, runs
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
    ]
    return found, legacy


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("learning_rate=0.05", "learning_rate=0.0501", "training 1, loss at step "),
        ("loss += sum(self.losses)", "", "training 1, loss at step 1: "),
        ("tf.nn.softmax(logits)", "tf.nn.softmax(logits, axis=0)", "prediction 1, p"),
        ("self.dropout(x, training=training)", "x", "training 1, loss at step 1: "),
        ('Dropout(0.25, name="dropout")', "Dropout(0.3)", "rates of dropout: 0.25 before, 0.3 "),
        ("Y[:16]", "np.roll(Y[:16], 1)", "training 1, loss at step "),
        ('"model"', '"other"', "training 1, loss at step 1: "),  # The weights are not carried.
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
    to_modern = rewriting.to_modern

    def altered(folder, highest):
        rewritten = to_modern(folder, highest)
        path = os.path.join(folder, JOB.name)
        with open(path) as file:
            text = file.read()
        assert old in text
        with open(path, "w") as file:
            file.write(text.replace(old, new))
        return rewritten

    monkeypatch.setattr(rewriting, "to_modern", altered)
    attempt = found.modern(legacy, {})
    assert attempt.verdict == runs.DIFFERENT
    assert [one for one in attempt.lines if one.startswith(line)], attempt.lines
