"""Tests for a model_fn as a job: the batches of replicas and workers."""

import inspect
import subprocess
import sys

import pytest
import tensorflow as tf

from legacy import estimator as tf_estimator
from migrate.bridge.jobs.job import Job
from modern.process import cli
from modern.tasks import counted_model
from tests.migrate.bridge import small
from tests.modern import draws

SMALL = small.__name__
# Logical devices must be configured before TensorFlow starts, hence a new process.
TWO_REPLICAS = """
from modern.process import quiet_import
quiet_import.import_tensorflow()
import runpy, sys
import tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
sys.argv[1:1] = ["train"]
runpy.run_module("migrate", run_name="__main__")
"""


def numbers(data):
    return [batch["y_order"].tolist() for batch, _ in data.as_numpy_iterator()]


def test_replicas_of_one_process_take_the_batches_of_one_input_in_turn(tmp_path):
    path = tmp_path / "draws"
    flags = [
        *(f"--model_fn={SMALL}:drawing_model_fn", f"--input_fn={SMALL}:numbered_input_fn"),
        *(f'--model_params={{"draws": "{path}"}}', f"--model_dir={tmp_path / 'm'}"),
        f"--eval_input_fn={SMALL}:input_fn",
        *("--strategy=mirrored", "--train_steps=4", "--warmup_steps=1", "--noexport"),
    ]
    done = subprocess.run(
        [sys.executable, "-c", TWO_REPLICAS, *flags], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    seen = sorted(int(order[0]) for order, _, _ in draws.read(path))
    assert seen == [4 * batch for batch in range(8)]


def test_a_worker_takes_its_share_by_an_index_that_only_the_worker_knows():
    job = Job(f"{SMALL}:model_fn", f"{SMALL}:numbered_input_fn", None, "{}")
    whole = numbers(job.batches_in_turn(1, 0, 2).take(16))
    for trainer in (0, 1):  # Under ParameterServerStrategy, the index is a tensor.
        data = job.train_batches(4, 0, 2, tf.constant(trainer), 0).take(8)
        assert numbers(data) == whole[trainer::2]
        assert numbers(job.train_batches(4, 0, 2, trainer, 0).take(8)) == whole[trainer::2]


def test_the_input_begins_anew_in_a_new_process():
    job = Job(f"{SMALL}:model_fn", f"{SMALL}:numbered_input_fn", None, "{}")
    whole = numbers(job.train_batches(4, 0, 1, 0, 0).take(8))
    assert numbers(job.train_batches(4, 0, 1, 0, 100).take(8)) == whole


def without_eval_loss(features, labels, mode):
    if mode == "eval":
        return tf_estimator.EstimatorSpec(mode, predictions=features)
    return small.model_fn(features, labels, mode, {})


def without_predictions(features, labels, mode):
    if mode == "infer":
        raise NotImplementedError("it only trains")
    return small.model_fn(features, labels, mode, {})


def endless():
    return small.input_fn().repeat()


CALLED_IN = []  # For each call of `noted`, the file that its code is in.


def upright(features, labels):
    if tf.reduce_sum(labels) < 0:  # Of a tensor: AutoGraph makes it work.
        return features, -labels
    return features, labels


def noted():
    CALLED_IN.append(inspect.currentframe().f_code.co_filename)
    return small.input_fn().map(upright)


HERE = __name__


def test_autograph_converts_the_map_of_an_input_fn_but_not_the_input_fn():
    CALLED_IN.clear()
    job = Job(f"{SMALL}:model_fn", f"{HERE}:noted", None, "{}")
    first = tf.function(lambda: next(iter(job.train_batches(16, 0, 1, 0, 0))))
    assert tf.reduce_sum(first()[1]) >= 0
    assert {*CALLED_IN} == {__file__}


def test_an_input_fn_is_called_once_to_build_the_models():
    CALLED_IN.clear()
    job = Job(f"{SMALL}:model_fn", f"{HERE}:noted", f"{SMALL}:input_fn", "{}")
    job.batch_size()
    job.check_first(exports=True)
    job.training_model(counted_model.Counters(1), 1)
    assert len(CALLED_IN) == 1


@pytest.mark.parametrize(
    ("model_fn", "input_fn", "words"),
    [
        (
            f"{HERE}:without_eval_loss",
            f"{SMALL}:input_fn",
            "in mode 'eval', .* raised ValueError: Missing loss",
        ),
        (f"{SMALL}:model_fn", f"{HERE}:endless", "has no end"),
    ],
)
def test_an_impossible_evaluation_is_refused_before_the_training(model_fn, input_fn, words):
    with pytest.raises(cli.UsageError, match=words):
        Job(model_fn, input_fn, None, "{}").check_first(exports=False)


def test_an_impossible_export_is_reported_before_the_training(caplog):
    job = Job(f"{HERE}:without_predictions", f"{SMALL}:input_fn", None, "{}")
    job.check_first(exports=False)
    assert not caplog.messages
    job.check_first(exports=True)
    assert caplog.messages == [
        "Nothing will be exported (--noexport asks for nothing): in mode 'infer', which export "
        "needs, model_fn raised NotImplementedError: it only trains"
    ]


def test_nothing_is_trained_that_cannot_be_evaluated(tmp_path):
    flags = [
        *(f"--model_fn={HERE}:without_eval_loss", f"--input_fn={SMALL}:input_fn"),
        *(f"--model_dir={tmp_path / 'm'}", "--train_steps=4"),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "migrate", "train", *flags],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr[-3000:]
    assert "model_fn raised ValueError: Missing loss" in done.stderr
    assert not list((tmp_path / "m").glob("checkpoints/*"))
