"""Tests for placeholders that nothing reads, next to Estimators."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.sessions import session_code
from tests.migrate.rewrite import tools

HEAD = "import tensorflow.compat.v1 as tf\nimport numpy as np\nsize = 2\n\n\n"
END = "\n\ndef model_fn(features, labels):\n    X = features['x']\n    return X * labels\n"


def _file(text, end=END, **facts):
    return SourceFile(HEAD + text + end, plan=tools.plan(**facts))


UNUSED = {
    "a placeholder": "X = tf.placeholder(tf.float32, [None, size], name='X')\n",
    "two placeholders": "X = tf.placeholder('float')\ny = tf.placeholder('int64')  # labels\n",
    "placeholders of one statement": "x, y = tf.placeholder('float'), tf.placeholder('float')\n",
    "a dictionary": "features = {\n    'x': tf.placeholder('float'),\n}\n",
    "operations": (
        "x = tf.placeholder('float', [None, 2])\nw = tf.Variable(tf.zeros([2, size]))\n"
        "y = tf.nn.softmax(tf.matmul(x, w) + 1)\nshape = y.get_shape().as_list()\n"
        "loss = tf.reduce_mean(y)\n"
        "train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)\n"
        "tf.summary.scalar('loss', loss)\n"
    ),
}


@pytest.mark.parametrize("name", UNUSED)
def test_unused_placeholders_are_removed(name):
    file = _file(UNUSED[name])
    assert session_code.problem(file) == ""
    edits, _, effect = session_code.edits(file)
    assert "nothing reads" in effect
    (edit,) = edits
    assert file.text[: edit.start] + file.text[edit.end :] == HEAD + END.lstrip("\n")


def test_lines_between_placeholders_stay():
    file = _file("x = tf.placeholder('float')\nn = np.zeros(3)\ny = tf.placeholder('float')\n")
    text = file.text
    for edit in reversed(session_code.edits(file)[0]):
        text = text[: edit.start] + edit.text + text[edit.end :]
    assert text == HEAD + "n = np.zeros(3)\n" + END


KEPT = {
    "a function reads it": ("def f():\n    return X\n", {}),
    "a statement reads it": ("print(X)\n", {}),
    "an operation on it is read": ("y = X * 2\nprint(y.shape)\n", {}),
    "other code gets it": ("y = np.zeros(X)\n", {}),
    "it is assigned twice": ("X = np.zeros(3)\nprint(X)\n", {}),
    "names are computed": ("print(globals()['X'])\n", {}),
    "code may be computed": ("exec('print(X)')\n", {}),
    "operations are looked up": ("print(tf.get_default_graph().get_operations())\n", {}),
    "variables are counted": ("print(tf.trainable_variables())\n", {}),
    "a graph is written": ("path = tf.train.write_graph(X.graph, '.', 'x')\n", {}),
    "another file may import it": ("", {"is_shared": True}),
    "another file imports it": ("", {"is_shared": True, "used_elsewhere": frozenset(["X"])}),
    "another file imports all": ("", {"is_starred": True}),
    "another file runs sessions": ("", {"names": ["tf.Session"]}),
    "it shares a line": ("", {}),
}


@pytest.mark.parametrize("name", KEPT)
def test_other_placeholders_keep_the_estimators(name):
    text, facts = KEPT[name]
    end = "; n = 1\n" if name == "it shares a line" else "\n"
    file = _file(f"X = tf.placeholder('float'){end}{text}", end="", **facts)
    assert "no session code contains it" in session_code.problem(file)
    assert session_code.edits(file)[0] == []


def test_placeholders_of_a_shared_file_are_removed_if_no_file_imports_them():
    file = _file(UNUSED["a placeholder"], is_shared=True, used_elsewhere=frozenset(["model_fn"]))
    assert session_code.problem(file) == ""


def test_a_program_of_tensorflow_2_stays():
    file = _file(UNUSED["a placeholder"], api="v2")
    assert session_code.edits(file)[0] == []
