"""Tests of `python -m legacy.run`: plain Python, with the TensorFlow version of the program."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest

from legacy import run
from modern.cluster import ports

PROGRAMS = pathlib.Path(__file__).parent / "programs"


def command(*arguments, flags=()):
    return [sys.executable, *flags, "-m", "legacy.run", *map(str, arguments)]


def ran(*arguments, cwd=None, flags=(), path=None, environment=()):
    root = str(pathlib.Path(run.__file__).parents[1])
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", **dict(environment)}
    environment["PYTHONPATH"] = os.pathsep.join([str(path), root] if path else [root])
    return subprocess.run(
        command(*arguments, flags=flags),
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment,
        check=False,
    )


@pytest.fixture
def program(tmp_path):
    def write(text, name="old.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


def test_is_run_by_python_itself(tmp_path):
    program = shutil.copy(PROGRAMS / "plain.py", tmp_path)
    done = ran("--api=v1", "plain.py", "--api=mine", "-x", cwd=tmp_path)
    assert done.returncode == 7, done.stderr
    assert json.loads(done.stdout) == {
        "argv": ["plain.py", "--api=mine", "-x"],
        "path": str(tmp_path),
        "file": str(program),
        "main": ["__main__", None, "None", True],
        "pickled": 3,
        "spawned": [3, "__mp_main__", True],
        "child": "Finder",
        "tensorflow": False,
    }


def test_module_of_a_package_and_flags_of_python(program, tmp_path):
    program("", "package/__init__.py")
    program("NAME = __name__", "package/part.py")
    program(
        "import sys\nfrom . import part\n"
        "print(__spec__.name, part.NAME, sys.argv[1:], sys.path[0], sys.flags.optimize)",
        "package/job.py",
    )
    done = ran("-m", "package.job", "--steps=3", cwd=tmp_path, flags=["-O"])
    assert done.stdout.strip() == f"package.job package.part ['--steps=3'] {tmp_path} 1"
    assert not done.stderr
    assert done.returncode == 0


def test_traceback_holds_only_the_program(program):
    path = program("def fail():\n    raise KeyError('here')\n\nfail()\n")
    done = ran(path)
    plain = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, plain.stderr)


def test_a_task_that_has_not_come_is_named_in_one_line(program):
    path = program(
        "import tensorflow as tf\n"
        "config = tf.estimator.RunConfig(session_creation_timeout_secs=1)\n"
        "def model_fn(features, mode):\n"
        "    loss = tf.square(tf.get_variable('w', []))\n"
        "    step = tf.train.get_global_step()\n"
        "    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)\n"
        "    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)\n"
        "job = tf.estimator.Estimator(model_fn, 'm', config)\n"
        "spec = tf.estimator.TrainSpec(lambda: tf.data.Dataset.from_tensors(0.), 9)\n"
        "tf.estimator.train_and_evaluate(job, spec, tf.estimator.EvalSpec(spec.input_fn))\n"
    )
    chief, ps = (f"localhost:{port}" for port in ports.free_ports(2))
    hosts = {"chief": [chief], "ps": [ps]}
    task = {"cluster": hosts, "task": {"type": "chief", "index": 0}}
    done = ran(path, cwd=path.parent, environment={"TF_CONFIG": json.dumps(task)})
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert f"ps-0 at {ps}" in done.stderr.splitlines()[-1]


def test_interrupt_ends_it_as_it_ends_python(program):
    path = program("import time\nprint('started', flush=True)\ntime.sleep(60)\n")
    with subprocess.Popen(
        command(path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == -signal.SIGINT
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert "legacy" not in errors


def test_sitecustomize_of_the_environment_runs_too(program, tmp_path):
    program("import sys\nsys.customized = 'yes'\n", "site/sitecustomize.py")
    done = ran(program("import sys\nprint(sys.customized)\n"), path=tmp_path / "site")
    assert done.stdout == "yes\n", done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('x = 1\nprint "hello"\n', [":2: this is Python 2", "2to3", 'print "hello"']),
        ("try:\n    pass\nexcept IOError, e:\n    pass\n", [":3: this is Python 2"]),
        ("mode = 0777\n", [":1: this is Python 2"]),
        ("raise ValueError, 'x'\n", ["this is Python 2"]),
        ("if True:\n        x = 1\n\ty = 2\n", ["this is Python 2"]),
        ("def f(:\n    pass\n", [":1: SyntaxError: ", "def f(:"]),
        ("x = (1,\n", ["SyntaxError"]),
        ("x = 1\n\0", ["old.py"]),
        (
            "from tensorflow.contrib import kafka\n",
            [":1: tf.contrib.kafka is not provided", "TensorFlow I/O"],
        ),
        (
            "import tensorflow as tf\nclass A(tf.contrib.tensor_forest.B): pass\n",
            [":2: tf.contrib.tensor_forest.B is not provided"],
        ),
    ],
)
def test_what_cannot_run_is_said_at_once(program, text, said, capsys):
    path = program(text)
    before = sorted(path.parent.iterdir())
    assert run.main([str(path)]) == 2
    out, errors = capsys.readouterr()
    assert errors.startswith("legacy.run: ")
    assert not out
    for words in said:
        assert words in errors
    assert sorted(path.parent.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no/such/old.py"], "no file no/such/old.py"),
        (["tests"], "is a folder"),
        (["-m", "no_such_package.job"], "no module no_such_package"),
        (["-m", "tests"], "without a __main__"),
        ([], "name a program"),
        (["--api=v1", "-m"], "name a program"),
    ],
)
def test_no_program(arguments, said, capsys):
    assert run.main(arguments) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--api=v3", "--engine=theirs", "--ap=v1", "--unknown"])
def test_wrong_options(option):
    with pytest.raises(SystemExit) as caught:
        run.main([option, "old.py"])
    assert caught.value.code == 2


def test_python_that_ignores_its_environment_is_refused(program):
    root = str(pathlib.Path(run.__file__).parents[1])
    done = subprocess.run(
        command(program("print(1)"), flags=["-E"]),
        capture_output=True,
        text=True,
        cwd=root,
        check=False,
    )
    assert done.returncode == 2
    assert "without -E" in done.stderr


def test_program_of_tensorflow_1(tmp_path):
    libraries = tmp_path / "site-packages"
    libraries.mkdir()
    shutil.copy(PROGRAMS / "library.py", libraries)
    shutil.copy(PROGRAMS / "tf1_names.py", tmp_path)
    done = ran("tf1_names.py", "--steps=2", "rest", cwd=tmp_path, path=libraries)
    assert done.returncode == 2, done.stderr
    facts = json.loads(done.stdout.splitlines()[-1])
    assert facts["argv"] == ["rest"]
    assert facts["flags"] == [2, "logs", ["steps"], ["x"], 2]
    assert facts["versions"] == ["1.15.5"] * 4 + [False, True]
    assert facts["dynamic"] == ["1.15.5"] * 3
    assert facts["library"] == [False, False]
    assert facts["has"] == [True, True, False, False]
    assert facts["in a dataset"] is True
    assert facts["eager"] is False
    assert facts["same"] == [True] * 9
    assert facts["callable"] == [True] * 10
    assert facts["v1 forms"] == [True] * 3
    assert facts["nest"] == [True, [1, 2]]
    assert facts["fn_args"] == ["features", "labels"]
    assert facts["numpy"] == ["float64", True, True]
    assert facts["mocked"] == "mocked"
    assert facts["handlers"] == 1
    assert facts["train"] == [
        ["dense/bias", "dense/kernel", "global_step"],
        2,
        "master",
        ["_assert_members_are_not_overridden", "_train_model", "_call_model_fn train"],
    ]
    last = done.stderr.rstrip().splitlines()
    assert "tf.contrib.tensorrt" in last[-1]
    assert "tf.experimental.tensorrt" in last[-1]
    trace = "\n".join(last[last.index("Traceback (most recent call last):") :])
    assert "tf1_names.py" in trace
    assert "tf.contrib.tensorrt.create_inference_graph()" in trace
    assert os.path.join("legacy", "shim") not in trace


def test_a_report_with_keras_3_asked_for_is_refused(program, monkeypatch):
    monkeypatch.setenv("TF_USE_LEGACY_KERAS", "0")
    done = ran("--report", program("import tensorflow as tf"))
    assert done.returncode == 2
    (said,) = done.stderr.splitlines()
    assert said.startswith("legacy.run: TF_USE_LEGACY_KERAS='0' asks for Keras 3")


def test_the_tensorflow_of_a_program_is_said(program):
    text = "import tensorflow as tf\nprint(tf.__version__, hasattr(tf, 'Session'))\n"
    path = program(f"{text}tf.random.set_seed\n")
    done = ran(path)
    assert done.stdout == "2.15.1 False\n", done.stderr
    assert done.stderr.startswith(
        f"legacy.run: {path} is read as TensorFlow 2 (tf.random.set_seed, {path}:3); "
        "--api=v1 reads it as TensorFlow 1.\n"
    )
    asked = ran("--api=v1", program(text))
    assert asked.stdout == "1.15.5 True\n", asked.stderr
    assert "is read as" not in asked.stderr
