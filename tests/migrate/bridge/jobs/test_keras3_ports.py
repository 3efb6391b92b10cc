"""Tests for a port to Keras 3 as a job: it equals the port to tf_keras, in one process."""

import itertools
import os

import pytest
import tensorflow as tf

from tests.benchmarks import own_program
from tests.cluster import trainings
from tests.migrate.bridge.jobs.own_ports import PROGRAM, save_weights
from tests.modern import in_turn

PORTS = "tests.migrate.bridge.keras3_ports"
INPUTS = [f"--input_fn={PROGRAM}:input_fn", f"--eval_input_fn={PROGRAM}:finite"]
STEPS = 24
KINDS = ("functional", "subclass", "own_step", "wrong_rate")


def command(folder, port, *flags, steps=STEPS, **variables):
    """Returns a command of `in_turn` that trains a port in FOLDER/PORT."""
    arguments = [
        *("train", "--keras=3", f"--keras_model={PORTS}:{port}", *INPUTS, *flags),
        *(f"--model_dir={folder / port}", f"--train_steps={steps}"),
    ]
    return arguments, variables


def run(*commands):
    """Runs commands of `migrate` in one process."""
    return in_turn.run("migrate", commands, env=os.environ | trainings.ENV, timeout=240)


def run_well(*commands):
    """Runs commands, which must end with exit code 0."""
    ended = run(*commands)
    assert {one.code for one in ended} == {0}, [one.said for one in ended]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Returns the results of the ports, and those of the port to tf_keras, from equal weights."""
    folder = tmp_path_factory.mktemp("ports")
    start = folder / "start"
    save_weights(start)
    trainings.alone(
        folder / "tf_keras",
        f"--keras_model={PROGRAM}:build_model", *INPUTS, f"--model_params={PROGRAM}:hparams",
        f"--train_steps={STEPS}", f"--init_checkpoint={start}",
        program=[*trainings.TRAIN[:2], "migrate", "train"],
    )  # fmt: skip
    begin = f"--init_checkpoint={start}"
    run_well(
        *(command(folder, kind, begin) for kind in KINDS),
        command(folder / "16", "functional", begin, "--mixed_precision=mixed_float16"),
    )
    return folder, {name: trainings.result_of(folder / name) for name in ("tf_keras", *KINDS)}


def summed_loss(result):
    """Returns the sum of all losses of a training, whose curve has points at random times."""
    curve = [(0, 0.0), *result["loss_curve"]]
    pairs = itertools.pairwise(curve)
    return sum((after - before) * loss for (before, _), (after, loss) in pairs)


@pytest.mark.parametrize("port", ["functional", "subclass", "own_step"])
def test_it_trains_as_the_port_to_tf_keras_does(trained, port):
    _, results = trained
    found, expected = results[port], results["tf_keras"]
    assert found["examples"] == expected["examples"]
    assert found["examples"] == {"worker-0": STEPS * own_program.BATCH_SIZE}
    assert summed_loss(found) == pytest.approx(summed_loss(expected), rel=1e-5)
    assert found["eval"] == pytest.approx(expected["eval"], rel=1e-5)


def test_another_learning_rate_is_seen(trained):
    _, results = trained
    expected = results["tf_keras"]["eval"]["loss"]
    assert results["wrong_rate"]["eval"]["loss"] != pytest.approx(expected, rel=1e-3)


def test_the_engine_scales_the_loss_of_16_bits(trained):
    folder, results = trained
    found = trainings.result_of(folder / "16" / "functional")
    assert found["eval"]["loss"] == pytest.approx(results["functional"]["eval"]["loss"], rel=0.01)
    names = [name for name, _ in tf.train.list_variables(found["checkpoint"])]
    assert any("loss_scale" in name for name in names), names


def test_it_is_exported(trained):
    _, results = trained
    served = tf.saved_model.load(results["functional"]["export"]).signatures["serving_default"]
    [found] = served(x=tf.zeros([3, 4])).values()
    assert found.shape == (3, 1)


def test_a_second_model_in_the_process_has_the_same_names(tmp_path):
    """The layers have no names of their own, and Keras counts them: dense, dense_1, and so on."""
    run_well(command(tmp_path, "adam"), command(tmp_path, "adam", steps=STEPS + 6))
    result = trainings.result_of(tmp_path / "adam")
    assert (result["steps"], result["global_step"]) == (6, STEPS + 6)


REFUSED = {
    "not_compiled": ({}, "the model is not compiled. Call model.compile(...)."),
    "of_tf_keras": ({}, "it must return a keras.Model of Keras 3 (import keras"),
    "functional": ({"KERAS_BACKEND": "jax"}, "KERAS_BACKEND=jax does not fit --keras_model="),
}


def test_what_cannot_work_is_refused(tmp_path):
    commands = [command(tmp_path, port, **variables) for port, (variables, _) in REFUSED.items()]
    for ended, (_, words) in zip(run(*commands), REFUSED.values(), strict=True):
        assert ended.code == 2, ended.said
        *_, said = ended.said.splitlines()
        assert words in said
