"""Tests for names that new code binds: each has a single meaning and hides nothing."""

import ast

import pytest

from migrate.rewrite.engine import fixed_point, new_names
from migrate.rewrite.engine.rule import Change, Edit, Import
from migrate.rewrite.engine.source_file import SourceFile
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.engine.test_fixed_point import made_of
from tests.oracle import compare

LINEAR = """
import numpy as np
def columns():
    return [tf.feature_column.numeric_column("a", dtype=tf.float64)]
def loss(kind):
    classifier = kind(columns())
    def fed():
        dataset = tf.data.Dataset.from_tensors(({"a": np.arange(8.0)}, np.arange(8) % 2))
        return dataset.repeat(2)
    classifier.train(fed, max_steps=2)
    return float(classifier.evaluate(fed, steps=1)["loss"])
"""
# Programs of TensorFlow 2 that use the Estimators of both APIs. The loss of v2 is a mean, and that
# of v1 is a sum.
PROGRAMS = {
    "both Estimators": f"""
import tensorflow as tf
{LINEAR}
x = loss(tf.estimator.LinearClassifier)
y = loss(tf.compat.v1.estimator.LinearClassifier)
""",
    "the names are taken": f"""
import tensorflow as tf
from tensorflow.compat.v1 import estimator as tf_v1_estimator
{LINEAR}
def f(tf_estimator):
    return tf_estimator(tf.estimator.LinearClassifier)
x, y = f(loss), loss(tf_v1_estimator.LinearClassifier)
z = tf.compat.v1.estimator.LinearClassifier is tf_v1_estimator.LinearClassifier
""",
    "a name that a function imports as something else": f"""
import tensorflow as tf
from tensorflow import estimator
{LINEAR}
def old():
    from tensorflow.compat.v1 import estimator
    return loss(estimator.LinearClassifier), loss(tf.estimator.LinearClassifier)
x, y = old()
z = estimator.LinearClassifier is tf.estimator.LinearClassifier
""",
    "a name for type checks alone": f"""
from typing import TYPE_CHECKING
import tensorflow as tf
if TYPE_CHECKING:
    from tensorflow import estimator
{LINEAR}
x = loss(tf.estimator.LinearClassifier)
""",
}


@pytest.fixture(scope="module")
def computed():
    before = list(PROGRAMS.values())
    after = [
        fixed_point.rewrite(text, tools.TO_LEGACY, plan=tools.plan(api="v2")).text
        for text in before
    ]
    results = tools.run(before, "old2"), tools.run(after, "plain")
    return dict(zip(PROGRAMS, zip(after, *results, strict=True), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_losses_are_the_same_after_as_before(computed, name):
    text, before, after = computed[name]
    assert "raised" not in before, before
    assert compare.differences(before, after) == [], text
    if "y" in before:
        assert before["x"] != before["y"]
    tools.check_noop(text, tools.TO_LEGACY, api="v2")


def test_each_meaning_has_one_name_in_a_pass():
    file = SourceFile("import tensorflow as tf\ndef f(types): pass\n")
    types, other = Import("types", "types"), Import("mine.types", "types")
    assert [file.module_name(types), file.module_name(other), file.module_name(types)] == [
        *("types_", "types__", "types_")
    ]


def test_functions_may_each_have_a_variable_of_one_name():
    file = SourceFile("def f():\n  def g(): pass\ndef h(): pass\n")
    functions = {node.name: node for node in file.nodes if isinstance(node, ast.FunctionDef)}
    names = [file.new_name("a", at, functions[at]) for at in "fgh"]
    assert names == ["a", "a_", "a"]
    assert file.new_name("a", "module") == "a__"


@pytest.mark.parametrize(
    "text",
    [
        "try:\n  pass\nexcept ValueError as sys:\n  pass\n",
        "match a:\n  case [sys, *_]:\n    pass\n",
        "match a:\n  case [*sys]:\n    pass\n",
        "match a:\n  case {**sys}:\n    pass\n",
        "def f():\n  global sys\n",
        "def f(*sys): pass\n",
        "def f():\n  import os as sys\n",
        "[1 for sys in a]\n",
        "if (sys := 1): pass\n",
        "class sys: pass\n",
        "del sys\n",
        "def f():\n  return sys\n",
    ],
)
def test_a_name_that_the_file_has_is_not_new(text):
    assert SourceFile(text).new_name("sys", "Python's") == "sys_"


def test_an_import_with_a_star_cannot_replace_a_new_name():
    text = "import tensorflow as tf\nfrom helpers import *\nx = tf.contrib\n"
    new = fixed_point.rewrite(text, tools.TO_LEGACY).text
    assert "from legacy import contrib as _tf_contrib\n" in new
    assert "x = _tf_contrib\n" in new
    of_others = fixed_point.rewrite(
        "import tensorflow as tf\nx = tf.contrib\n",
        tools.TO_LEGACY,
        plan=tools.plan(is_starred=True),
    ).text
    assert "x = _tf_contrib\n" in of_others


def test_an_import_that_is_there_is_not_added_again():
    tools.check_transformed(
        "import sys\nimport tensorflow.compat.v1 as tf\nFLAGS._parse_flags(sys)\n"
        "tf.flags.FLAGS._parse_flags()\n",
        "import sys\nimport tensorflow.compat.v1 as tf\nFLAGS._parse_flags(sys)\n"
        "tf.flags.FLAGS(sys.argv, known_only=True)\n",
        tools.rule("legacy", "flags"),
    )


def test_two_parts_of_models_are_two_classes():
    file = SourceFile("def conv_fn(): pass\ndef conv_function(): pass\n")
    from migrate.rewrite.model_fns import rendering

    names = [rendering.class_name(file, function) for function in file.tree.body]
    assert names == ["Conv", "Conv_"]


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ("", "from a import b\nfrom c import b\n", "b"),
        ("b = 1\n", "from a import b\nb = 1\n", "b"),
        ("import a.c\n", "import a.c\nimport d as a\n", "a"),
        ("def f(): pass\n", "class f: pass\nimport f\n", "f"),
        ("try:\n  import a\nexcept E:\n  pass\n", "try:\n  import a\nexcept E:\n  a = 1\n", "a"),
    ],
)
def test_a_second_meaning_is_an_error(before, after, name):
    with pytest.raises(new_names.NameClash, match=f"^{name} would stand for "):
        new_names.check(ast.parse(before), ast.parse(after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import a as b\n", "import c as b\n"),
        ("import a as b\nimport c as b\n", "import d as b\nimport c as b\n"),
        ("", "from a import b\ndef f():\n  from c import b\n  x = [b for b in c]\n"),
        ("", "import a.b\nimport a.c\n"),
        ("from a import *\n", "from b import *\nfrom c import *\n"),
    ],
)
def test_one_meaning_is_none(before, after):
    new_names.check(ast.parse(before), ast.parse(after))


def test_a_rule_that_gives_a_name_two_meanings_is_an_error():
    def clashes(file: SourceFile):
        if "from legacy" not in file.text:
            yield Change(1, (Edit(0, 0, "from legacy import contrib\n"),))

    with pytest.raises(fixed_point.RuleError, match="contrib would stand for"):
        fixed_point.rewrite("contrib = 1\n", [made_of(clashes)])
