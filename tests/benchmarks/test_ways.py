"""Tests of `benchmarks.ways`, which maps each way to its program, cluster and number of steps."""

import dataclasses

import pytest

from benchmarks import ways

SETTING = ways.Setting(job="linear_regression", trainers=3, ps=2, steps=10, max_seeds=4)


@pytest.mark.parametrize("way", ways.NAMES)
def test_every_way_gets_the_same_number_of_examples(way):
    group = ways.group(SETTING, way, "out")
    trainers_per_step = 3 if way == "multi_worker_mirrored" else 1
    assert group.train_steps * trainers_per_step == 30
    assert f"--train_steps={group.train_steps}" in group.command


@pytest.mark.parametrize(
    ("way", "cluster"),
    [
        ("single", (False, 1, 0, False)),
        ("legacy", (True, 2, 2, True)),  # its chief trains
        ("parameter_server", (True, 3, 2, True)),  # its chief does not
        ("multi_worker_mirrored", (False, 3, 0, True)),
    ],
)
def test_every_way_has_as_many_trainers(way, cluster):
    group = ways.group(SETTING, way, "out")
    assert (group.chief, group.workers, group.ps, group.evaluator) == cluster


@pytest.mark.parametrize("way", [*ways.NAMES, *ways.PORT_NAMES, *ways.KERAS3_NAMES])
def test_as_many_tasks_train_as_there_are_trainers(way):
    group = ways.group(SETTING, way, "out")
    tasks = {"chief": group.chief, "worker": group.workers, "ps": group.ps, "evaluator": 1}
    training = sum(count for task_type, count in tasks.items() if ways.trains(way, task_type))
    assert training == (1 if way.endswith("single") else SETTING.trainers)


def test_each_repeat_has_a_seed_of_its_own():
    group = ways.group(SETTING, "legacy", "out")
    assert group.repeats == 4
    assert "--repeats=4" in group.command
    assert group.result_dir(3).endswith("repeat-3")


def test_only_the_synchronous_way_scales_the_rate():
    scaling = [
        way
        for way in ways.NAMES
        if "--scale_learning_rate" in ways.group(SETTING, way, "out").command
    ]
    assert scaling == ["multi_worker_mirrored"]


@pytest.mark.parametrize("way", ways.KERAS3_NAMES)
def test_a_way_of_keras_3_differs_in_one_flag(way):
    strategy = ways.strategy_of(way)
    ours, theirs = (ways.group(SETTING, name, "out") for name in (way, strategy))
    paths = ("--model_dir", "--start_signal")
    ours, theirs = (
        {flag for flag in group.command if not flag.startswith(paths)} for group in (ours, theirs)
    )
    assert ours - theirs == {"--keras=3"}
    assert theirs - ours == set()
    assert ways.is_asynchronous(way) == (strategy == "parameter_server")


@pytest.mark.parametrize("way", [*ways.NAMES, *ways.PORT_NAMES])
def test_only_the_port_of_a_user_is_of_keras_3(way):
    own = ways.OwnJob("a:f", "a:g", "a:h", keras_model="b:f", keras=3)
    command = ways.group(dataclasses.replace(SETTING, own_job=own), way, "out").command
    assert ("--keras=3" in command) == ("--keras_model=b:f" in command) == way.startswith("keras_")


def test_exact_groups_are_told_apart_by_trainers_and_batch():
    groups = [ways.exact_group(SETTING, "single", "out", 1, batch, steps=5) for batch in (32, 64)]
    assert groups[0].folder != groups[1].folder
    assert not any(group.evaluator or group.repeats > 1 for group in groups)
    assert "--deterministic" in groups[0].command


def test_another_program_takes_the_place_of_the_usual_one():
    setting = ways.Setting(job="linear_regression", programs={"single": ("other.py", "x")})
    assert ways.group(setting, "single", "out").command[1:3] == ("other.py", "x")
    assert ways.group(setting, "legacy", "out").command[1:3] == ("-m", "legacy.train")


def test_a_control_differs_from_its_training_in_weights_and_folder_alone():
    group = ways.exact_group(ways.Setting(job="mnist_cnn"), "single", "out", 1, 32, 20)
    control = ways.control_of(group, "out/initial/nudged")
    added = control.command[len(group.command) :]
    assert control.command[: len(group.command)] == group.command
    assert {flag.partition("=")[0] for flag in added} == {
        "--init_checkpoint",
        "--model_dir",
        "--start_signal",
    }
    assert f"--model_dir={control.model_dir}" in added
    assert control.folder != group.folder


def test_a_job_that_amplifies_rounding_is_compared_after_one_step():
    assert ways.exact_steps(ways.Setting(job="resnet56_cifar10")) == 1
    assert ways.exact_steps(ways.Setting(job="mnist_cnn")) == ways.EXACT_STEPS
