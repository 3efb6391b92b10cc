"""Tests of Estimator on one machine, with the values of TensorFlow 2.15."""

import itertools
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator
from tests.legacy.estimator.models import Losses, dataset, model_fn, receiver_fn

tf1 = tf.compat.v1


@pytest.fixture(autouse=True)
def no_cluster(monkeypatch):
    monkeypatch.delenv("TF_CONFIG", raising=False)


@pytest.fixture
def trained(tmp_path):
    return estimator.Estimator(model_fn, tmp_path / "model").train(dataset, max_steps=10)


def test_training_writes_the_files_of_the_original(trained):
    names = {path.name for path in pathlib.Path(trained.model_dir).iterdir()}
    events = {name for name in names if name.startswith("events.out.tfevents.")}
    saved = {
        f"model.ckpt-{step}.{part}"
        for step in (0, 10)
        for part in ("data-00000-of-00001", "index", "meta")
    }
    assert len(events) == 1
    assert names - events == saved | {"checkpoint", "graph.pbtxt"}


def test_variables(trained):
    assert trained.get_variable_names() == ["b", "b/Momentum", "global_step", "w", "w/Momentum"]
    assert trained.get_variable_value("global_step") == 10
    with pytest.raises(tf.errors.NotFoundError):
        trained.get_variable_value("nope")


def test_training_goes_on_from_the_checkpoint(trained):
    again = estimator.Estimator(model_fn, trained.model_dir)
    again.train(dataset, steps=5)
    assert again.get_variable_value("global_step") == 15
    losses = Losses()
    again.train(dataset, max_steps=15, hooks=[losses])
    assert losses.values == []  # The training was at max_steps before.


def test_same_seed_same_losses(tmp_path):
    def random_model_fn(features, labels, mode):
        weight = tf1.get_variable("w", [1, 1], initializer=tf1.random_normal_initializer())
        loss = tf1.losses.mean_squared_error(labels, tf.matmul(features, weight))
        step = tf1.train.get_global_step()
        train_op = tf1.train.GradientDescentOptimizer(0.01).minimize(loss, step)
        return estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    runs = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        losses = Losses()
        config = estimator.RunConfig(str(tmp_path / name), tf_random_seed=seed)
        run = estimator.Estimator(random_model_fn, config=config)
        runs.append(losses.values)
        run.train(dataset, steps=3, hooks=[losses])
    assert runs[0] == runs[1] != runs[2]


def test_evaluate(trained):
    results = trained.evaluate(lambda: dataset(repeat=1), name="some")
    assert set(results) == {"loss", "mae", "global_step"}
    assert results["global_step"] == 10
    (path,) = pathlib.Path(trained.eval_dir("some")).iterdir()
    tags = [
        value.tag
        for event in tf1.train.summary_iterator(str(path))
        for value in event.summary.value
    ]
    assert tags == ["loss", "mae", "checkpoint_path"]


def test_evaluate_is_of_the_whole_input(trained):
    # 16 examples give the same mean loss in batches of 2 and in one batch.
    by_two = trained.evaluate(lambda: dataset(2, repeat=1))
    at_once = trained.evaluate(lambda: dataset(16, repeat=1))
    assert by_two["loss"] == pytest.approx(at_once["loss"], rel=1e-5)


def test_evaluate_without_a_checkpoint_initializes(tmp_path):
    fresh = estimator.Estimator(model_fn, tmp_path / "fresh")
    assert fresh.evaluate(dataset, steps=1)["loss"] == pytest.approx(1.22)


@pytest.mark.parametrize("name", ["loss", "global_step"])
def test_reserved_metric_names(trained, name):
    def with_metric(features, labels, mode):
        spec = model_fn(features, labels, mode)
        return spec._replace(eval_metric_ops={name: tf1.metrics.mean(spec.loss)})

    with pytest.raises(ValueError, match=f"Metric with name .{name}. is not allowed"):
        estimator.Estimator(with_metric, trained.model_dir).evaluate(dataset, steps=1)


def test_predict(trained):
    single = list(itertools.islice(trained.predict(dataset), 3))
    batch = next(trained.predict(dataset, yield_single_examples=False))
    assert single[0]["y"].shape == (1,)
    np.testing.assert_array_equal(batch["y"], [single[0]["y"], single[1]["y"]])
    with pytest.raises(ValueError, match="Expected to run at least one output"):
        next(trained.predict(dataset, predict_keys=["nope"]))


def test_unfinished_predictions_end_with_the_program(tmp_path):
    program = tmp_path / "begun.py"
    program.write_text(
        "from legacy import estimator\n"  # Python tears modules down in the order of imports.
        "import tensorflow as tf\n"
        "def model_fn(features, mode):\n"
        "    predictions = tf.compat.v1.get_variable('w', []) + features\n"
        "    return estimator.EstimatorSpec(mode, predictions=predictions)\n"
        "def input_fn():\n"
        "    return tf.data.Dataset.range(9).map(lambda x: tf.cast(x, tf.float32)).batch(2)\n"
        f"predictions = estimator.Estimator(model_fn, {str(tmp_path)!r}).predict(input_fn)\n"
        "next(predictions)\n"
    )
    done = subprocess.run(
        [sys.executable, program],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).parents[3])},
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_predictions_without_a_batch(tmp_path):
    def scalar_model_fn(features, mode):
        return estimator.EstimatorSpec(mode, predictions={"one": tf.constant(1.0)})

    one = estimator.Estimator(scalar_model_fn, tmp_path)
    with pytest.raises(IndexError, match=r"predictions\[one\] is a scalar"):
        next(one.predict(dataset))
    assert next(one.predict(dataset, yield_single_examples=False)) == {"one": 1.0}


def test_a_session_of_the_programs_own_is_not_waited_for(tmp_path, monkeypatch):
    """Each task of a cluster creates its session at once, in its role. No other task is running."""
    calls = []

    def own_session(**kwargs):
        calls.append(kwargs)
        raise StopIteration

    monkeypatch.setattr(tf1.train, "MonitoredTrainingSession", own_session)
    cluster = {"master": ["host:1"], "ps": ["host:2"], "worker": ["host:3"]}
    for task in ("master", "worker"):
        config = {"cluster": cluster, "task": {"type": task, "index": 0}}
        monkeypatch.setenv("TF_CONFIG", json.dumps(config))
        with pytest.raises(StopIteration):
            estimator.Estimator(model_fn, tmp_path).train(dataset, steps=1)
    assert [call["is_chief"] for call in calls] == [True, False]
    assert [call["master"] for call in calls] == ["grpc://host:1", "grpc://host:3"]
    summaries = [
        any(isinstance(hook, tf1.train.SummarySaverHook) for hook in call["hooks"])
        for call in calls
    ]
    assert summaries == [False, True]


def test_export_saved_model(trained, tmp_path):
    (tmp_path / "note.txt").write_text("hello")
    path = trained.export_saved_model(
        str(tmp_path / "export"), receiver_fn, assets_extra={"notes/n.txt": tmp_path / "note.txt"}
    )
    folder = pathlib.Path(path.decode())
    assert folder.name.isdigit()
    assert (folder / "assets.extra" / "notes" / "n.txt").read_text() == "hello"
    served = tf.saved_model.load(path.decode()).signatures["serving_default"]
    predicted = served(x=tf.constant([[0.0], [1.0]]))["y"].numpy().ravel()
    weight, bias = (trained.get_variable_value(n).ravel()[0] for n in ("w", "b"))
    np.testing.assert_allclose(predicted, [bias, weight + bias], rtol=1e-6)


def test_nothing_to_export_or_look_at(tmp_path):
    fresh = estimator.Estimator(model_fn, tmp_path / "fresh")
    with pytest.raises(ValueError, match="Couldn't find trained model"):
        fresh.export_saved_model(str(tmp_path), receiver_fn)
    with pytest.raises(ValueError, match="Could not find trained model"):
        fresh.get_variable_names()
    assert fresh.latest_checkpoint() is None


def test_model_fn_gets_what_it_asks_for(tmp_path):
    seen = {}

    def asking(features, labels, mode, params, config):
        seen.update(mode=mode, params=params, config=config)
        return model_fn(features, labels, mode)

    def input_fn(params, mode):
        seen.update(input_params=params, input_mode=mode)
        return dataset()

    asked = estimator.Estimator(asking, tmp_path / "m", params={"rate": 1})
    asked.train(input_fn, steps=1)
    assert seen["mode"] == seen["input_mode"] == "train"
    assert seen["params"] == seen["input_params"] == {"rate": 1}
    assert isinstance(seen["config"], estimator.RunConfig)


def test_input_of_tensors(tmp_path):
    run = estimator.Estimator(model_fn, tmp_path / "m")
    run.train(lambda: (tf.constant([[1.0]]), tf.constant([[4.0]])), steps=2)
    assert run.get_variable_value("global_step") == 2


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"steps": 0}, ValueError, "Must specify steps > 0, given: 0"),
        ({"max_steps": 0}, ValueError, "Must specify max_steps > 0, given: 0"),
        ({"steps": 1, "max_steps": 1}, ValueError, "Can not provide both steps and max_steps"),
        ({"hooks": [5]}, TypeError, "Hooks must be a SessionRunHook, given: 5"),
        ({"saving_listeners": [5]}, TypeError, "saving_listeners must be a list of"),
    ],
)
def test_wrong_arguments_of_train(tmp_path, arguments, error, message):
    with pytest.raises(error, match=message):
        estimator.Estimator(model_fn, tmp_path).train(dataset, **arguments)


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (None, {}, "model_fn must be provided"),
        (lambda x: 1, {}, "must include features argument"),
        (lambda features, foo: 1, {}, "not expected args: .'foo'."),
        (lambda features: 1, {"params": {"a": 1}}, "does not include params argument"),
        (lambda features: 1, {"config": 5}, "config must be an instance of `RunConfig`"),
        (lambda features: 1, {"warm_start_from": 5}, "warm_start_from must be a string"),
    ],
)
def test_wrong_arguments_of_estimator(tmp_path, function, arguments, message):
    with pytest.raises(ValueError, match=message):
        estimator.Estimator(function, str(tmp_path), **arguments)


def test_model_dirs_that_differ():
    config = estimator.RunConfig("/tmp/b")
    with pytest.raises(ValueError, match="different values"):
        estimator.Estimator(model_fn, "/tmp/a", config)


@pytest.mark.parametrize("name", ["train", "_train_model", "config"])
def test_members_are_not_overridden(name, tmp_path):
    subclass = type("Sub", (estimator.Estimator,), {name: lambda self: None})
    with pytest.raises(ValueError, match="cannot override members of Estimator"):
        subclass(model_fn, tmp_path)


def test_wrong_results_of_the_users_functions(tmp_path):
    no_spec = estimator.Estimator(lambda features, labels: 1, tmp_path)
    with pytest.raises(ValueError, match="model_fn should return an EstimatorSpec"):
        no_spec.train(dataset, steps=1)
    no_labels = estimator.Estimator(lambda features: 1, tmp_path)
    with pytest.raises(ValueError, match="model_fn does not take labels"):
        no_labels.train(dataset, steps=1)
    triple = estimator.Estimator(model_fn, tmp_path)
    with pytest.raises(ValueError, match="len 2 tuple"):
        triple.train(lambda: (1, 2, 3), steps=1)


def test_a_loss_that_is_not_a_number_ends_the_training(tmp_path):
    def diverged(features, labels, mode):
        spec = model_fn(features, labels, mode)
        return spec._replace(loss=spec.loss * float("nan"))

    with pytest.raises(estimator.NanLossDuringTrainingError):
        estimator.Estimator(diverged, tmp_path / "m").train(dataset, steps=1)


def test_warm_start(trained, tmp_path):
    def started(warm_start_from, name):
        fresh = estimator.Estimator(model_fn, tmp_path / name, warm_start_from=warm_start_from)
        losses = Losses()
        fresh.train(dataset, steps=1, hooks=[losses])
        return losses.values[0]

    initial = pytest.approx(1.22)
    assert started(None, "a") == initial
    assert started(trained.model_dir, "b") != initial
    only_bias = estimator.WarmStartSettings(trained.model_dir, vars_to_warm_start="^b")
    assert started(only_bias, "c") not in (started(trained.model_dir, "d"), initial)
