"""Tests for level 5: training steps."""

import pytest
import tf_keras

from migrate import batches
from migrate.verify import results
from migrate.verify.sides import legacy_model
from tests.migrate.verify import tiny, tiny_runs


def momentum():
    return tiny.port(tf_keras.optimizers.legacy.SGD(0.1, momentum=0.9))


@pytest.fixture
def checkpoint(tmp_path):
    """Saves the model_fn after three steps, with momentum in its slots, and returns the path."""
    old = legacy_model.Program(tiny.model_fn, {**tiny.params, "optimizer": "momentum"})
    drawn = batches.draw(tiny.input_fn, 3)
    with old.graph("train", drawn.specs) as graph:
        graph.initialize()
        for batch in drawn.items:
            graph.run(graph.train_op, batch)
        return graph.save(str(tmp_path / "model.ckpt"))


def test_continues_from_a_checkpoint_with_its_slots(checkpoint):
    report = tiny_runs.run(momentum, {"optimizer": "momentum"}, checkpoint=checkpoint)

    assert report.verdict == results.SAME, tiny_runs.findings(report, 5)
    assert len(report.asked["checkpoint"][0]["sha256"]) == 64
    first = next(c for c in report.levels[4].comparisons if "momentum after step 1" in c.what)
    assert first.size > 0.1  # more than the gradient of a first step
