"""Tests that legacy.train trains a user's unmodified model_fn."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator as tf_estimator
from modern.process import cli
from modern.tasks import flags as common_flags
from modern.tasks import own_job_flags
from tests.benchmarks import own_program
from tests.modern import in_turn
from tests.modern.flag_values import parsed

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = "tests.benchmarks.own_program"
JOB = [
    f"--model_fn={PROGRAM}:model_fn", f"--input_fn={PROGRAM}:input_fn",
    f"--eval_input_fn={PROGRAM}:eval_input_fn", f"--model_params={PROGRAM}:hparams",
]  # fmt: skip
PLAIN = [f"--model_fn={PROGRAM}:without_params", f"--eval_input_fn={PROGRAM}:eval_input_fn"]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Returns the folders of trainings of the job, resumed from a checkpoint, and of variants."""
    folder = tmp_path_factory.mktemp("trained")
    start = f"--init_checkpoint={folder}/first/model.ckpt-0"
    commands = [
        [*JOB, f"--model_dir={folder}/first", "--train_steps=6"],
        [*JOB, f"--model_dir={folder}/second", "--train_steps=6", start, "--seed=7"],
        [*JOB, f"--model_dir={folder}/second", "--train_steps=6", start, "--seed=7"],
        # Ends with its data, as an Estimator does.
        [*PLAIN, f"--input_fn={PROGRAM}:finite", f"--model_dir={folder}/plain"],
        [*PLAIN, f"--input_fn={PROGRAM}:tensors", f"--model_dir={folder}/tensors",
         "--train_steps=3"],
        [*JOB, f"--input_fn={PROGRAM}:configured", f"--model_dir={folder}/configured",
         "--train_steps=2"],
        [*PLAIN, f"--input_fn={PROGRAM}:finite", "--model_params={}",
         f"--model_dir={folder}/empty_params"],
        [*JOB, f"--eval_input_fn={PROGRAM}:input_fn", f"--model_dir={folder}/endless"],
        [*PLAIN, f"--input_fn={PROGRAM}:finite", '--model_params={"rate": 1}',
         f"--model_dir={folder}/params"],
        [*PLAIN, f"--model_fn={__name__}:without_eval_loss", f"--input_fn={PROGRAM}:finite",
         f"--model_dir={folder}/no_loss"],
    ]  # fmt: skip
    return folder, in_turn.run("legacy.train", [(one, {}) for one in commands], timeout=240)


def without_eval_loss(features, labels, mode):
    if mode == tf_estimator.ModeKeys.EVAL:
        return tf_estimator.EstimatorSpec(mode, predictions=features)
    return own_program.without_params(features, labels, mode)


def result(folder, name):
    return json.loads((folder / name / "result.json").read_text())


def test_what_is_trained_ends_well(trained):
    _, ended = trained
    assert [one.code for one in ended] == [0] * 7 + [cli.MISUSE] * 3, [one.said for one in ended]


def test_the_result_is_that_of_every_way(trained):
    folder, _ = trained
    found = result(folder, "first")
    assert found["job"] == f"{PROGRAM}:model_fn"
    assert found["dataset"] == f"{PROGRAM}:input_fn"
    assert found["examples"] == {"worker-0": 6 * 16}
    assert found["batch_size"] == 16
    assert found["parameters"] == 4 * 6 + 6 + 6 + 1
    assert set(found["eval"]) == {"loss", "mae"}
    assert found["loss_curve"]
    assert found["checkpoint"] == str(folder / "first" / "model.ckpt-6")


def test_it_begins_with_the_whole_checkpoint_whatever_the_seed(trained):
    folder, ended = trained
    ends = [tf.train.load_checkpoint(result(folder, n)["checkpoint"]) for n in ("first", "second")]
    for name in ends[0].get_variable_to_shape_map():
        np.testing.assert_array_equal(*(end.get_tensor(name) for end in ends), err_msg=name)
    assert "nothing left to train" in ended[2].said


def test_a_finite_input_ends_the_training_and_metrics_that_are_no_number_are_left_out(trained):
    folder, _ = trained
    found = result(folder, "plain")
    assert found["steps"] == 4
    assert found["examples"] == {"worker-0": 60}
    assert set(found["eval"]) == {"loss"}


def test_tensors_are_an_input(trained):
    folder, _ = trained
    assert result(folder, "tensors")["examples"] == {"worker-0": 48}


def test_an_evaluation_without_end_is_refused(trained):
    assert "--eval_input_fn=tests.benchmarks.own_program:input_fn has no end" in trained[1][-3].said


def test_an_evaluation_without_a_loss_is_refused(trained):
    folder, ended = trained
    assert "without_eval_loss returns no loss in mode 'eval'" in ended[-1].said
    assert not list(folder.glob("no_loss/model.ckpt*"))


def test_params_that_are_not_taken_are_refused(trained):
    assert "does not include params argument" in trained[1][-2].said
    assert len(trained[1][-2].said.strip().splitlines()) == 1


def test_an_old_program_is_given_the_tensorflow_that_it_knew(tmp_path):
    (tmp_path / "old_job.py").write_text(
        "import numpy as np\n"
        "import tensorflow as tf\n"
        "def input_fn():\n"
        "    x = np.ones((4, 3), np.float32)\n"
        "    return tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(2).repeat(4)\n"
        "def model_fn(features, labels, mode):\n"
        "    width = features.shape[1].value\n"
        "    out = tf.contrib.layers.fully_connected(features, width - 2, scope='out')\n"
        "    loss = tf.losses.mean_squared_error(labels, out)\n"
        "    train_op = tf.train.AdamOptimizer().minimize(\n"
        "        loss, tf.train.get_or_create_global_step())\n"
        "    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "legacy.train", "--model_fn=old_job:model_fn",
         "--input_fn=old_job:input_fn", "--train_steps=3", f"--model_dir={tmp_path}/model"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert result(tmp_path, "model")["steps"] == 3


def test_flags_of_another_app_need_not_be_there():
    def define():
        common_flags.define_common()
        own_job_flags.define_model_fn()

    with parsed(define, *JOB):
        own_job_flags.check()
    with (
        parsed(define, *JOB, "--learning_rate=1"),
        pytest.raises(cli.UsageError, match="--learning_rate is for a --job"),
    ):
        own_job_flags.check()
