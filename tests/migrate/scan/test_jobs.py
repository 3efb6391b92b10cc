"""Tests for the plan: which files are jobs, and the highest rung that each can reach."""

import textwrap

import pytest

from migrate.scan import jobs, scanner
from tests.migrate.scan.small_programs import CANNED, CUSTOM, FACTORY, MODEL, SESSION


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


@pytest.mark.parametrize("name", ["model_test", "test_model"])
def test_a_test_is_no_job(plan, name):
    assert plan(**{name: CANNED}) == {}


def test_a_script_needs_no_main(plan):
    script = "import tensorflow as tf\nmodel = tf.estimator.DNNClassifier([3], [])\n"
    assert list(plan(train=f"{script}model.train(f)", model=script)) == ["train.py"]
    in_a_block = f"{script}for _ in range(3):\n  with x:\n    y = model.train(f)"
    assert list(plan(train=in_a_block, model=script)) == ["train.py"]


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
