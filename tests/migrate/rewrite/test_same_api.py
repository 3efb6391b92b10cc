"""Tests that `legacy.run` and `rewrite --to=legacy` choose the same API version for a program."""

import os
import subprocess
import sys

import pytest

from legacy.reading import api_choice, source
from migrate import sources
from migrate.__main__ import main
from migrate.rewrite.program import program_files
from tests.migrate.rewrite import tools

# A classifier whose loss is a sum in TensorFlow 1 and a mean in TensorFlow 2.
TRAIN = """
import numpy as np
def loss(kind):
    column = tf.feature_column.numeric_column("a", dtype=tf.float64)
    classifier = kind([column])
    def fed():
        return tf.data.Dataset.from_tensors(({"a": np.arange(8.0)}, np.arange(8) % 2)).repeat(2)
    classifier.train(fed, max_steps=2)
    return float(classifier.evaluate(fed, steps=1)["loss"])
"""
LOSS = TRAIN + "print(loss(tf.estimator.LinearClassifier))\n"
V2 = "import tensorflow as tf\ntf.random.set_seed(1)\n"
# Program -> its files, starting with the main file, and the API that it is written for.
PROGRAMS = {
    "1 alone": ({"job.py": f"import tensorflow as tf\ntf.set_random_seed(1)\n{LOSS}"}, "v1"),
    "2 alone": ({"job.py": f"{V2}{LOSS}"}, "v2"),
    "nothing tells": ({"job.py": f"import tensorflow as tf\n{LOSS}"}, "v2"),
    "both Estimators": (
        {"job.py": f"{V2}{LOSS}print(loss(tf.compat.v1.estimator.LinearClassifier))\n"},
        "v2",
    ),
    "names of 2 beside methods of 1": (
        {
            "job.py": "import tensorflow as tf\n"
            "from tensorflow.keras.layers import TextVectorization\n"
            "tf.data.AUTOTUNE\ntf.data.Dataset.range(2).make_one_shot_iterator\n"
        },
        "v2",
    ),
    "compat.v1 as tf": (
        {
            "job.py": "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
            "tf.reduce_sum([1], keep_dims=True)\n"
            "tf.data.Dataset.range(2).make_one_shot_iterator()\n"
            f"{LOSS}"
        },
        "v2",
    ),
    "v2 behavior disabled": (
        {"job.py": f"import tensorflow as tf\ntf.compat.v1.disable_v2_behavior()\n{LOSS}"},
        "v2",
    ),
    "private modules of both": (
        {
            "job.py": "import tensorflow as tf\nfrom tensorflow.python.framework import ops\n"
            "from tensorflow.python.client import device_lib\ntf.random.set_seed(1)\n"
        },
        "v2",
    ),
    "the version decides": (
        {
            "job.py": "import tensorflow as tf\nif tf.__version__ >= '2':\n"
            "  tf.random.set_seed(1)\n"
            "else:\n  tf.set_random_seed(1)\n"
        },
        "v2",
    ),
    "a module decides": (
        {
            "job.py": f"import tensorflow as tf\nfrom models import deep\n{LOSS}",
            "models/__init__.py": "",
            "models/deep.py": "import tensorflow as tf\n"
            "def net(x):\n  return tf.layers.dense(x, 2)\n",
        },
        "v1",
    ),
    "an example of a library beside it": (
        {
            "examples/job.py": "import sys\nsys.path.append('.')\nimport tensorflow as tf\n"
            f"from library.models import net\n{LOSS}",
            "library/__init__.py": "from library.core import *\n",
            "library/core.py": "import tensorflow as tf\n"
            "def rate():\n  return tf.contrib.training.HParams\n",
            "library/models.py": "net = 1\n",
            "setup.py": "",
        },
        "v1",
    ),
    "TensorFlow through another file": (
        {
            "job.py": f"from common import tf\ntf.set_random_seed(1)\n{LOSS}",
            "common.py": "import tensorflow as tf\n",
        },
        "v1",
    ),
    "a module with a main of its own": (
        {
            "job.py": "import tensorflow as tf\nimport model\ntf.placeholder\n",
            "model.py": "import tensorflow as tf\ndef f():\n"
            "  return tf.estimator.LinearClassifier\n"
            "if __name__ == '__main__':\n  f()\n",
        },
        "v1",
    ),
}
# Programs that run both ways. Each takes two processes, so `make test` runs only the first.
RUN = (
    "an example of a library beside it",
    *(
        pytest.param(name, marks=pytest.mark.slow)
        for name in ("both Estimators", "compat.v1 as tf", "TensorFlow through another file")
    ),
)


def written(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(folder / next(iter(files)))


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_tools_decide_alike(tmp_path, name):
    files, expected = PROGRAMS[name]
    entry = written(tmp_path, files)
    _, decision = api_choice.of_program(source.find(entry))
    assert decision.api == expected
    for named in (str(tmp_path), entry):
        facts = program_files.facts_of(list(sources.find([named])))
        every = {str(tmp_path / file) for file in files} & facts[entry].together
        assert {facts[path].plan.program.api for path in every} == {expected}
        (note,) = facts[entry].notes
        assert note == api_choice.message(entry, decision)


def computed(command, folder, **environment):
    done = subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, **tools.ENVIRONMENT, **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", RUN)
def test_losses_are_the_same_both_ways(tmp_path, name, capsys):
    entry = written(tmp_path, PROGRAMS[name][0])
    untouched = computed(["-m", "legacy.run", entry], tmp_path)
    assert main(["rewrite", "--to=legacy", "--write", str(tmp_path)]) == 0
    assert " is read as TensorFlow " in capsys.readouterr().err
    assert computed([entry], tmp_path) == untouched
    if name == "both Estimators":
        assert untouched[0] != untouched[1]


def test_the_flag_decides_for_all_files(tmp_path, capsys):
    entry = written(tmp_path, PROGRAMS["1 alone"][0])
    assert main(["rewrite", "--to=legacy", "--api=v2", entry]) == 0
    out, errors = capsys.readouterr()
    assert "from legacy import estimator as tf_estimator" in out
    assert "is read as" not in errors


def test_a_file_of_programs_that_differ_is_said(tmp_path, capsys):
    files = {
        "old.py": "import tensorflow as tf\nimport part\ntf.placeholder\n",
        "older.py": "import tensorflow as tf\nimport part\ntf.placeholder\n",
        "new.py": "import tensorflow as tf\nimport part\ntf.random.set_seed\n",
        "part.py": "import tensorflow as tf\nx = tf.estimator.LinearClassifier\n",
    }
    written(tmp_path, files)
    assert main(["rewrite", "--to=legacy", str(tmp_path)]) == 0
    out, errors = capsys.readouterr()
    part = out[out.index("+++ b" + str(tmp_path / "part.py")) :]
    assert "+from legacy.compat.v1 import estimator" in part
    assert (
        f"{tmp_path}/part.py is read as TensorFlow 1, but belongs to {tmp_path}/new.py, which is "
        "read as TensorFlow 2. Set --api for both.\n"
    ) in errors
    assert errors.count("Set --api") == 1
