"""Tests for the `rewrite` command: its output, its rules and its exit codes."""

import os
import stat
import subprocess
import sys

import pytest

from tests.migrate.rewrite import old_job, tools
from tests.migrate.rewrite.old_job import job

__all__ = ["job"]  # a fixture


def test_a_diff_is_the_default_and_changes_nothing(job, capsys):
    assert old_job.rewrite("--to=legacy", job) == 0
    printed = capsys.readouterr()
    assert "-import tensorflow as tf\n+import tensorflow.compat.v1 as tf\n" in printed.out
    assert "1 file: 1 to be rewritten, 0 unchanged, 0 failed; " in printed.err
    assert printed.err.endswith("0 failed; 1 safe change, 0 unsafe changes, 0 suggestions\n")
    assert job.read_text() == old_job.OLD


MODEL = """\
from legacy import estimator as e
import tensorflow as tf
v1 = tf.compat.v1

def model_fn(features, labels, mode, params):
    out = v1.layers.dense(features, params["units"])
    loss = v1.losses.mean_squared_error(labels, out)
    train_op = v1.train.AdamOptimizer(0.1).minimize(loss, v1.train.get_global_step())
    return e.EstimatorSpec(mode, {"out": out}, loss, train_op)

def train_input_fn():
    return None

def main():
    job = e.Estimator(model_fn, "model", params={"units": 1})
    job.train(train_input_fn)
"""


def test_unsafe_changes_are_listed_and_the_last_line_is_the_check(job, capsys):
    job.write_text(MODEL)
    assert old_job.rewrite("--to=modern", "--unsafe", "--check", job) == 1
    *_, unsafe, counts, last = capsys.readouterr().err.splitlines()
    assert unsafe.startswith(f"{job}:15: unsafe: model_fns: a Keras model has other checkpoints")
    assert counts.startswith("1 file: 1 to be rewritten, 0 unchanged, 0 failed; ")
    assert counts.endswith("; 1 safe change, 1 unsafe change, 0 suggestions")
    assert last == (
        f"check next, in {job.parent}: python -m migrate verify --legacy=job_before:model_fn "
        "--modern=job:Model --input=job:train_input_fn --params=PARAMS (job_before.py: a copy of "
        "the original file)"
    )


def test_without_a_model_to_verify_the_check_is_a_run_before_and_after(job, capsys):
    job.write_text(
        "import tensorflow.compat.v1 as tf\n"
        "keys = tf.feature_column.categorical_column_with_identity\n"
        "made = tf.feature_column.shared_embedding_columns([keys('a', 3), keys('b', 3)], 2)\n"
    )
    assert old_job.rewrite("--to=modern", "--unsafe", "--write", job) == 0
    # The line before these three reports the chosen API.
    unsafe, counts, last = capsys.readouterr().err.splitlines()[-3:]
    assert unsafe.startswith(f"{job}:3: unsafe: shared_columns: ")
    assert ", 1 unsafe change, " in counts
    copy = job.parent / "job_before.py"
    assert f"python -m legacy.run {copy} ARGS; python {job} ARGS" in last


def test_without_unsafe_the_same_changes_are_suggestions(job, capsys):
    job.write_text(MODEL)
    assert old_job.rewrite("--to=modern", "--check", job) in (0, 1)
    *_, suggested, counts = capsys.readouterr().err.splitlines()
    assert "--unsafe makes it" in suggested
    assert ", 0 unsafe changes, " in counts
    assert not counts.endswith(" 0 suggestions")


def test_check_tells_by_the_exit_code(job, capsys):
    assert old_job.rewrite("--to=legacy", "--check", job) == 1
    assert capsys.readouterr().out == f"{job}\n"
    assert job.read_text() == old_job.OLD
    job.write_text(old_job.NEW)
    assert old_job.rewrite("--to=legacy", "--check", job) == 0


def test_write_changes_the_files_and_a_second_run_nothing(job, capsys):
    job.chmod(0o754)
    assert old_job.rewrite("--to=legacy", "--write", job) == 0
    assert job.read_text() == old_job.NEW
    assert stat.S_IMODE(job.stat().st_mode) == 0o754
    before = job.stat().st_mtime_ns
    assert old_job.rewrite("--to=legacy", "--write", job.parent) == 0
    assert job.stat().st_mtime_ns == before
    assert "0 rewritten, 1 unchanged" in capsys.readouterr().err
    assert os.listdir(job.parent) == ["job.py"]


def test_a_file_that_fails_is_named_and_the_rest_go_on(job, capsys):
    (job.parent / "two.py").write_text("import tensorflow\nprint 'hello'\n")
    (job.parent / "broken.py").write_text("import tensorflow as tf\nx = = 1\n")
    (job.parent / "binary.py").write_bytes(b"\xff\xfe\x00")
    (job.parent / "no.ipynb").write_text("{")
    assert old_job.rewrite("--to=legacy", "--write", job.parent) == 1
    printed = capsys.readouterr().err
    assert "two.py: failed: line 2: this is Python 2" in printed
    assert "broken.py: failed: line 2: it does not parse" in printed
    assert "binary.py: failed: is not Python source" in printed
    assert "no.ipynb: failed: not a notebook" in printed
    assert "5 files: 1 rewritten, 0 unchanged, 4 failed" in printed
    assert job.read_text() == old_job.NEW


def test_rules_are_chosen_by_name(tmp_path, capsys):
    job = tmp_path / "job.py"
    job.write_text("import tensorflow as tf\nx = tf.contrib.layers, tf.zeros\n")
    assert old_job.rewrite("--to=legacy", "--only=names", job) == 0
    assert "+x = tf_contrib.layers, tf.zeros\n" in capsys.readouterr().out
    assert old_job.rewrite("--to=legacy", "--skip=names,imports", job) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["job.py"], "--to=legacy or --to=modern"),
        (["--to=legacy"], "to rewrite"),
        (["--to=legacy", "nowhere.py"], "nowhere.py"),
        (["--to=legacy", "--only=nothing", "."], "--only=nothing: --to=legacy has no such rule"),
        (["--to=legacy", "--skip=imports,nil", "."], "--skip=nil"),
        (["--to=legacy", "--keras=3", "."], "--keras=3 needs --to=modern"),
    ],
)
def test_misuse_is_refused(arguments, said, capsys):
    assert old_job.rewrite(*arguments) == 2
    assert said in capsys.readouterr().err


def test_modes_exclude_each_other(job, capsys):
    with pytest.raises(SystemExit) as ended:
        old_job.rewrite("--to=legacy", "--write", "--check", job)
    assert ended.value.code == 2


def test_rules_are_listed(capsys):
    assert old_job.rewrite("--list-rules", "--to=legacy") == 0
    printed = capsys.readouterr().out
    assert "imports (--to=legacy, safe)\n" in printed
    assert "https://" in printed


def test_keras_3_adds_its_rules(tmp_path, capsys):
    assert old_job.rewrite("--list-rules", "--to=modern", "--keras=3") == 0
    assert "moved_names (--to=modern --keras=3, safe)\n" in capsys.readouterr().out
    job = tmp_path / "job.py"
    job.write_text("import tf_keras\nlayer = tf_keras.layers.Dense(1)\n")
    assert old_job.rewrite("--to=modern", job) == 0
    assert capsys.readouterr().out == ""
    assert old_job.rewrite("--to=modern", "--keras=3", "--write", job) == 0
    assert job.read_text() == "import keras\nlayer = keras.layers.Dense(1)\n"
    assert old_job.rewrite("--to=modern", "--keras=3", "--check", job) == 0


def test_files_of_a_program_are_of_one_api(tmp_path):
    (tmp_path / "train.py").write_text("import model\nimport tensorflow as tf\nx = tf.Session\n")
    model = tmp_path / "model.py"
    model.write_text("import tensorflow as tf\nx = tf.estimator.Estimator\ny = tf.reduce_mean\n")
    assert old_job.rewrite("--to=legacy", "--write", tmp_path) == 0
    assert "from legacy.compat.v1 import estimator" in model.read_text()
    alone = tmp_path / "later.py"
    alone.write_text("import tensorflow as tf\nx = tf.estimator.Estimator\ny = tf.data\n")
    assert old_job.rewrite("--to=legacy", "--write", alone) == 0
    assert alone.read_text() == (
        "from legacy import estimator as tf_estimator\nimport tensorflow as tf\n"
        "x = tf_estimator.Estimator\ny = tf.data\n"
    )


@pytest.mark.parametrize("files", [1, 2])
def test_a_given_api_holds_for_all_files_of_a_program(tmp_path, files):
    # These names do not decide the API by themselves.
    job, part = tmp_path / "job.py", tmp_path / "part.py"
    job.write_text("import part\n" * (files - 1) + "from tensorflow.contrib import slim\n")
    part.write_text("from tensorflow.contrib import slim\n")
    assert old_job.rewrite("--to=legacy", "--api=v1", "--write", job, part) == 0
    assert "from legacy.contrib import slim\n" in job.read_text()
    assert part.read_text() == "from legacy.contrib import slim\n"


def test_an_api_that_contradicts_the_names_is_kept(job):
    assert old_job.rewrite("--to=legacy", "--api=v2", "--write", job) == 0
    assert job.read_text() == old_job.OLD


def test_names_that_come_from_a_file_beside_are_known(tmp_path):
    (tmp_path / "common.py").write_text("import tensorflow as tf\n")
    job = tmp_path / "job.py"
    job.write_text("from common import tf\n\nx = tf.contrib.layers.flatten\ny = tf.Session\n")
    assert old_job.rewrite("--to=legacy", "--write", job) == 0
    assert job.read_text() == (
        "from common import tf\nfrom legacy import contrib as tf_contrib\n\n"
        "x = tf_contrib.layers.flatten\ny = tf.Session\n"
    )
    assert (tmp_path / "common.py").read_text() == "import tensorflow as tf\n"
    assert old_job.rewrite("--to=legacy", "--write", tmp_path) == 0
    assert (tmp_path / "common.py").read_text() == (
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
    )


def test_the_first_output_needs_no_tensorflow(job):
    code = "import sys; from migrate.__main__ import main; main(sys.argv[1:]); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, "rewrite", "--to=legacy", str(job)],
        capture_output=True,
        text=True,
        cwd=tools.ROOT,
        check=True,
    )
    assert not {"tensorflow", "libcst", "numpy"} & set(done.stdout.splitlines()[-1].split())
