"""Tests for the examination of a user's job, which precedes the start of any process."""

import numpy as np
import pytest

from benchmarks import ways
from benchmarks.own_jobs import initial_weights, own_job
from modern.model_files import weights
from modern.process import cli

pytestmark = pytest.mark.filterwarnings("ignore:`tf.layers:UserWarning")
PROGRAM = "tests.benchmarks.own_program"
RING, PORT_RING = "multi_worker_mirrored", "keras_multi_worker_mirrored"
EVERY = [*ways.NAMES, *ways.PORT_NAMES]


def prepared(tmp_path, names=EVERY, steps=6, exact_steps=4, trainers=2, **changes):
    parts = {
        "model_fn": f"{PROGRAM}:model_fn",
        "input_fn": f"{PROGRAM}:input_fn",
        "eval_input_fn": f"{PROGRAM}:eval_input_fn",
        "model_params": f"{PROGRAM}:hparams",
        "keras_model": f"{PROGRAM}:build_model",
    }
    for name, value in changes.items():
        parts[name] = f"{PROGRAM}:{value}" if value and value != "{}" else value
    own = ways.OwnJob(**parts)
    setting = ways.Setting(job=own.model_fn, own_job=own, steps=steps, trainers=trainers)
    return own_job.Preparation(setting, names, str(tmp_path), exact_steps)


def test_all_ways_begin_with_what_an_estimator_begins_with(tmp_path):
    preparation = prepared(tmp_path)
    preparation.write_initial_weights(range(2))
    first, second = (
        initial_weights.read(str(tmp_path / "initial" / f"seed-{seed}" / "model.ckpt-0"))
        for seed in range(2)
    )
    assert set(first) == {"hidden/kernel", "hidden/bias", "outputs/kernel", "outputs/bias"}
    assert np.any(first["hidden/kernel"] != second["hidden/kernel"])
    port = weights.load(str(tmp_path / "initial" / "port-seed-1"))
    for name, value in second.items():
        np.testing.assert_array_equal(port[f"sequential/{name}"], value)
    assert preparation.initial.keys() == first.keys()


def test_the_exact_tier_pairs_one_trainer_of_each_way_and_trainers_that_read_the_same(tmp_path):
    preparation = prepared(tmp_path)
    preparation.write_initial_weights([0])
    plan = preparation.exact_plan(4)
    assert [group.name for group in plan.groups] == [
        "exact-single-1xown",
        *(f"exact-{way}-1xown" for way in EVERY if way != "single"),
        f"exact-{RING}-2xown",
        f"exact-{PORT_RING}-2xown",
    ]
    assert any("in the same order" in note for note in preparation.notes)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"input_fn": "random"}, "own_program:random gives other batches each time"),
        (
            {"model_fn": "without_params", "model_params": "{}", "keras_model": None},
            "own_program:without_params draws random numbers in training",
        ),
    ],
)
def test_where_the_exact_tier_does_not_apply_a_note_says_why(tmp_path, changes, why):
    preparation = prepared(tmp_path, **changes)
    preparation.write_initial_weights([0])
    assert preparation.exact_plan(4) is None
    (note,) = [note for note in preparation.notes if note.startswith("The exact tier does not")]
    assert why in note


def test_trainers_with_a_seed_each_read_in_another_order(tmp_path):
    preparation = prepared(tmp_path, ["single", RING], input_fn="shuffled_by_seed")
    preparation.write_initial_weights([0])
    groups = preparation.exact_plan(4).groups
    assert [group.name for group in groups] == ["exact-single-1xown", f"exact-{RING}-1xown"]
    assert any("in an order of its own" in note for note in preparation.notes)


def test_a_shared_input_is_said_to_be_shared_by_the_ring_alone(tmp_path):
    preparation = prepared(tmp_path, ["single", RING], input_fn="shared")
    assert any("takes an input_context" in note for note in preparation.notes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"input_fn": "finite"}, "own_program:finite ends after 4 batches.*12 are needed"),
        ({"input_fn": "tensors"}, "own_program:tensors returned tuple.*legacy.train"),
        ({"input_fn": "needs_context"}, "needs an input_context.*default None"),
        ({"eval_input_fn": "input_fn"}, "--eval_input_fn=.*has no end"),
        ({"model_fn": "absent"}, "--model_fn=.*has no 'absent'"),
        ({"keras_model": "absent"}, "--keras_model=.*has no 'absent'"),
        ({"keras_model": "not_compiled"}, "--keras_model=.*is not compiled"),
        ({"keras_model": "more_layers"}, "--keras_model=.*more/kernel"),
        ({"keras_model": "data"}, "--keras_model=.*failed: TypeError"),
    ],
)
def test_what_cannot_be_compared_is_one_line(tmp_path, changes, message):
    with pytest.raises(cli.UsageError, match=message) as caught:
        prepared(tmp_path, **changes).write_initial_weights([0])
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "runs").exists()


def test_examples_that_each_way_is_to_consume(tmp_path):
    assert prepared(tmp_path).planned() == (
        {way: (2 if "mirrored" in way else 1) * 12 * 16 for way in EVERY}, 2 * 16,
    )  # fmt: skip


def test_examples_in_batches_of_different_size(tmp_path):
    planned, slack = prepared(tmp_path, input_fn="uneven").planned()
    one = 3 * 60
    assert planned == {
        "single": one, "keras_single": one, RING: 2 * one, PORT_RING: 2 * one,
    }  # fmt: skip
    assert slack == 2 * 16


def test_metrics_of_the_port_have_the_names_of_the_model_fn(tmp_path):
    preparation = prepared(tmp_path)
    run = {"trainers": 2, "loss_curve": [[64.0, 0.5]]}
    results = {
        "single": [{**run, "eval": {"loss": 1.0, "accuracy": 0.5, "mae": 1.0}}],
        RING: [{**run, "eval": {"loss": 1.0, "accuracy": 0.5, "mae": 1.0}}],
        "keras_single": [{**run, "eval": {"loss": 1.0, "sparse_categorical_accuracy": 0.5}}],
    }
    adjusted = preparation.adjusted(results)
    assert adjusted["keras_single"][0]["eval"] == {"loss": 1.0, "accuracy": 0.5}
    assert adjusted[RING][0]["loss_curve"] == [[32.0, 0.5]]
    assert adjusted["single"][0]["loss_curve"] == [[64.0, 0.5]]
    assert [{way: set(runs[0]["eval"]) for way, runs in group.items()}
            for group in preparation.comparable(adjusted)] == [
        {"single": {"loss", "accuracy"}, RING: {"loss", "accuracy"}},
        {"single": {"loss", "accuracy"}, "keras_single": {"loss", "accuracy"}},
    ]  # fmt: skip
    assert "Not compared, as no margin is known for it: mae." in preparation.notes
