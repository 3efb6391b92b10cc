"""Tests for the verifier as a whole."""

import pytest
import tf_keras

from migrate import verify
from migrate.verify import results
from tests.migrate.verify import tiny, tiny_runs


def test_takes_a_spec_of_any_class_and_a_new_optimizer():
    report = tiny_runs.run()

    assert report.verdict == results.SAME, report.levels
    assert report.levels[6].verdict == results.NOT_ASKED
    assert "m, v" in report.levels[4].compared


def test_takes_a_class_that_makes_its_optimizer_with_metrics_in_it():
    report = tiny_runs.run(tiny.Tracked)

    assert report.verdict == results.SAME, report.levels
    assert [*report.pairs] == ["logits/kernel", "logits/bias"]
    assert "accuracy" in report.levels[5].comparisons[0].what


@pytest.mark.parametrize("made", [lambda hparams: tiny.Tracked(hparams), lambda: tiny.port()])
def test_decides_by_the_signature_if_it_gives_params(made):
    assert tiny_runs.run(made).verdict == results.SAME


def test_params_that_differ_between_the_sides_are_found():
    report = tiny_runs.run(lambda params: tiny.Tracked({**params, "rate": 0.2}))

    assert report.levels[4].verdict == results.DIFFERENT


@pytest.mark.parametrize(
    ("model_fn", "mode"), [(tiny.without_evaluation, "prediction"), (tiny.train_only, "training")]
)
def test_compares_the_modes_that_there_are_without_evaluation(model_fn, mode):
    def run(build_model):
        options = {"params": tiny.params, "update_steps": 1}
        return verify.verify(model_fn, build_model, tiny.input_fn, **options)

    report = run(tiny.port)
    assert report.verdict == results.SAME, report.levels
    assert f" in {mode}" in report.levels[1].comparisons[0].what
    assert "train alone" in report.levels[2].compared
    assert "no evaluation" in report.levels[5].compared
    assert run(lambda: tiny.port(activation="relu")).levels[1].verdict == results.DIFFERENT


def test_joins_partitioned_variables():
    report = tiny_runs.run(params={"partitioned": True})

    assert report.verdict == results.SAME
    assert report.pairs["logits/kernel"] == "logits/kernel"


def test_what_fails_in_a_program_is_no_difference():
    class Failing(tf_keras.Sequential):
        def train_step(self, data):
            raise RuntimeError("not today")

    def build_model():
        model = Failing([tf_keras.Input((4,)), tf_keras.layers.Dense(2, name="logits")])
        loss = tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(tf_keras.optimizers.Adam(0.1, epsilon=1e-8), loss, ["accuracy"])
        return model

    report = tiny_runs.run(build_model)
    assert report.exit_code == 2
    assert "not today" in tiny_runs.findings(report, 5)
