"""Tests for the examination of a user's job, which precedes the start of any process."""

import pytest

from tests.benchmarks.own_jobs import preparations

pytestmark = pytest.mark.filterwarnings("ignore:`tf.layers:UserWarning")
SYNCHRONOUS, PORT_SYNCHRONOUS = "multi_worker_mirrored", "keras_multi_worker_mirrored"


def test_the_exact_tier_pairs_one_trainer_of_each_way_and_trainers_that_read_the_same(tmp_path):
    preparation = preparations.prepared(tmp_path)
    preparation.write_initial_weights([0])
    plan = preparation.exact_plan(4)
    assert [group.name for group in plan.groups] == [
        "exact-single-1xown",
        *(f"exact-{way}-1xown" for way in preparations.EVERY if way != "single"),
        f"exact-{SYNCHRONOUS}-2xown",
        f"exact-{PORT_SYNCHRONOUS}-2xown",
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
    preparation = preparations.prepared(tmp_path, **changes)
    preparation.write_initial_weights([0])
    assert preparation.exact_plan(4) is None
    (note,) = [note for note in preparation.notes if note.startswith("The exact tier does not")]
    assert why in note


def test_trainers_with_a_seed_each_read_in_another_order(tmp_path):
    preparation = preparations.prepared(
        tmp_path, ["single", SYNCHRONOUS], input_fn="shuffled_by_seed"
    )
    preparation.write_initial_weights([0])
    groups = preparation.exact_plan(4).groups
    assert [group.name for group in groups] == ["exact-single-1xown", f"exact-{SYNCHRONOUS}-1xown"]
    assert any("in an order of its own" in note for note in preparation.notes)


def test_a_shared_input_is_said_to_be_shared_by_the_ring_alone(tmp_path):
    preparation = preparations.prepared(tmp_path, ["single", SYNCHRONOUS], input_fn="shared")
    assert any("takes an input_context" in note for note in preparation.notes)


def test_examples_that_each_way_is_to_consume(tmp_path):
    assert preparations.prepared(tmp_path).planned_examples() == (
        {way: (2 if "mirrored" in way else 1) * 12 * 16 for way in preparations.EVERY}, 2 * 16,
    )  # fmt: skip


def test_examples_in_batches_of_different_size(tmp_path):
    planned, slack = preparations.prepared(tmp_path, input_fn="uneven").planned_examples()
    one = 3 * 60
    assert planned == {
        "single": one, "keras_single": one, SYNCHRONOUS: 2 * one, PORT_SYNCHRONOUS: 2 * one,
    }  # fmt: skip
    assert slack == 2 * 16


def test_metrics_of_the_port_have_the_names_of_the_model_fn(tmp_path):
    preparation = preparations.prepared(tmp_path)
    run = {"trainers": 2, "loss_curve": [[64.0, 0.5]]}
    results = {
        "single": [{**run, "eval": {"loss": 1.0, "accuracy": 0.5, "mae": 1.0}}],
        SYNCHRONOUS: [{**run, "eval": {"loss": 1.0, "accuracy": 0.5, "mae": 1.0}}],
        "keras_single": [{**run, "eval": {"loss": 1.0, "sparse_categorical_accuracy": 0.5}}],
    }
    adjusted = preparation.comparable_results(results)
    assert adjusted["keras_single"][0]["eval"] == {"loss": 1.0, "accuracy": 0.5}
    assert adjusted[SYNCHRONOUS][0]["loss_curve"] == [[32.0, 0.5]]
    assert adjusted["single"][0]["loss_curve"] == [[64.0, 0.5]]
    assert [{way: set(runs[0]["eval"]) for way, runs in group.items()}
            for group in preparation.comparable(adjusted)] == [
        {"single": {"loss", "accuracy"}, SYNCHRONOUS: {"loss", "accuracy"}},
        {"single": {"loss", "accuracy"}, "keras_single": {"loss", "accuracy"}},
    ]  # fmt: skip
    assert "Not compared, as no margin is known for it: mae." in preparation.notes
