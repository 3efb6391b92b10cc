"""Tests for the plan: which files are jobs, and the highest rung that each can reach."""

import textwrap

import pytest

from migrate.scan import jobs, scanner

CUSTOM = """
    import os
    import tensorflow as tf
    from model import model_fn
    from data import train_input

    class Stop(tf.train.SessionRunHook):
        pass

    def main(_):
        strategy = tf.contrib.distribute.MirroredStrategy()
        config = tf.estimator.RunConfig(train_distribute=strategy)
        warm = tf.estimator.WarmStartSettings("old")
        estimator = tf.estimator.Estimator(model_fn=model_fn, config=config, warm_start_from=warm)
        exporter = tf.estimator.BestExporter(serving_input_receiver_fn=serving)
        tf.estimator.train_and_evaluate(
            estimator,
            tf.estimator.TrainSpec(input_fn=train_input, hooks=[Stop()]),
            tf.estimator.EvalSpec(input_fn=lambda: train_input(1), exporters=exporter))

    if __name__ == "__main__":
        tf.app.run(main)
"""
MODEL = """
    import tensorflow as tf
    def model_fn(features, labels, mode, params):
        return tf.estimator.EstimatorSpec(mode, loss=tf.losses.mean_squared_error(labels, 1))
"""
SESSION = """
    import tensorflow as tf
    with tf.Session() as session:
        session.run(tf.train.AdamOptimizer().minimize(loss))
    if __name__ == "__main__":
        pass
"""
CANNED = """
    import tensorflow as tf
    if __name__ == "__main__":
        tf.estimator.DNNClassifier([3], []).train(tf.estimator.inputs.numpy_input_fn({}))
"""


@pytest.fixture
def plan(tmp_path):
    def plan(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
        found = jobs.plan(scanner.scan_paths([str(tmp_path)], processes=1))
        return {job.path.removeprefix(f"{tmp_path}/"): job for job in found}

    return plan


def test_a_job_is_what_it_and_its_modules_are(plan):
    (job,) = plan(train=CUSTOM, model=MODEL, data="def train_input(): pass").values()
    names = [path.rpartition("/")[2] for path in job.files]
    assert names[0] == "train.py"
    assert sorted(names[1:]) == ["data.py", "model.py"]
    assert job.trains_by == ["tf.estimator.Estimator"]
    assert job.roles == "chief, worker, ps, evaluator: set by TF_CONFIG"
    assert job.strategies == ["tf.contrib.distribute.MirroredStrategy"]
    assert job.model_functions == ["model_fn"]
    assert job.input_functions == ["train_input"]
    assert job.hooks == ["tf.train.SessionRunHook"]
    assert job.exporters == ["tf.estimator.BestExporter"]
    assert job.checkpoints == ["tf.estimator.WarmStartSettings"]
    assert job.rung == 2
    assert job.blockers == []


def test_what_comes_furthest_with_least_is_first(plan):
    broken = "import tensorflow as tf\ntf.contrib.tensorrt.x()\n" + textwrap.dedent(CANNED)
    late = broken.replace("tf.contrib.tensorrt", "def f(): tf.contrib.tensorrt")
    found = plan(
        train=CUSTOM, model=MODEL, data="x", a_session=SESSION, a=broken, z=CANNED, a_late=late
    )
    assert list(found) == ["z.py", "train.py", "a_session.py", "a_late.py", "a.py"]
    assert [job.rung for job in found.values()] == [2, 2, 1, None, None]
    assert [job.starts for job in found.values()] == [True] * 4 + [False]


def test_what_is_gone_blocks_every_rung(plan):
    gone = MODEL + "\n        tf.contrib.tensorrt.create_inference_graph()"
    (job,) = plan(train=CUSTOM, model=gone).values()
    (blocker,) = job.blockers
    assert (job.rung, job.starts, blocker.rung) == (None, True, 0)
    assert blocker.where.endswith("model.py:6")
    assert blocker.todo.startswith("it fails when it is called: ")
    assert "Converter" in blocker.todo


def test_what_is_prepared_to_be_missing_blocks_nothing(plan):
    guarded = CANNED + "\n    try:\n        tf.contrib.tensorrt.x()\n    except Exception: pass\n"
    assert plan(train=guarded)["train.py"].rung == 2


def test_a_module_that_does_not_parse_blocks_every_rung(plan):
    (job,) = plan(train=CUSTOM, model=MODEL, data="print 'x'").values()
    assert job.rung is None
    assert job.blockers[0].what == "this is Python 2"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (SESSION, "its own session"),
        (CUSTOM, "no model_fn"),
        (CUSTOM.replace("tf.estimator.Estimator", "tf.contrib.learn.Estimator"), "learn.Estimator"),
        (CUSTOM.replace("tf.estimator.Estimator", "make_it"), "no Estimator"),
    ],
)
def test_what_the_bridge_cannot_take(plan, text, what):
    files = {"model": MODEL} if "Estimator" in what and "no " not in what else {}
    text = text if files else text.replace("model_fn=model_fn, ", "")
    (job,) = plan(train=text, **files).values()
    assert job.rung == 1
    assert what in job.blockers[0].what


@pytest.mark.parametrize("name", ["model_test", "test_model"])
def test_a_test_is_no_job(plan, name):
    assert plan(**{name: CANNED}) == {}


def test_a_script_needs_no_main(plan):
    script = "import tensorflow as tf\nmodel = tf.estimator.DNNClassifier([3], [])\n"
    assert list(plan(train=f"{script}model.train(f)", model=script)) == ["train.py"]
    in_a_block = f"{script}for _ in range(3):\n  with x:\n    y = model.train(f)"
    assert list(plan(train=in_a_block, model=script)) == ["train.py"]


def test_a_session_that_trains_nothing_is_no_job(plan):
    assert plan(tool=SESSION.replace("tf.train.AdamOptimizer().minimize(loss)", "x")) == {}


def test_the_bridge_takes_a_model_fn_of_a_tpu_estimator(plan):
    text = CUSTOM.replace("tf.estimator.Estimator", "tf.contrib.tpu.TPUEstimator")
    job = plan(train=text, model=MODEL.replace("estimator.Est", "contrib.tpu.TPUEst"))["train.py"]
    assert (job.rung, job.blockers) == (2, [])


@pytest.mark.parametrize(
    ("made", "todo"),
    [
        ("DNNClassifier", "replace it by tf.estimator.DNNClassifier first"),
        ("KMeansClustering", "replace it by tf.estimator.experimental.KMeans first"),
        ("SVM", "replace it by an Estimator with your own model_fn first"),
        ("Estimator", "return an EstimatorSpec where the model_fn returns ModelFnOps"),
    ],
)
def test_what_a_model_of_contrib_learn_takes_to_be_bridged(plan, made, todo):
    text = CANNED.replace("tf.estimator.DNNClassifier", f"tf.contrib.learn.{made}")
    blockers = plan(train=text)["train.py"].blockers
    assert any(blocker.todo.endswith(todo) for blocker in blockers)


@pytest.mark.parametrize(
    "line",
    [
        "from tensorflow_estimator import estimator",
        "from tensorflow_estimator.python.estimator.api._v1 import estimator",
        "from tensorflow.python.estimator import estimator_lib as estimator",
        "from tensorflow.python.estimator import estimator",
    ],
)
def test_an_estimator_is_one_by_each_of_its_names(plan, line):
    text = f"{line}\nif __name__ == '__main__': estimator.Estimator(model_fn).train(input_fn)"
    (job,) = plan(train=text).values()
    assert job.trains_by == ["tf.estimator.Estimator"]
    assert job.input_functions == ["input_fn"]
    assert job.model_functions == ["model_fn"]


def test_what_private_modules_have_counts_as_what_it_is(plan):
    (job,) = plan(
        train="""
        from tensorflow.contrib.learn.python.learn import experiment, learn_runner
        from tensorflow.contrib.learn.python.learn.utils import saved_model_export_utils as utils
        from tensorflow.python.training import basic_session_run_hooks as hooks
        def make(folder):
            strategy = utils.make_export_strategy(serving)
            return experiment.Experiment(Mine(), train_input, eval_input, [strategy])
        hook = hooks.StepCounterHook()
        if __name__ == "__main__":
            learn_runner.run(make, "folder")
        """
    ).values()
    assert job.trains_by == ["tf.contrib.learn.Experiment", "tf.contrib.learn.learn_runner.run"]
    assert job.roles.startswith("chief, worker, ps, evaluator")
    assert job.input_functions == ["eval_input", "train_input"]
    assert (job.hooks, job.strategies) == (["tf.train.StepCounterHook"], [])
    assert job.exporters == ["tf.contrib.learn.make_export_strategy"]


def test_a_strategy_of_todays_is_one(plan):
    text = """
        from setup import tf
        strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
        assert isinstance(strategy, tf.distribute.Strategy)
        tf.estimator.DNNClassifier([3], []).train(lambda: data)
    """
    job = plan(train=text, setup="import tensorflow as tf")["train.py"]
    assert job.strategies == ["tf.distribute.experimental.MultiWorkerMirroredStrategy"]
    assert job.roles.startswith("chief, worker, ps, evaluator")


@pytest.mark.parametrize(
    "end",
    [
        "main()",
        "print(main.evaluate(f)['loss'])",
        "for one in main.predict(input_fn): print(one)",
        "with tf.train.MonitoredTrainingSession() as session: agent.go(session)",
    ],
)
def test_what_is_done_outside_of_functions_is_run(plan, end):
    text = (
        f"{textwrap.dedent(CANNED).replace('if __name__', 'def main(): pass').partition(' ==')[0]}"
    )
    text += f"\nmodel = tf.estimator.DNNClassifier([3], [])\n{end}"
    assert list(plan(train=text)) == ["train.py"]
    assert plan(train=text.replace(end, "main")) == {}


def test_a_module_that_sets_itself_up_is_no_job(plan):
    module = "import tensorflow as tf\ndef up(): tf.estimator.DNNClassifier([3], [])\nup()"
    assert list(plan(lib=module)) == ["lib.py"]
    assert list(plan(lib=module, train="import lib\nif __name__ == '__main__': lib.x")) == [
        "train.py"
    ]


def test_an_estimator_that_other_files_make(plan):
    text = """
        import tensorflow as tf
        from company import make_model
        tf.logging.set_verbosity(tf.logging.INFO)
        if __name__ == "__main__":
            make_model().train(input_fn=read)
    """
    (job,) = plan(train=text).values()
    assert job.trains_by == [jobs.ELSEWHERE]
    assert job.blockers[0].what == "no Estimator in its files"
    assert plan(train=text.replace("input_fn=read", "read")) == {}


def test_roles(plan):
    server = SESSION.replace("with", "tf.train.Server({})\n    with")
    tpu = CANNED.replace("DNNClassifier([3], [])", "tpu.TPUEstimator(f)")
    found = plan(a=CANNED, b=server, c=tpu)
    assert found["a.py"].roles == "one process"
    assert found["b.py"].roles == "worker, ps: each starts its own tf.train.Server"
    assert found["c.py"].roles.startswith("one host with TPUs")


def test_modules_of_its_own_that_were_not_scanned(tmp_path):
    for name, text in {
        "train.py": "import tensorflow as tf\nimport numpy.random\nfrom absl import flags\n"
        "from net.cells import make\nfrom net.data import read\nfrom net.cells.gru import Cell\n"
        "from net import tf, other\nimport net.late\nif __name__ == '__main__':\n"
        "    tf.estimator.DNNClassifier([3], []).train(read)\n",
        "net/__init__.py": "import tensorflow as tf\n",
        "net/cells/gru.py": "from . import lstm\nfrom .attention import Layer\n",
        "net/data.py": "from ..elsewhere import x\nfrom .cells import gru\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (job,) = jobs.plan(scanner.scan_paths([str(tmp_path)], processes=1))
    assert job.missing == ["..elsewhere", ".attention"]


def test_a_library_is_no_job(plan):
    assert plan(model=MODEL) == {}


def test_a_job_of_todays_is_none(plan):
    assert plan(train="import tf_keras\nif __name__ == '__main__': tf_keras.Model().fit()") == {}


FACTORY = """
    import tensorflow as tf
    def build(config: tf.estimator.RunConfig) -> tf.estimator.Estimator:
        return tf.estimator.LinearClassifier([], config=config)
"""


def test_a_converter_that_imports_the_files_of_a_job_is_no_job(plan):
    convert = """
        import tensorflow as tf
        from tensorflow.estimator import Estimator
        import model, job
        def check(estimator: Estimator):
            return isinstance(estimator, tf.estimator.DNNClassifier)
        if __name__ == "__main__":
            tf.train.Saver().save(tf.Session(), "converted")
    """
    task = CANNED.replace("tensorflow as tf", "tensorflow as tf, model")
    assert list(plan(convert=convert, model=FACTORY, job=task)) == ["job.py"]
    runs = convert.replace("tf.train.Saver()", "job.main();tf.train.Saver()")
    assert sorted(plan(convert=runs, model=FACTORY, job=task)) == ["convert.py", "job.py"]


def test_a_factory_in_another_file(plan):
    task = """
        import tensorflow as tf, model
        def run() -> tf.estimator.Estimator:
            estimator = model.build(None)
            estimator.train(read)
            return estimator
        trained = run()
    """
    (job,) = plan(task=task, model=FACTORY).values()
    # The annotation is no Estimator with a model_fn.
    assert (job.trains_by, job.rung, job.blockers) == (["tf.estimator.LinearClassifier"], 2, [])


@pytest.mark.parametrize("scanned", [".", "trainer", "../task/trainer"])
def test_a_package_imports_itself_by_its_name(tmp_path, monkeypatch, scanned):
    package = tmp_path / "task" / "trainer"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "model.py").write_text(textwrap.dedent(FACTORY))
    (package / "task.py").write_text(
        "import tensorflow as tf\nfrom trainer import model\n"
        "if __name__ == '__main__':\n    tf.estimator.train_and_evaluate(model.build(None), 1, 2)\n"
    )
    monkeypatch.chdir(package if scanned == "." else tmp_path / "task")
    (job,) = jobs.plan(scanner.scan_paths([scanned], processes=1))
    assert (job.trains_by, job.blockers) == (["tf.estimator.LinearClassifier"], [])


def test_input_functions_that_return_tensors(plan):
    data = """
        import tensorflow as tf
        def of_iterator():
            return tf.data.Dataset.range(3).make_one_shot_iterator().get_next()
        def of_queue():
            return tf.train.batch([tf.constant(1)], 3)
        def of_dataset():
            return tf.data.Dataset.range(3).batch(2)
    """
    task = CANNED.replace("as tf", "as tf, data").replace(
        ".train(tf.estimator.inputs.numpy_input_fn({}))",
        ".train(input_fn=data.of_iterator).train(input_fn=lambda: data.of_queue())"
        ".evaluate(input_fn=data.of_dataset)",
    )
    (job,) = plan(task=task, data=data).values()
    assert job.input_functions == ["of_dataset", "of_iterator", "of_queue"]
    assert job.tensor_inputs == ["of_iterator", "of_queue"]


def test_obstacles_of_a_job_that_has_no_blockers(tmp_path):
    (tmp_path / "job.py").write_text(textwrap.dedent(CANNED) + "    tf.get_default_session()\n")
    scan = scanner.scan_paths([str(tmp_path)], processes=1)
    (job,) = jobs.plan(scan)
    assert not job.blockers
    found = jobs.obstacles(job, scan)
    assert [(each.rung, each.what) for each in found][0] == (3, "tf.get_default_session")
    assert found[0].where.endswith("job.py:5")
