"""Turns numpy_input_fn and pandas_input_fn into functions that return a tf.data.Dataset."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import input_functions, modern_names
from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Example, Rule
from migrate.rewrite.engine.source_file import SourceFile


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        if match.call is None:
            continue
        args = arguments.bind(match.call, input_functions.OF_ARRAYS)
        reason = input_functions.stays(args)
        if reason or args is None:
            yield file.suggestion(match.call, reason)
            continue
        tf, imports = modern_names.tensorflow(file, match)
        is_pandas = match.name.endswith("pandas_input_fn")
        text = _dataset(file, tf, args, is_pandas)
        unsafe = input_functions.problem_of_arrays(file, args)
        text = f"lambda: {text}"
        if not isinstance(file.parent(match.call), (ast.Assign, ast.Call, ast.keyword, ast.Return)):
            text = f"({text})"
        yield file.replacement(match.call, text, imports, unsafe)


def _dataset(file: SourceFile, tf: str, given: dict[str, ast.expr], is_pandas: bool) -> str:
    features = file.segment(given["x"])
    features = f"dict({features})" if is_pandas else features
    labels = given.get("y")
    if labels is not None and not modern_names.is_constant(labels, None):
        features = f"({features}, {file.segment(labels)})"
    epochs = file.segment(given["num_epochs"]) if "num_epochs" in given else "1"
    batch = file.segment(given["batch_size"]) if "batch_size" in given else "128"
    text = f"{tf}.data.Dataset.from_tensor_slices({features})"
    if not modern_names.is_constant(given.get("shuffle"), False):
        text += f".shuffle({_buffer(file, given)})"
    # repeat comes before batch, because batches of the queue spanned epochs.
    text += f".repeat({epochs})" if epochs != "1" else ""
    return f"{text}.batch({batch})"


def _buffer(file: SourceFile, given: dict[str, ast.expr]) -> str:
    """Returns the size of the shuffle buffer. A buffer of one keeps the order."""
    capacity, shuffle = given.get("queue_capacity"), given.get("shuffle")
    size = file.segment(capacity) if capacity is not None else "1000"
    if shuffle is None or modern_names.is_constant(shuffle):
        return size
    return f"{size} if {file.segment(shuffle)} else 1"


_BEFORE = (
    "from legacy.compat.v1 import estimator as tf_estimator\n"
    "import numpy as np\n"
    "import tensorflow.compat.v1 as tf\n"
    "data, labels = np.arange(6.0).reshape(3, 2), np.arange(3)\n"
)
_AFTER = _BEFORE.split("\n", 1)[1]
# Returns all batches of an input_fn, which may return tensors or a dataset.
_BATCHES = (
    "def batches(input_fn):\n"
    "    with tf.Graph().as_default():\n"
    "        found = input_fn()\n"
    "        if isinstance(found, tf.data.Dataset):\n"
    "            found = tf.data.make_one_shot_iterator(found).get_next()\n"
    "        result = []\n"
    "        with tf.train.MonitoredSession() as session:\n"
    "            while not session.should_stop():\n"
    "                result.append(session.run(found))\n"
    "    return result\n"
)

RULE = Rule(
    __name__,
    _find,
    message="Input functions for arrays return a tf.data.Dataset.",
    source="https://www.tensorflow.org/guide/data#consuming_numpy_arrays",
    symbols=(
        "tf.estimator.inputs.numpy_input_fn",
        "tf.estimator.inputs.pandas_input_fn",
    ),
    recipe="input_functions",
    examples=(
        Example(
            _BEFORE + _BATCHES + "x = batches(tf_estimator.inputs.numpy_input_fn(\n"
            "    {'a': data}, labels, batch_size=2, num_epochs=3, shuffle=False))\n"
            "y = batches(tf_estimator.inputs.numpy_input_fn(x=data, shuffle=False))\n",
            _AFTER + _BATCHES + "x = batches(lambda: tf.data.Dataset.from_tensor_slices("
            "({'a': data}, labels)).repeat(3).batch(2))\n"
            "y = batches(lambda: tf.data.Dataset.from_tensor_slices(data).batch(128))\n",
        ),
        Example(
            _BEFORE + _BATCHES + "import pandas as pd\n"
            "frame = pd.DataFrame({'a': [1.0, 2.0, 3.0], 'b': ['u', 'v', 'w']})\n"
            "x = batches(tf_estimator.inputs.pandas_input_fn(\n"
            "    frame, batch_size=2, shuffle=False))\n",
            _AFTER + _BATCHES + "import pandas as pd\n"
            "frame = pd.DataFrame({'a': [1.0, 2.0, 3.0], 'b': ['u', 'v', 'w']})\n"
            "x = batches(lambda: tf.data.Dataset.from_tensor_slices(dict(frame)).batch(2))\n",
        ),
        Example(
            _BEFORE + "f = tf_estimator.inputs.numpy_input_fn(data, batch_size=3, shuffle=True)\n"
            "x = callable(f)\ny = tf.float32.name\n",
            _AFTER + "f = lambda: tf.data.Dataset.from_tensor_slices(data).shuffle(1000)"
            ".batch(3)\n"
            "x = callable(f)\ny = tf.float32.name\n",
            unsafe=True,
        ),
        Example(
            _BEFORE + _BATCHES + "def make(shuffle):\n"
            "    return tf_estimator.inputs.numpy_input_fn(\n"
            "        data, labels, 2, num_epochs=2, shuffle=shuffle)\n"
            "x = batches(make(False))\n"
            "y = sorted(int(y) for _, part in batches(make(True)) for y in part)\n",
            _AFTER + _BATCHES + "def make(shuffle):\n"
            "    return lambda: tf.data.Dataset.from_tensor_slices((data, labels))"
            ".shuffle(1000 if shuffle else 1).repeat(2).batch(2)\n"
            "x = batches(make(False))\n"
            "y = sorted(int(y) for _, part in batches(make(True)) for y in part)\n",
            unsafe=True,
        ),
    ),
    unchanged=(
        _BEFORE + "f = tf_estimator.inputs.numpy_input_fn(data, shuffle=False, num_threads=2)\n"
        "x = 1\n",
        _BEFORE + "f = tf_estimator.inputs.numpy_input_fn(data[:2], shuffle=False)\nx = 1\n",
        _BEFORE + "f = []\nfor part in (data, data + 1):\n"
        "    f.append(tf_estimator.inputs.numpy_input_fn(part, shuffle=False))\nx = 1\n",
        "import tensorflow.compat.v1 as tf\nx = callable(tf.data.Dataset.from_tensor_slices)\n",
    ),
    safe=False,
)
