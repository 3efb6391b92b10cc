"""Tests for session code that gets a graph of its own, or cannot get one."""

import ast
import textwrap

import pytest

from migrate.rewrite.engine.plan import Decisions
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.sessions import session_code
from tests.migrate.rewrite import tools

HEAD = """\
import tensorflow.compat.v1 as tf
from legacy import estimator
import data
import tf_keras
"""


def _file(text, **facts):
    return SourceFile(HEAD + textwrap.dedent(text), plan=tools.plan(**facts))


def _rewritten(text, **facts):
    """Returns a text in which session code has graphs, without the imports."""
    file = _file(text, **facts)
    assert session_code.problem(file) == ""
    result = file.text
    for edit in sorted(session_code.edits(file)[0], reverse=True):
        result = result[: edit.start] + edit.text + result[edit.end :]
    ast.parse(result)
    return result.removeprefix(HEAD)


def _problem(text, **facts):
    return session_code.problem(_file(text, **facts))


def _indented(text):
    return textwrap.indent(text, "    ", lambda line: bool(line.strip()))


BODIES = {
    "operations before the session": (
        "x = tf.constant(path)\nwith tf.Session() as s:\n    return s.run(x)\n"
    ),
    "a checkpoint": (
        "s = tf.Session()\nsaver = tf.train.import_meta_graph(path)\nsaver.restore(s, path)\n"
        "keep = [v for v in tf.global_variables() if 'adam' not in v.name]\n"
        "tf.train.Saver(keep).save(s, path)\n"
    ),
    "a frozen graph": (
        "definition = tf.GraphDef()\n"
        "with tf.gfile.GFile(path, 'rb') as f:\n    definition.ParseFromString(f.read())\n"
        "y, = tf.import_graph_def(definition, return_elements=['y:0'])\n"
        "with tf.Session() as s:\n    result = s.run(y)\nreturn result\n"
    ),
    "an interactive session": (
        "s = tf.InteractiveSession()\nx = tf.constant(2)\nreturn x.eval()\n"
    ),
    "a monitored session": (
        "step = tf.train.get_or_create_global_step()\n"
        "with tf.train.MonitoredTrainingSession() as s:\n    return s.run(step)\n"
    ),
    "layers and control flow": (
        "x = tf.placeholder('float')\nones = tf_keras.initializers.Ones()\n"
        "w = tf.get_variable('w', initializer=ones)\nrank = len(x.get_shape())\n"
        "y = tf.cond(x > 0, lambda: x * w, lambda: x)\ns = tf.Session()\n"
        "s.run(tf.global_variables_initializer())\n"
        "size = w.get_shape()[0].value\nreturn s.run(y, feed_dict={x: path}), rank, size\n"
    ),
    "a queue": (
        "names = tf.train.string_input_producer([path])\n"
        "with tf.Session() as s:\n"
        "    coordinator = tf.train.Coordinator()\n"
        "    threads = tf.train.start_queue_runners(s, coordinator)\n"
        "    result = s.run(names.dequeue())\n"
        "    coordinator.join(threads)\n    return result\n"
    ),
    "a function of the file": (
        "x = make(path)\ns = tf.Session()\nrows = []\nrows.append(s.run(x))\nreturn rows\n"
    ),
    "operations without a name": "build(path)\nwith tf.Session() as s:\n    return s.run('x:0')\n",
}


@pytest.mark.parametrize("name", BODIES)
def test_the_body_of_a_function_gets_a_graph(name):
    head = "def make(n):\n    return tf.constant(n)\ndef build(n):\n    tf.constant(n, name='x')\n"
    body = _indented(BODIES[name])
    start = 'def f(path):\n    """Does it."""\n'
    expected = f"{head}{start}    with tf.Graph().as_default():\n{_indented(body)}"
    assert _rewritten(head + start + body) == expected


UNCHANGED = {
    "its operations are inside": (
        "def f(n):\n    with tf.Session() as s:\n        s.run(2 * tf.ones(n))\n"
    ),
    "a graph is passed": "g = tf.Graph()\ns = tf.Session(graph=g)\n",
    "a graph is passed by its position": "def f(g):\n    return tf.Session('', g)\n",
    "a graph is entered": (
        "def f(self):\n    with self.graph.as_default():\n"
        "        self.x = tf.placeholder('f')\n        self.s = tf.Session()\n"
    ),
    "a graph is entered with it": (
        "with tf.Graph().as_default(), tf.Session() as s:\n    s.run(tf.ones(2))\n"
    ),
    "all calls are in a graph": (
        "def f(x):\n    with tf.Session() as s:\n        return s.run(x)\n"
        "def g():\n    with tf.Graph().as_default():\n        f(tf.ones(2))\n"
    ),
    "it configures devices": "K.set_session(tf.Session(config=tf.ConfigProto()))\n",
    "it configures devices by a name": "s = tf.Session()\nK.set_session(s)\n",
    "it is a type": "def f(s: tf.Session):\n    assert isinstance(s, (tf.Session, int))\n",
    "it is at the module's level": "with tf.Session() as s:\n    s.run(tf.ones(2))\n",
}


@pytest.mark.parametrize("name", UNCHANGED)
def test_code_that_needs_no_new_graph_stays(name):
    text = UNCHANGED[name]
    assert _rewritten(text) == text


def test_a_session_next_to_an_estimator_gets_a_graph_with_its_operations():
    text = """\
    def main():
        job = estimator.Estimator(m)
        job.train(f)
        path = job.latest_checkpoint()
        x = tf.constant(3)
        number = 2
        with tf.Session() as s:
            result = s.run(x)
        print(result, number)
        job.evaluate(f)
    """
    lines = textwrap.dedent(text).splitlines(keepends=True)
    graph = ["    with tf.Graph().as_default():\n", *(f"    {line}" for line in lines[4:8])]
    assert _rewritten(text) == "".join([*lines[:4], *graph, *lines[8:]])


RESULTS = """\
def main():
    job = estimator.Estimator(m)
    job.train(f)
    {results}
    with tf.Session() as s:
        matrix = tf.confusion_matrix([0, 1], found)
        print(s.run(matrix))
"""


@pytest.mark.parametrize(
    "results",
    [
        "found = [row['class'] for row in job.predict(f)]",
        "rows = list(job.predict(f))\n    found = [row['class'] for row in rows]",
        "found = job.evaluate(f)['loss']",
        "found = {k: v for k, v in job.evaluate(f).items()}",
    ],
)
def test_results_of_an_estimator_may_enter_a_graph(results):
    text = RESULTS.format(results=results)
    assert _rewritten(text) == text  # A `with` of the session alone has the default graph.


@pytest.mark.parametrize(
    "results",
    ["found = job.predict(f)", "found = map(str, job.predict(f))", "found = job"],
)
def test_what_still_needs_the_estimator_enters_no_graph(results):
    assert "line 10 uses an Estimator" in _problem(RESULTS.format(results=results))


TWO = """\
def main():
    job = estimator.Estimator(m)
    x = tf.constant(3)
    with tf.Session() as s:
        first = s.run(x)
    job.evaluate(f)
    with tf.Session() as s:
        {again}print(s.run(tf.constant(first)))
"""


def test_sessions_of_one_name_have_graphs_of_their_own():
    text = _rewritten(TWO.format(again=""))
    assert text.count("default():") == 1
    assert "default():\n        x = tf.constant(3)\n        with tf.Session() as s:\n" in text


def test_a_session_whose_name_gets_another_value_keeps_the_estimator():
    assert "line 10 uses an Estimator" in _problem(TWO.format(again="s = s or None\n        "))


def test_predictions_of_a_keras_model_are_no_tensors():
    text = RESULTS.replace("job.train(f)", "x = tf.constant(1)").format(
        results="found = list(porting.predict(m, tf.data.Dataset.range(3)))"
    )
    text = f"from modern import porting\n{text}"
    assert _rewritten(text) == text


def test_operations_that_only_the_graph_knows_move_with_their_session():
    text = """\
    def main():
        job = estimator.Estimator(m)
        layer = tf.layers.dense(tf.ones([2, 2]), 2, name='dense')
        rows = data.read()
        with tf.Session() as s:
            s.run('dense/BiasAdd:0')
    """
    assert "default():\n        layer = tf" in _rewritten(text)


def test_placeholders_of_the_module_move_with_their_session():
    text = "x = tf.placeholder('f')\ns = tf.Session()\ny = s.run(2 * x, {x: 3})\n"
    assert _rewritten(text) == f"with tf.Graph().as_default():\n{_indented(text)}"


def test_a_reset_of_the_graph_becomes_the_new_graph():
    text = (
        "def f():\n    tf.reset_default_graph()\n    x = tf.ones(2)\n    s = tf.Session()\n"
        "    s.run(x)\n"
    )
    assert "reset" not in _rewritten(text)


def test_strings_and_tabs_are_kept():
    text = 'def f():\n\tx = tf.constant("""a\n  b""")\n\n\ts = tf.Session()\n\treturn s.run(x)\n'
    assert _rewritten(text) == (
        'def f():\n\twith tf.Graph().as_default():\n\t\tx = tf.constant("""a\n  b""")\n\n'
        "\t\ts = tf.Session()\n\t\treturn s.run(x)\n"
    )


REFUSED = {
    "returns a part": (
        "def f():\n    x = tf.ones(2)\n    s = tf.Session()\n    s.run(x)\n    return x\n"
    ),
    "line 8 returns": "def f():\n    s = tf.Session()\n    s.run(tf.ones(2))\n    return [s]\n",
    "the argument `x`": "def f(x):\n    s = tf.Session()\n    return s.run(x)\n",
    "the argument `y`": (
        "def f(y):\n    y.get_shape()\n    s = tf.Session()\n    s.run(tf.ones(2))\n"
    ),
    "with a part of its graph": (
        "def f(x):\n    y = x + 1\n    s = tf.Session()\n    return s.run(y)\nf(tf.ones(2))\n"
    ),
    "of the graph of line 5": (
        "x = tf.ones(2)\ndef f():\n    y = x * 2\n    s = tf.Session()\n    return s.run(y)\n"
        "print(x)\n"
    ),
    "`self.x` in line 9": (
        "class A:\n    def __init__(self):\n        self.x = tf.ones(2)\n"
        "    def f(self):\n        y = self.x * 2\n        s = tf.Session()\n        s.run(y)\n"
    ),
    "in `self.s`": (
        "class A:\n    def f(self):\n        self.s = tf.Session()\n"
        "        self.s.run(tf.ones(2))\n"
    ),
    "in `s`": "def f():\n    global s\n    s = tf.Session()\n    s.run(tf.ones(2))\n",
    "to `ALL`": (
        "ALL = []\ndef f():\n    s = tf.Session()\n    ALL.append(tf.ones(2))\n    s.run(ALL)\n"
    ),
    "uses an Estimator": (
        "def main():\n    job = estimator.Estimator(m)\n    x = tf.ones(2)\n    job.train(f)\n"
        "    s = tf.Session()\n    s.run(x)\n"
    ),
    "line 7 uses an Estimator": (
        "def main(job):\n    with tf.Session() as s:\n        job.train(f)\n        s.run('x')\n"
    ),
    "line 9 uses an Estimator": (
        "from modern import porting\ndef main(m):\n    s = tf.Session()\n"
        "    s.run(tf.ones(2))\n    porting.train(m, f)\n    s.run('x')\n"
    ),
    "line 10 uses an Estimator": (
        "def train():\n    estimator.Estimator(m).train(f)\n"
        "def main():\n    s = tf.Session()\n    s.run(tf.ones(2))\n    train()\n    s.run('x')\n"
    ),
    "leaves the function": (
        "def f():\n    x = tf.ones(2)\n    with tf.Session() as s:\n        while 1:\n"
        "            yield s.run(x)\n"
    ),
    "another file's function": (
        "def f():\n    x = data.build()\n    s = tf.Session()\n    s.run(x)\n    return x\n"
    ),
    "returns a function": (
        "def f():\n    x = tf.ones(2)\n    s = tf.Session()\n"
        "    def g():\n        return s.run(x)\n    return g\n"
    ),
    "resets the default graph": (
        "def f():\n    x = tf.ones(2)\n    tf.reset_default_graph()\n    s = tf.Session()\n"
        "    s.run(x)\n"
    ),
    "until it is closed": "def f(g):\n    s = tf.InteractiveSession(graph=g)\n    s.run('x')\n",
    "no session code": "x = tf.placeholder('f')\nprint(x)\n",
    "no session code contains": (
        "def main():\n    x = tf.placeholder('f')\n"
        "    job = tf.estimator.DNNClassifier([2], [])\n    return job, x\n"
    ),
    "not called here": "Session = tf.Session\n",
    "other code makes": "def f():\n    s = tf.Session()\n    return s.run('x:0')\n",
    "shares a line": "def f(): x = tf.ones(2); s = tf.Session(); s.run(x)\n",
}


@pytest.mark.parametrize("reason", REFUSED)
def test_code_that_shares_its_graph_keeps_the_estimators(reason):
    problem = _problem(REFUSED[reason], local_modules=frozenset(["data"]))
    assert "needs a graph: remove it first (" in problem
    assert reason in problem


def test_tensors_that_other_files_may_import_keep_the_estimators():
    text = "x = tf.placeholder('f')\ns = tf.Session()\ny = s.run(2 * x, {x: 3})\n"
    assert "other files may import `x`" in _problem(text, is_shared=True)
    main = f"if __name__ == '__main__':\n{_indented(text)}"
    assert _problem(main, is_shared=True) == ""


def test_an_estimator_of_another_file_stays_out_of_graphs():
    text = (
        "def f():\n    s = tf.Session()\n    s.run(tf.ones(2))\n    data.train()\n    s.run('x')\n"
    )
    decisions = Decisions(estimator_code=frozenset(["@data.train"]))
    facts = {"local_modules": frozenset(["data"])}
    assert _problem(text, **facts) == ""
    assert "line 8 uses an Estimator" in _problem(text, decisions=decisions, **facts)


def test_a_program_of_tensorflow_2_runs_its_sessions_as_today():
    text = "def f(x):\n    s = tf.Session()\n    return s.run(x)\n"
    assert _problem(text)
    assert _problem(text, api="v2") == ""
    assert _problem(f"tf.disable_v2_behavior()\n{text}", api="v2")


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        (
            "s = tf.Session()\n    tf.train.import_meta_graph(a)\n    s.run('x')",
            "Keras writes none",
        ),
        ("x = tf.random_uniform([])\n    s = tf.Session()\n    s.run(x)", "set_random_seed is not"),
    ],
)
def test_other_effects_of_a_graph_are_named(text, effect):
    file = _file(f"tf.set_random_seed(1)\ndef f(a):\n    {text}\n")
    assert effect in session_code.edits(file)[2]
    assert "must not share tensors" in session_code.edits(file)[2]
