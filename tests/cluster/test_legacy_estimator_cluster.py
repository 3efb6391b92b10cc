"""Tests of Estimator clusters of real processes: they start, end, restart and lose no update.

The tasks run this file too: `python -m FILE OPTIONS`, with OPTIONS in JSON.
"""

import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from modern.cluster import ports

pytestmark = pytest.mark.cluster

ROOT = pathlib.Path(__file__).parents[2]
BATCH = 2
DEADLINE_SECS = 120


# --- The program -------------------------------------------------------------------------------


def program(options):
    """Trains as TF_CONFIG says, once per model_dir, and reports the steps of this task."""
    # TensorFlow comes after legacy, which then need not load Keras to check that this works.
    from legacy import estimator  # isort: skip
    import tensorflow as tf

    tf1 = tf.compat.v1
    tf1.logging.set_verbosity(tf1.logging.INFO)
    if options.get("defect") == "no_wait":
        from legacy.estimator.cluster import coordination

        coordination.Training.wait_for_workers = lambda self, global_step: None
    task = json.loads(os.environ["TF_CONFIG"])["task"]["type"]
    step_secs = options.get("step_secs", {}).get(task, 0)
    strategy = None
    if options.get("strategy") == "collective" and task != "evaluator":
        strategy = tf1.distribute.experimental.MultiWorkerMirroredStrategy()
    elif options.get("strategy") == "mirrored":
        cpu = tf.config.list_physical_devices("CPU")[0]
        two = [tf.config.LogicalDeviceConfiguration()] * 2
        tf.config.set_logical_device_configuration(cpu, two)
        strategy = tf1.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    elif options.get("strategy") == "ps":
        strategy = tf1.distribute.experimental.ParameterServerStrategy()

    class Report(tf1.train.SessionRunHook):
        def __init__(self):
            self.losses, self.draws, self.started = [], [], False

        def before_run(self, run_context):
            if not self.started:
                say("started")
                self.started = True
            fetches = [tf1.get_collection(tf1.GraphKeys.LOSSES)[-1], tf1.get_collection("draws")]
            return tf1.train.SessionRunArgs(fetches)

        def after_run(self, run_context, run_values):
            loss, draws = run_values.results
            self.losses.append(float(loss))
            self.draws.append([value.tolist() for value in draws])

    def train_input_fn(input_context=None):
        data = examples(tf)
        if input_context is not None:
            data = data.shard(input_context.num_input_pipelines, input_context.input_pipeline_id)
        numbers = tf.data.Dataset.range(10_000).shuffle(10_000)
        drawn = numbers.map(lambda number: (number, tf.random.uniform([])))
        data = tf.data.Dataset.zip((data.repeat(options.get("epochs")), drawn.repeat()))
        return data.map(lambda xy, one: ((xy[0], *one), xy[1])).batch(BATCH)

    steps_begun = itertools.count(1)

    def hold_up():
        """Slows the input down. After ten steps of this process, waits for the gate file."""
        time.sleep(step_secs)
        gate = options.get("gate")
        while gate and next(steps_begun) > 10 and not os.path.exists(gate):
            time.sleep(0.01)
        return np.float32(0)

    def model_fn(features, labels, mode):
        if mode == estimator.ModeKeys.TRAIN:
            features, order, noise = features
            for one in (order, noise, tf.nn.dropout(tf.ones([64]), rate=0.5)):
                tf1.add_to_collection("draws", one)
            # An operation, so that every step waits, not only the construction of the graph.
            features = features + tf.numpy_function(hold_up, [], tf.float32)
        weight = tf1.get_variable("w", [1, 1], initializer=tf1.ones_initializer())
        bias = tf1.get_variable("b", [1], initializer=tf1.zeros_initializer())
        seen = tf1.get_variable("seen", [], tf.int64, tf1.zeros_initializer(), trainable=False)
        loss = tf1.losses.mean_squared_error(labels, tf.matmul(features, weight) + bias)
        step = tf1.train.get_global_step()
        train_op = tf1.train.MomentumOptimizer(0.01, 0.9).minimize(loss, step)
        if strategy is None:
            with tf.control_dependencies([loss]):  # Counts the examples that were read.
                train_op = tf.group(train_op, tf1.assign_add(seen, BATCH, use_locking=True))
        return estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    for model_dir in options["model_dirs"]:
        config = estimator.RunConfig(
            model_dir, save_checkpoints_steps=10, train_distribute=strategy
        )
        report = Report()
        trained = estimator.Estimator(model_fn, config=config)
        estimator.train_and_evaluate(
            trained,
            estimator.TrainSpec(train_input_fn, options["max_steps"], hooks=[report]),
            estimator.EvalSpec(
                lambda: examples(tf).batch(8), steps=None, start_delay_secs=0, throttle_secs=0
            ),
        )
        say("done", model_dir=model_dir, losses=report.losses, draws=report.draws)


def examples(tf):
    x = np.arange(16, dtype=np.float32).reshape(16, 1) / 10
    return tf.data.Dataset.from_tensor_slices((x, 3 * x + 1))


def say(what, **more):
    print("REPORT " + json.dumps({"what": what, **more}), flush=True)


# --- The processes ------------------------------------------------------------------------------


class Cluster:
    """The processes of a cluster. Leaving the context ends all of them."""

    def __init__(self, folder, jobs, **options):
        self._folder = folder
        self._options = options
        numbers = iter(ports.free_ports(sum(jobs.values())))
        self._jobs = {
            job: [f"127.0.0.1:{next(numbers)}" for _ in range(count)]
            for job, count in jobs.items()
            if job != "evaluator"
        }
        self._evaluators = jobs.get("evaluator", 0)
        self.processes = {}

    def __enter__(self):
        for job, addresses in {**self._jobs, "evaluator": [None] * self._evaluators}.items():
            for index in range(len(addresses)):
                self.start(f"{job}-{index}")
        return self

    def __exit__(self, *exc):
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
            process.wait()

    def start(self, name):
        job, _, index = name.partition("-")
        task = {"type": job, "index": int(index)}
        environ = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": ""}
        environ["TF_CONFIG"] = json.dumps({"cluster": self._jobs, "task": task})
        command = [sys.executable, "-m", "tests.cluster.test_legacy_estimator_cluster"]
        with open(self._folder / f"{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(
                [*command, json.dumps(self._options)],
                cwd=ROOT,
                env=environ,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def log(self, name):
        return (self._folder / f"{name}.log").read_text(errors="replace")

    def reports(self, name, what):
        lines = [x for x in self.log(name).splitlines() if x.startswith("REPORT ")]
        found = [json.loads(line.removeprefix("REPORT ")) for line in lines]
        return [report for report in found if report["what"] == what]

    def wait_until(self, condition, what):
        deadline = time.monotonic() + DEADLINE_SECS
        while not condition():
            assert time.monotonic() < deadline, f"{what}: not in time\n{self._tails()}"
            time.sleep(0.05)

    def kill(self, name):
        self.processes[name].send_signal(signal.SIGKILL)
        self.processes[name].wait()

    def wait(self):
        """Waits until all processes have ended by themselves and successfully."""
        processes = self.processes.values()
        self.wait_until(lambda: all(p.poll() is not None for p in processes), "ending")
        codes = {name: process.returncode for name, process in self.processes.items()}
        assert set(codes.values()) == {0}, f"{codes}\n{self._tails()}"

    def _tails(self):
        return "\n".join(f"== {name}\n{self.log(name)[-1500:]}" for name in self.processes)


def alone(**options):
    """Runs the program without a cluster and returns its last report."""
    environ = {**os.environ, "TF_CONFIG": json.dumps({"task": {"type": "worker", "index": 0}})}
    done = subprocess.run(
        [sys.executable, "-m", "tests.cluster.test_legacy_estimator_cluster", json.dumps(options)],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        timeout=DEADLINE_SECS,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1].removeprefix("REPORT "))


def checkpoint(model_dir):
    import tensorflow as tf

    path = tf.train.latest_checkpoint(str(model_dir))
    names = ("global_step", "w", "b", "seen")
    return {name: tf.train.load_variable(path, name).reshape(-1)[0] for name in names}


def evaluated_steps(model_dir):
    import tensorflow as tf

    steps = []
    for path in pathlib.Path(model_dir).glob("eval/events*"):
        for event in tf.compat.v1.train.summary_iterator(str(path)):
            if any(value.tag == "loss" for value in event.summary.value):
                steps.append(event.step)
    return steps


# --- The tests ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two_trainings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("two")
    dirs = [str(folder / "first"), str(folder / "second")]
    jobs = {"chief": 1, "worker": 1, "ps": 2, "evaluator": 1}
    slow = {"worker": 0.4, "chief": 0.005}
    with Cluster(folder, jobs, model_dirs=dirs, max_steps=60, step_secs=slow) as cluster:
        cluster.wait()
        yield cluster, dirs


def consumed(cluster, training):
    trainers = ("chief-0", "worker-0")
    steps = [len(cluster.reports(name, "done")[training]["losses"]) for name in trainers]
    assert min(steps) > 0
    return sum(steps)


@pytest.mark.parametrize("training", [0, 1])
def test_no_update_of_a_slower_worker_is_lost(two_trainings, training):
    cluster, dirs = two_trainings
    final = checkpoint(dirs[training])
    assert final["global_step"] == consumed(cluster, training) >= 60
    assert final["seen"] == BATCH * final["global_step"]


def test_without_waiting_for_the_worker_its_update_is_lost(tmp_path):
    """The planted defect for the test above loses an update. The worker still ends by itself."""
    jobs = {"chief": 1, "worker": 1, "ps": 1}
    options = {
        "model_dirs": [str(tmp_path / "model")],
        "max_steps": 20,
        "step_secs": {"worker": 5, "chief": 0.05},
        "defect": "no_wait",
    }
    with Cluster(tmp_path, jobs, **options) as cluster:
        cluster.wait()
        assert cluster.reports("worker-0", "started")
        steps = {n: len(cluster.reports(n, "done")[0]["losses"]) for n in ("chief-0", "worker-0")}
    assert steps["worker-0"] > 0
    assert checkpoint(tmp_path / "model")["global_step"] == steps["chief-0"]


def test_second_training_in_the_same_processes_starts_afresh(two_trainings):
    cluster, _ = two_trainings
    first, second = cluster.reports("chief-0", "done")
    # With the weights of the first training the loss would begin below 0.1.
    assert first["losses"][0] == second["losses"][0] == pytest.approx(1.22)


def test_workers_draw_random_numbers_of_their_own(two_trainings):
    cluster, _ = two_trainings
    steps = [x for n in ("chief-0", "worker-0") for x in cluster.reports(n, "done")[0]["draws"]]
    orders, noises, masks = ({str(one) for one in drawn} for drawn in zip(*steps, strict=True))
    assert len(orders) == len(noises) == len(masks) == len(steps)


def test_evaluator_ends_with_the_final_checkpoint(two_trainings):
    _, dirs = two_trainings
    for model_dir in dirs:
        assert evaluated_steps(model_dir)[-1] == checkpoint(model_dir)["global_step"]


def test_chief_writes_the_files_of_the_original(two_trainings):
    _, dirs = two_trainings
    names = {path.name for path in pathlib.Path(dirs[0]).iterdir()}
    step = checkpoint(dirs[0])["global_step"]
    # The variables are on two ps, and each writes one data file.
    parts = {f"model.ckpt-{step}.data-0000{i}-of-00002" for i in range(2)}
    assert parts | {"checkpoint", "graph.pbtxt", "eval", f"model.ckpt-{step}.index"} <= names
    assert not [name for name in names if "over" in name or "tmp" in name]


def test_only_the_chief_logs_the_bytes_on_each_server(two_trainings):
    cluster, dirs = two_trainings
    line = "Variables on ps-0: 0.0 MB, ps-1: 0.0 MB."
    assert cluster.log("chief-0").count(line) == len(dirs)
    assert "Variables on" not in cluster.log("worker-0")


def test_one_trainer_and_one_ps_equal_a_local_training(tmp_path):
    """The checkpoints are equal. The data ends before max_steps, and evaluator and ps still end."""
    jobs = {"chief": 1, "ps": 1, "evaluator": 1}
    dirs = [str(tmp_path / "cluster")]
    with Cluster(tmp_path, jobs, model_dirs=dirs, max_steps=100, epochs=3) as cluster:
        cluster.wait()
    alone(model_dirs=[str(tmp_path / "local")], max_steps=100, epochs=3)
    there, here = checkpoint(tmp_path / "cluster"), checkpoint(tmp_path / "local")
    assert there == here
    assert there["global_step"] == 24
    assert evaluated_steps(tmp_path / "cluster")[-1] == 24
    # The steps of the cluster sent small tensors together.
    assert "packed_transfers/" in (tmp_path / "cluster" / "graph.pbtxt").read_text()


@pytest.mark.parametrize("again", [True, False], ids=["restarted", "dead"])
def test_worker_that_is_killed(tmp_path, again):
    jobs = {"chief": 1, "worker": 1, "ps": 1}
    options = {"model_dirs": [str(tmp_path / "model")], "max_steps": 60}
    gate = tmp_path / "gate"
    with Cluster(tmp_path, jobs, **options, gate=str(gate)) as cluster:
        cluster.wait_until(lambda: cluster.reports("worker-0", "started"), "worker's first step")
        cluster.kill("worker-0")
        if again:
            cluster.start("worker-0")
            cluster.wait_until(
                lambda: len(cluster.reports("worker-0", "started")) == 2, "worker's return"
            )
        else:
            del cluster.processes["worker-0"]
        gate.touch()
        cluster.wait()
        if again:
            assert cluster.reports("worker-0", "done")[0]["losses"]
    final = checkpoint(tmp_path / "model")
    assert final["global_step"] >= 60
    # The kill interrupts at most one step.
    assert abs(final["seen"] - BATCH * final["global_step"]) <= BATCH


def test_chief_that_is_killed_resumes_from_the_last_checkpoint(tmp_path):
    jobs = {"chief": 1, "worker": 1, "ps": 1}
    options = {"model_dirs": [str(tmp_path / "model")], "max_steps": 60}
    gate, saved = tmp_path / "gate", tmp_path / "model" / "checkpoint"
    with Cluster(tmp_path, jobs, **options, gate=str(gate)) as cluster:
        cluster.wait_until(
            lambda: saved.exists() and "model.ckpt-0" not in saved.read_text().splitlines()[0],
            "a checkpoint",
        )
        cluster.kill("chief-0")
        cluster.start("chief-0")
        cluster.wait_until(
            lambda: len(cluster.reports("chief-0", "started")) == 2, "chief's return"
        )
        gate.touch()
        cluster.wait()
        assert "Restoring parameters from" in cluster.log("chief-0")
        assert len(cluster.reports("worker-0", "started")) == 1
    assert checkpoint(tmp_path / "model")["global_step"] >= 60


def test_sigterm_saves_first_and_ends_the_ps_last(tmp_path):
    jobs = {"chief": 1, "worker": 1, "ps": 1}
    options = {"model_dirs": [str(tmp_path / "model")], "max_steps": 1_000_000}
    gate = tmp_path / "gate"
    with Cluster(tmp_path, jobs, **options, gate=str(gate)) as cluster:
        trainers = ("chief-0", "worker-0")
        cluster.wait_until(lambda: all(cluster.reports(n, "started") for n in trainers), "steps")
        for process in cluster.processes.values():
            process.send_signal(signal.SIGTERM)
        gate.touch()  # The steps that wait for it end.
        codes = {n: process.wait(DEADLINE_SECS) for n, process in cluster.processes.items()}
        assert set(codes.values()) == {128 + signal.SIGTERM}, codes
    final = checkpoint(tmp_path / "model")
    assert final["global_step"] > 0
    # The worker may be within a step while the chief saves.
    assert abs(final["seen"] - BATCH * final["global_step"]) <= BATCH


# Recorded with this model and data and two collective workers, on tf.estimator of TensorFlow 2.15.
# If gradients were summed over replicas instead of averaged, the second loss would be 4.224.
RECORDED = [1.74, 4.3412237, 7.7718515, 11.250184, 0.8209721]
RECORDED += [1.7881637, 2.7080235, 3.2397885, 0.015330239, 0.039465837]
RECORDED_WEIGHTS = (2.2678196, 1.495008)


def test_collective_all_reduce_is_what_it_was(tmp_path):
    jobs = {"worker": 2}
    options = {"model_dirs": [str(tmp_path / "model")], "max_steps": 10, "strategy": "collective"}
    with Cluster(tmp_path, jobs, **options) as cluster:
        cluster.wait()
        losses = [cluster.reports(f"worker-{i}", "done")[0]["losses"] for i in range(2)]
    assert losses[0] == pytest.approx(RECORDED, rel=1e-5) == losses[1]
    final = checkpoint(tmp_path / "model")
    assert (final["w"], final["b"]) == pytest.approx(RECORDED_WEIGHTS, rel=1e-6)


def test_mirrored_equals_as_many_collective_workers(tmp_path):
    report = alone(model_dirs=[str(tmp_path / "model")], max_steps=10, strategy="mirrored")
    assert report["losses"] == pytest.approx(RECORDED, rel=1e-5)
    final = checkpoint(tmp_path / "model")
    assert (final["w"], final["b"]) == pytest.approx(RECORDED_WEIGHTS, rel=1e-6)


def test_parameter_server_strategy_ends_by_itself(tmp_path):
    jobs = {"chief": 1, "worker": 1, "ps": 1}
    options = {"model_dirs": [str(tmp_path / "model")], "max_steps": 40, "strategy": "ps"}
    with Cluster(tmp_path, jobs, **options) as cluster:
        cluster.wait()
        steps = [
            len(cluster.reports(name, "done")[0]["losses"]) for name in ("chief-0", "worker-0")
        ]
    assert checkpoint(tmp_path / "model")["global_step"] == sum(steps) >= 40


if __name__ == "__main__":
    program(json.loads(sys.argv[1]))
