"""Tests of reading a program's names, and of the TensorFlow version that they belong to."""

import ast
import textwrap

import pytest

from legacy.reading import used_names


def uses(text, is_main=True):
    return used_names.uses_in(ast.parse(textwrap.dedent(text)), "old.py", is_main)


def found(text):
    return [use.name for use in uses(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import tensorflow as tf\ntf.a.b(tf.c)", ["tf.a.b", "tf.c"]),
        ("import tensorflow\ntensorflow.a", ["tf.a"]),
        (
            "import tensorflow.contrib.slim as slim\nslim.x()",
            ["tf.contrib.slim"] * 1 + ["tf.contrib.slim.x"],
        ),
        ("import tensorflow.python.x\ntensorflow.y", ["tf.python.x", "tf.y"]),
        ("from tensorflow.contrib import slim as s\ns.x", ["tf.contrib.slim", "tf.contrib.slim.x"]),
        ("from tensorflow import *", []),
        ("from tensorflow_estimator.python import y", ["tensorflow_estimator.python.y"]),
        (
            "import tensorflow as tf\nlayers = tf.layers\nlayers.dense",
            ["tf.layers", "tf.layers.dense"],
        ),
        ("import tensorflow as tf\ntf.a[0].b.c", ["tf.a"]),
        ("import tensorflow as tf\ntf.a().b", ["tf.a"]),
        ("import tensorflow as tf\na, b = tf.c, tf.d\na.e", ["tf.c", "tf.d", "tf.c.e"]),
        ("import tensorflow as tf\na: int = tf.c\na.e", ["tf.c", "tf.c.e"]),
        ("import tensorflow as tf\ngetattr(tf, 'a').b", ["tf.a.b"]),
        ("import tensorflow as tf\ngetattr(tf, name)", ["tf.?"]),
        ("import importlib as i\nx = i.import_module('tensorflow.a')\nx.b", ["tf.a", "tf.a.b"]),
        ("x = __import__('tensorflow.a')\nx.b", ["tf.b"]),
        ("import tensorflow as tf\ndef f(x: 'tf.a') -> 'tf.b': pass", ["tf.a", "tf.b"]),
        ("import tensorflow as tf\n[tf.a for tf in y]\ntf.b", ["tf.b"]),
        ("import tensorflow as tf\nfor tf in y: tf.a", []),
        ("def f():\n  return tf.a\nimport tensorflow as tf", ["tf.a"]),
        ("def f():\n  global tf\n  import tensorflow as tf\ndef g():\n  tf.a", ["tf.a"]),
        (
            "import tensorflow.compat.v1 as tf\ntf.__version__",
            ["tf.compat.v1"] * 1 + ["tf.compat.v1.__version__"],
        ),
        ("import tensorflow_hub as hub\nhub.x", []),
        ("import numpy as tf\ntf.x", []),
        ("from . import tensorflow as tf\ntf.x", []),
    ],
)
def test_names(text, expected):
    assert [name for name in found(text) if name != "tensorflow"] == expected


def test_arguments_and_assignments_hide_an_import():
    assert found(
        """
        from tensorflow.contrib import layers
        def f(layers, x):
            return layers.hidden
        def g():
            layers = 1
            return layers.hidden
        g2 = lambda layers: layers.hidden
        def h():
            return layers.seen
        """
    ) == ["tf.contrib.layers", "tf.contrib.layers.seen"]


def test_import_inside_a_function_stays_there():
    assert found(
        """
        def f():
            import tensorflow as tf
            return tf.seen
        tf.unknown
        """
    ) == ["tf.seen"]


@pytest.mark.parametrize(
    "text",
    [
        "try:\n  import tensorflow as tf\nexcept ImportError:\n  tf = None\ntf.a",
        "try:\n  import tensorflow.compat.v1 as tf\nexcept ImportError:\n  pass\ntf.a",
        "if x:\n  import tensorflow as tf\nelse:\n  tf = None\ntf.a",
        "try:\n  tf = None\nexcept ImportError:\n  import tensorflow as tf\ntf.a",
    ],
)
def test_a_name_that_a_condition_binds_is_tensorflows(text):
    assert found(text)[-1].endswith(".a")


def test_an_assignment_outside_of_conditions_hides_an_import():
    assert found("import tensorflow as tf\ntf.a\ntf = None\ntf.b") == ["tf.a"]


def test_a_class_keeps_names_for_itself_and_its_own_attributes():
    assert found(
        """
        import tensorflow as tf
        class C:
            est = tf.estimator
            x = est.seen
            def __init__(self):
                self.lib = tf.layers
                est.not_seen
            def f(self):
                self.lib.dense
        class D:
            def f(self):
                self.lib.not_seen
        """
    ) == ["tf.estimator", "tf.estimator.seen", "tf.layers", "tf.layers.dense"]


def local(text):
    uses, exported = used_names.read(
        ast.parse(textwrap.dedent(text)), "old.py", is_local={"u"}.__contains__
    )
    return [use.name for use in uses], exported


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from u import tf\ntf.a", ["@u.tf", "@u.tf.a"]),
        ("import u.v\nu.v.tf.a", ["@u.v.tf.a"]),
        ("import u.v as w\nw.tf.a", ["@u.v.tf.a"]),
        ("from . import v\nv.tf.a", ["@.v", "@.v.tf.a"]),
        ("from ..u import v\nv.a", ["@..u.v", "@..u.v.a"]),
        ("from u import *\nprint(tf.a)", ["@u.*.tf.a"]),
        ("from tensorflow.b import *\nc()", ["tf.b", "tensorflow.b.*.c"]),
        ("from tensorflow.b import C\nC()", ["tf.b.C", "tf.b.C"]),
        ("import numpy\nnumpy.a", []),
    ],
)
def test_names_of_the_programs_own_modules(text, expected):
    assert [name for name in local(text)[0] if not name.endswith(".print")] == expected


def test_what_other_modules_can_take():
    exported = local(
        """
        import tensorflow as tf
        from u import a
        from .b import *
        layers = tf.layers
        def f(): pass
        """
    )[1]
    assert exported == {
        "tf": "tensorflow",
        "a": "@u.a",
        "layers": "tensorflow.layers",
        # The module's own `f`, not the one of the star import.
        "f": "",
        "*0": "@.b",
    }


def test_where_a_use_stands():
    (use,) = uses("import tensorflow as tf\nx = [\n  tf.layers\n  .dense]")
    assert (use.line, use.column, use.end_line, use.end_column) == (3, 2, 4, 8)


def test_what_a_program_is_prepared_for():
    text = """
    import tensorflow as tf
    try:
        tf.a
    except AttributeError:
        tf.b
    try:
        tf.c
    except ValueError:
        pass
    if tf.__version__ < "2":
        tf.d
    if hasattr(tf, "e"):
        tf.e
    """
    guarded = {use.name: use.guarded for use in uses(text)}
    assert guarded == {
        **dict.fromkeys(("tf.a", "tf.b", "tf.d", "tf.e"), True),
        **dict.fromkeys(("tf.c", "tf.__version__"), False),
    }


def test_what_is_needed_at_the_start():
    text = """
    import tensorflow as tf
    tf.a
    class C(tf.b):
        x = tf.c
        def f(self, y=tf.d):
            tf.e
    if __name__ == "__main__":
        tf.g
    """
    at_start = {use.name: use.at_start for use in uses(text)}
    assert at_start == {"tf.e": False} | dict.fromkeys(
        ("tf.a", "tf.b", "tf.c", "tf.d", "tf.g"), True
    )
    imported = {use.name: use.at_start for use in uses(text, is_main=False)}
    assert not imported["tf.g"]
