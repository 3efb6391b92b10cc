"""Tests of train_and_evaluate on one machine, its specs and its exporters."""

import pathlib

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.estimator import training
from tests.legacy.estimator.evaluations import Stops, eval_spec, evaluated, new
from tests.legacy.estimator.models import dataset, receiver_fn

tf1 = tf.compat.v1


def test_each_checkpoint_but_the_first_is_evaluated_and_exported(tmp_path):
    exporters = [
        estimator.FinalExporter("final", receiver_fn),
        estimator.LatestExporter("latest", receiver_fn, exports_to_keep=1),
    ]
    metrics, exports = estimator.train_and_evaluate(
        new(tmp_path), estimator.TrainSpec(dataset, 12), eval_spec(exporters=exporters)
    )
    assert evaluated(tmp_path) == [5, 10, 12]
    assert metrics["global_step"] == 12
    folders = [pathlib.Path(path.decode()) for path in exports]
    assert [folder.parent.name for folder in folders] == ["final", "latest"]
    for name, folder in zip(("final", "latest"), folders, strict=True):
        assert [p.name for p in (tmp_path / "export" / name).iterdir()] == [folder.name]


def test_throttled_evaluation_is_of_the_first_and_the_last(tmp_path):
    spec = eval_spec(throttle_secs=600)
    estimator.train_and_evaluate(new(tmp_path), estimator.TrainSpec(dataset, 20), spec)
    assert evaluated(tmp_path) == [5, 20]


def test_the_input_ends_before_max_steps(tmp_path):
    train_spec = estimator.TrainSpec(lambda: dataset(repeat=1), 100)
    exporters = [estimator.FinalExporter("final", receiver_fn)]
    metrics, exports = estimator.train_and_evaluate(
        new(tmp_path), train_spec, eval_spec(exporters=exporters)
    )
    assert metrics["global_step"] == 8
    assert exports[0] is not None
    assert evaluated(tmp_path) == [5, 8]  # The last step is evaluated once, but exported later.


@pytest.mark.parametrize(("before", "last"), [(True, 10), (False, 5)])
def test_a_listener_ends_training_and_evaluation(tmp_path, before, last):
    listener = Stops(before)
    run = new(tmp_path)
    executor = training._TrainingExecutor(
        run, estimator.TrainSpec(dataset, 50), eval_spec(), continuous_eval_listener=listener
    )
    executor.run()
    assert run.get_variable_value("global_step") == last
    assert [result.status for result in listener.results] == ["evaluated"]
    assert listener.results[0].checkpoint_path.endswith("model.ckpt-5")


def test_nothing_left_to_train(tmp_path):
    spec = estimator.TrainSpec(dataset, 5)
    estimator.train_and_evaluate(new(tmp_path), spec, eval_spec())
    assert estimator.train_and_evaluate(new(tmp_path), spec, eval_spec()) == (None, None)


def test_without_checkpoints_there_is_nothing_to_evaluate(tmp_path):
    with pytest.raises(ValueError, match="save_checkpoints_steps or RunConfig"):
        estimator.train_and_evaluate(
            new(tmp_path, save_checkpoints_steps=None), estimator.TrainSpec(dataset, 5), eval_spec()
        )


def test_best_exporter_exports_what_is_better(tmp_path):
    def better(best_eval_result, current_eval_result):
        return current_eval_result["global_step"] == 10

    best = estimator.BestExporter("best", receiver_fn, compare_fn=better)
    run = new(tmp_path)
    run.train(dataset, max_steps=1)
    exported = [
        best.export(run, str(tmp_path / "best"), run.latest_checkpoint(), {"global_step": s}, False)
        for s in (5, 10, 15)
    ]
    assert [path is not None for path in exported] == [True, True, False]


CLUSTER = {"chief": ["h:1"], "worker": ["h:2"], "ps": ["h:3"]}


class Settings:
    """The attributes of a RunConfig that the roles read."""

    task_id = 0
    master = "grpc://h:1"
    experimental_max_worker_delay_secs = None

    def __init__(self, role, cluster=CLUSTER, **more):
        self.task_type = role
        self.cluster_spec = tf.train.ClusterSpec(cluster)
        vars(self).update(more)


class Trained(estimator.Estimator):
    """Estimator that records its trainings but does not train."""

    def __init__(self, config, model_dir=""):
        self._given, self._dir, self.trainings = config, model_dir, []

    config = property(lambda self: self._given)
    model_dir = property(lambda self: self._dir)

    def train(self, **arguments):
        self.trainings.append(arguments)


def executor(run):
    return training._TrainingExecutor(run, estimator.TrainSpec(fn, 5), eval_spec())


@pytest.mark.parametrize("role", ["chief", "master", "worker", "ps"])
@pytest.mark.parametrize(
    "missing", [{"cluster_spec": None}, {"task_type": ""}, {"task_id": None}, {"master": ""}]
)
def test_a_role_needs_its_place_in_the_cluster(role, missing):
    run = executor(Trained(Settings(role, **missing)))
    with pytest.raises(RuntimeError, match="Could not start server; .*TF_CONFIG"):
        getattr(run, f"run_{role}")()


@pytest.mark.parametrize("role", ["chief", "master", "worker"])
def test_the_only_task_needs_no_master(role):
    run = Trained(Settings(role, {role: ["h:1"]}, master=""))
    getattr(executor(run), f"run_{role}")()
    assert [each["max_steps"] for each in run.trainings] == [5]


def test_a_worker_waits_no_longer_than_it_may(monkeypatch):
    waited = []
    monkeypatch.setattr("time.sleep", waited.append)
    for longest in (None, 0, 3, 99):
        settings = Settings("worker", {"worker": ["h:1"]}, master="", task_id=1)
        settings.experimental_max_worker_delay_secs = longest
        executor(Trained(settings)).run_worker()
    assert waited == [3, 10]


def test_a_trainer_serves_before_it_trains_unless_the_platform_does(monkeypatch):
    made = []

    class Server:
        def __init__(self, *arguments, **more):
            made.append((more["job_name"], more["task_index"]))

        def start(self):
            made.append("started")

    monkeypatch.setattr(tf1.train, "Server", Server)
    more = {"train_distribute": None, "session_config": None, "protocol": None}
    run = executor(Trained(Settings("worker", **more)))
    run.run_worker()
    assert made == [("worker", 0), "started"]
    monkeypatch.setattr(tf1.train, "Server", None)
    monkeypatch.setenv("TF_CONFIG", '{"environment": "google"}')
    run.run_worker()


def test_further_roles():
    run = executor(Trained(Settings("alloc")))
    with pytest.raises(ValueError, match="Task type alloc is not supported"):
        run.run()
    done = []
    run.run_alloc = lambda: done.append(1)
    run.run()
    assert done == [1]


def test_an_evaluator_that_a_program_makes_exports_what_it_is_given(tmp_path):
    class Exporter(estimator.Exporter):
        name = "mine"

        def export(self, **arguments):
            return arguments["checkpoint_path"], arguments["is_the_final_export"]

    spec = eval_spec(exporters=Exporter())
    made = training._TrainingExecutor._Evaluator(Trained(None, str(tmp_path)), spec, None)
    result = training._EvalResult("evaluated", {"global_step": 5}, "model.ckpt-5")
    assert made._export_eval_result(result, True) == [("model.ckpt-5", True)]


def test_the_evaluator_sees_no_parameter_servers():
    strategy = tf1.distribute.experimental.ParameterServerStrategy()
    run = executor(Trained(Settings("evaluator", eval_distribute=strategy)))
    with pytest.raises(ValueError, match="cannot be used by the evaluator"):
        run.run()


def fn():
    """An input function."""


@pytest.mark.parametrize("wrong", range(3))
def test_wrong_types_of_train_and_evaluate(tmp_path, wrong):
    arguments = [new(tmp_path), estimator.TrainSpec(fn), estimator.EvalSpec(fn)]
    arguments[wrong] = 5
    with pytest.raises(TypeError, match="must have type `tf.estimator"):
        estimator.train_and_evaluate(*arguments)
