"""Tests for names that a condition binds: resolved if the outcome is certain, else left alone."""

import pytest

from migrate.__main__ import main
from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.engine.test_new_names import LINEAR
from tests.oracle import compare

USE = "x = loss(tf.estimator.LinearClassifier)\n"
# Programs of TensorFlow 2 that rebind `tf` to tf.compat.v1.
DECIDED = {
    "by the version": f"""
import tensorflow as tf
if tf.__version__.startswith("2"):
    import tensorflow.compat.v1 as tf
else:
    import tensorflow as tf
{LINEAR}{USE}""",
    "by the version, in an expression": f"""
import tensorflow as tf
{LINEAR}
tf1 = tf.compat.v1 if int(tf.__version__.split(".")[0]) >= 2 else tf
x, y = loss(tf1.estimator.LinearClassifier), loss(tf.estimator.LinearClassifier)
""",
    "by a name that is not there": f"""
import tensorflow as tf
try:
    tf.placeholder
except AttributeError:
    tf = tf.compat.v1
{LINEAR}{USE}""",
    "by a name that is there": f"""
import tensorflow as tf
try:
    tf.estimator
except AttributeError:
    tf = tf.compat.v1
{LINEAR}{USE}""",
    "by an import that works": f"""
try:
    import tensorflow.compat.v1 as tf
    tf.constant(1)
except ImportError:
    import tensorflow as tf
{LINEAR}{USE}""",
}
UNDECIDED = {
    "an option": "import tensorflow as tf\nif OLD:\n    tf = tf.compat.v1\n",
    "an option of two": "if OLD:\n    import tensorflow as tf\n"
    "else:\n    import tensorflow.compat.v1 as tf\n",
    "an expression": "import tensorflow\ntf = tensorflow.compat.v1 if OLD else tensorflow\n",
    "values in turn": "import tensorflow\ntf = tensorflow or tensorflow.compat.v1\n",
    "a name of a name": "import tensorflow as other\nif OLD:\n    other = other.compat.v1\n"
    "tf = other\n",
}


@pytest.fixture(scope="module")
def computed():
    before = list(DECIDED.values())
    after = [
        fixed_point.rewrite(text, tools.TO_LEGACY, plan=tools.plan(api="v2")).text
        for text in before
    ]
    results = tools.run(before, "old2"), tools.run(after, "plain")
    return dict(zip(DECIDED, zip(after, *results, strict=True), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", DECIDED)
def test_losses_are_the_same_after_as_before(computed, name):
    text, before, after = computed[name]
    assert "raised" not in before, before
    assert compare.differences(before, after) == [], text


@pytest.mark.parametrize("name", UNDECIDED)
@pytest.mark.parametrize(
    "use", ["x = tf.estimator.Estimator", "def f():\n    tf.estimator.Estimator"]
)
def test_a_name_that_the_run_decides_is_left_alone(name, use):
    text = f"{UNDECIDED[name]}{use}\n"
    outcome = fixed_point.rewrite(text, tools.TO_LEGACY, plan=tools.plan(api="v2"))
    assert "tf.estimator.Estimator" in outcome.text
    assert any("depending on the run" in one.reason for one in outcome.suggestions)


def test_both_meanings_may_be_the_same_today():
    text = UNDECIDED["an option"] + "x = tf.estimator.Estimator\n"
    outcome = fixed_point.rewrite(text, tools.TO_LEGACY, plan=tools.plan(api="v1"))
    assert "x = tf_estimator.Estimator\n" in outcome.text
    assert not outcome.suggestions


def test_what_a_function_makes_global_is_not_guessed():
    text = (
        "def f():\n    global tf\n    import tensorflow.compat.v1 as tf\nf()\nx = tf.estimator.a\n"
    )
    tools.check_noop(text, tools.TO_LEGACY, api="v2")


@pytest.mark.parametrize("module", ["tensorflow.compat.v1", "tensorflow"])
def test_a_star_after_an_import_may_replace_it(tmp_path, module, capsys):
    (tmp_path / "helper.py").write_text(f"import {module} as tf\n")
    path = tmp_path / "job.py"
    path.write_text("import tensorflow as tf\nfrom helper import *\nx = tf.estimator.Estimator\n")
    assert main(["rewrite", "--to=legacy", "--write", str(tmp_path)]) == 0
    is_same = module == "tensorflow"
    assert ("x = tf.estimator.Estimator" in path.read_text()) is not is_same
    assert ("depending on the run" in capsys.readouterr().err) is not is_same


def test_names_come_through_a_module_of_the_program(tmp_path):
    (tmp_path / "common.py").write_text("import tensorflow as tf\n")
    path = tmp_path / "job.py"
    path.write_text("import common\nx = common.tf.estimator.Estimator, common.tf.ones\n")
    assert main(["rewrite", "--to=legacy", "--write", str(tmp_path)]) == 0
    assert "x = tf_estimator.Estimator, common.tf.ones\n" in path.read_text()
