"""Tests for cases: paired variables, equal weights, and values from a checkpoint."""

import numpy as np
import pytest
import tf_keras

from migrate.verify.sides import case as case_lib
from migrate.verify.sides import tolerances
from modern.process import cli
from tests.migrate.verify import tiny_runs

KERNEL, BIAS = np.arange(8, dtype=np.float32).reshape(4, 2), np.array([3, 4], np.float32)


def test_gives_the_same_weights_to_both_sides():
    with tiny_runs.opened() as case:
        case.load_port()
        old, new = case.graphs["train"].read(["logits/kernel"]), case.port.read()

        np.testing.assert_array_equal(old["logits/kernel"], new["logits/kernel"])
        assert case.pairs == {"logits/kernel": "logits/kernel", "logits/bias": "logits/bias"}
        assert not np.isin(new["logits/bias"], [0, 1]).any()
        assert case.plain_mode == "eval"


def test_measures_the_noise_of_a_value_from_neighbouring_weights():
    with tiny_runs.opened() as case:
        graph = case.graphs["eval"]

        def loss(batch):
            return {"loss": graph.run(graph.loss, batch), "one": np.float32(1)}

        floor = case.floor(loss, "eval", case.batches.items[0])

        assert len(case.neighbours) == tolerances.RUNS
        assert floor.base["loss"] == graph.run(graph.loss, case.batches.items[0])
        assert floor.tolerance("one") == tolerances.MARGIN * 2**-23
        assert floor.tolerance("loss") < 1e-3 * floor.base["loss"]


def test_takes_weights_and_the_step_from_a_checkpoint():
    values = {"logits/kernel": KERNEL, "logits/bias": BIAS, "global_step": np.int64(7)}
    values["logits/bias/Adam"] = BIAS + 1
    with tiny_runs.opened(checkpoint=values) as case:
        np.testing.assert_array_equal(case.weights["logits/kernel"], KERNEL)
        np.testing.assert_array_equal(case.state["logits/bias/Adam"], BIAS + 1)
        assert case.step == 7


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"logits/kernel": KERNEL}, "has no logits/bias"),
        ({"logits/kernel": KERNEL.T, "logits/bias": BIAS}, r"shape \(2, 4\) there"),
    ],
)
def test_refuses_a_checkpoint_of_another_model_fn(values, told):
    with pytest.raises(cli.UsageError, match=told), tiny_runs.opened(checkpoint=values):
        pass


def test_refuses_to_guess_pairs():
    def build_model():
        inputs = tf_keras.Input((4,))
        outputs = [tf_keras.layers.Dense(2, name=name)(inputs) for name in ("left", "right")]
        model = tf_keras.Model(inputs, outputs)
        model.compile("sgd", "mse")
        return model

    with (
        pytest.raises(case_lib.Undecided, match="logits/kernel = \\?") as raised,
        tiny_runs.opened(build_model),
    ):
        pass
    assert set(raised.value.proposal.ambiguous) == {"logits/kernel", "logits/bias"}
