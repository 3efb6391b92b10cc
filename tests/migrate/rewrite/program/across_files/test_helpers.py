"""Tests for functions of other files that a model_fn calls: a Keras model contains them."""

import pytest

from migrate.rewrite import rules
from migrate.rewrite.program import run
from tests.migrate.rewrite import tools
from tests.oracle import compare

TASK = """\
import numpy as np
import tensorflow as tf
import layers
from training import compute_loss, get_metrics, get_train_op

def model_fn(features, labels, mode, params):
    logits = layers.network(features["x"], 3, mode == tf.estimator.ModeKeys.TRAIN)
    classes = tf.argmax(layers.gelu(logits), 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"classes": classes, "logits": logits})
    loss = compute_loss(labels, logits)
    metrics = get_metrics(labels, classes)
    train_op = get_train_op(loss, params, mode)
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)

def input_fn():
    x = np.sin(np.arange(160.0)).reshape(10, 16).astype("float32")
    return tf.data.Dataset.from_tensor_slices(({"x": x}, np.arange(10) % 3)).repeat(3).batch(4)

def main():
    job = tf.estimator.Estimator(model_fn, "job", params={"rate": 0.05})
    job.train(input_fn, steps=6)
    return job.evaluate(input_fn), list(job.predict(input_fn))

if __name__ == "__main__":
    main()
"""
LAYERS = """\
import numpy as np
import tensorflow as tf
from tensorflow.contrib import slim

KERNEL = 3

def _start(shape, dtype=tf.float32, partition_info=None):
    size = int(np.prod(shape))
    return tf.cast(tf.reshape(tf.sin(tf.range(1.0, size + 1.0)), shape) * 0.3, dtype)

def _block(net, filters, name):
    with tf.variable_scope(name):
        return slim.conv2d(net, filters, KERNEL, weights_initializer=_start, scope="conv")

def gelu(x):
    return 0.5 * x * (1.0 + tf.erf(x / 1.4142135))

def network(images, classes, is_training):
    '''Returns logits.'''
    net = tf.reshape(images, [-1, 4, 4, 1])
    net = _block(_block(net, 4, "one"), 2, "two")
    net = gelu(tf.layers.dense(slim.flatten(net), 6, kernel_initializer=_start, name="wide"))
    net = tf.layers.dropout(net, 0.0, training=is_training)
    return tf.layers.dense(net, classes, kernel_initializer=_start, name="logits")
"""
NETWORK = """\
class Network:
    '''A network.

    It makes logits.
    '''

    def __init__(self, classes, is_training):
        self.classes, self.is_training = classes, is_training
        self.sizes = [4, 2]

    def __call__(self, images):
        net = tf.reshape(images, [-1, 4, 4, 1])
        net = _block(_block(net, self.sizes[0], "one"), self.sizes[1], "two")
        net = gelu(tf.layers.dense(slim.flatten(net), 6, kernel_initializer=_start, name="wide"))
        return self._logits(tf.layers.dropout(net, 0.0, training=self.is_training))

    def _logits(self, net):
        self.factor = 1.0
        net = net * self.factor
        return tf.layers.dense(net, self.classes, kernel_initializer=_start, name="logits")
"""
# Objects of two classes that the object of another class holds.
OUTER = """\
class Outer(object):
    def __init__(self, classes):
        self.encoder = Encoder()
        self.decoder = Decoder(classes)

    def __call__(self, images, mode=tf.estimator.ModeKeys.TRAIN):
        net = tf.reshape(images, [-1, 4, 4, 1])
        return self.decoder.decode(gelu(self.encoder(net, mode)))

class Encoder(tf.layers.Layer):
    def __init__(self):
        pass

    def __call__(self, net, mode):
        net = _block(_block(net, 4, "one"), 2, "two")
        net = tf.layers.dense(slim.flatten(net), 6, kernel_initializer=_start, name="wide")
        return tf.layers.dropout(net, 0.0, training=mode == tf.estimator.ModeKeys.TRAIN)

class Decoder:
    def __init__(self, classes):
        self.classes = classes

    def decode(self, net):
        return tf.layers.dense(net, self.classes, kernel_initializer=_start, name="logits")
"""
TRAINING = """\
import tensorflow as tf

def scaled(loss, factor=2.0):
    return loss * factor

def compute_loss(labels, logits):
    return scaled(tf.losses.sparse_softmax_cross_entropy(labels, logits))

def get_train_op(loss, params, mode):
    if mode != tf.estimator.ModeKeys.TRAIN:
        return None
    step = tf.train.get_global_step()
    rate = tf.train.exponential_decay(params["rate"], step, 5, 0.9)
    return tf.train.AdamOptimizer(rate).minimize(loss, step)

def get_metrics(labels, classes):
    accuracy = tf.metrics.accuracy(labels, classes)
    return {"accuracy": accuracy, "mean": tf.metrics.mean(classes)}
"""
RUN = """\
import importlib, os, sys
sys.path.insert(0, FOLDER)
os.chdir(FOLDER)
for name in ("layers", "task", "training"):
    sys.modules.pop(name, None)
x, y = importlib.import_module("task").main()
sys.path.remove(FOLDER)
"""


def _write(folder, task=TASK, layers=LAYERS, training=TRAINING):
    folder.mkdir(exist_ok=True)
    texts = {"task": task, "layers": layers, "training": training}
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def _rewrite(folder):
    """Rewrites the files of a folder to legacy and then to modern. Returns the new task."""
    for target in ("legacy", "modern"):
        for result in run.results([str(folder)], rules.all_rules(target), unsafe=True):
            if result.text is not None:
                (folder / result.path.rpartition("/")[2]).write_text(result.text)
    return (folder / "task.py").read_text()


IS_TRAINING = "mode == tf.estimator.ModeKeys.TRAIN)"
WITH_CLASS = {
    "task": TASK.replace(
        f'layers.network(features["x"], 3, {IS_TRAINING}',
        f'layers.Network(3, {IS_TRAINING}(features["x"])',
    ),
    "layers": LAYERS.partition("def network")[0] + NETWORK,
}


WITH_OBJECTS = {
    "task": TASK.replace(
        f'layers.network(features["x"], 3, {IS_TRAINING}', 'layers.Outer(3)(features["x"])'
    ),
    "layers": LAYERS.partition("def network")[0] + OUTER,
}


@pytest.mark.parametrize(
    "texts", [{}, WITH_CLASS, WITH_OBJECTS], ids=["function", "class", "objects"]
)
def test_a_program_computes_the_same_with_the_statements_of_its_helpers(texts, tmp_path):
    before, after = _write(tmp_path / "before", **texts), _write(tmp_path / "after", **texts)
    text = _rewrite(after)
    assert "class Model(tf_keras.Model)" in text
    assert "kernel_size=layers.KERNEL" in text
    # A Keras model can call plain functions where they are.
    assert "loss = compute_loss(labels, logits)" in text
    assert "from training import compute_loss\n" in text
    (old,) = tools.run([RUN.replace("FOLDER", repr(str(before)))], "old")
    (new,) = tools.run([RUN.replace("FOLDER", repr(str(after)))], "eager")
    assert {"x", "y"} <= set(old), old
    assert compare.differences(old, new) == []


def test_helpers_of_a_tpu_estimator_are_known_too(tmp_path):
    task = TASK.replace("tf.estimator.EstimatorSpec", "tf.contrib.tpu.TPUEstimatorSpec")
    task = task.replace("def input_fn():", "def input_fn(params):")
    task = task.replace("(loss, params, mode)", "(loss, {'rate': 0.05}, mode)")
    task = task.replace("eval_metric_ops=metrics", "eval_metrics=(get_metrics, [labels, classes])")
    task = task.replace(
        'tf.estimator.Estimator(model_fn, "job", params={"rate": 0.05})',
        "tf.contrib.tpu.TPUEstimator(model_fn, tf.contrib.tpu.RunConfig(model_dir='job'), "
        "params={'rate': 0.05}, use_tpu=False, train_batch_size=4, eval_batch_size=4, "
        "predict_batch_size=4)",
    )
    text = _rewrite(_write(tmp_path, task))
    assert "kernel_size=layers.KERNEL" in text
    assert "            return get_metrics(labels, classes)" in text


def test_a_helper_may_use_classes_and_inner_functions_of_its_file(tmp_path):
    """The network of the class in `layers.py` is made by a function of the task."""
    task = WITH_CLASS["task"].replace(
        "def model_fn",
        "def network(x, training):\n    return layers.Network(3, training)(x)\n\ndef model_fn",
        1,
    )
    task = task.replace(f'layers.Network(3, {IS_TRAINING}(features["x"])', "LOGITS")
    assert "LOGITS" in task
    task = task.replace("LOGITS", f'network(features["x"], {IS_TRAINING}')
    inner = "        def halved(y):\n            half = y * 0.5\n            return half\n\n"
    inner += "        net = halved(net) * 2.0\n"
    network = WITH_CLASS["layers"].replace("        self.factor", f"{inner}        self.factor")
    assert inner in network
    text = _rewrite(_write(tmp_path, task, network))
    assert "(tf_keras.Model):" in text
    assert "half_ = net_ * 0.5" in text


def test_a_layer_with_a_default_mode_always_trains(tmp_path):
    text = _rewrite(_write(tmp_path, **WITH_OBJECTS))
    assert "self.dropout(net_, training=True)" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        pass\n", "        super().__init__()\n"),
        ("        pass\n", "        self.size = 6\n"),
        ("class Encoder(tf.layers.Layer)", "class Encoder(tf.layers.Dense)"),
        ("        self.encoder = ", "        self.encoder = self.second = "),
        ("        self.encoder = Encoder()", "        self.encoder = Encoder() if classes else 0"),
    ],
)
def test_other_objects_of_objects_are_left_to_the_bridge(old, new, tmp_path):
    assert old in WITH_OBJECTS["layers"]
    layers = WITH_OBJECTS["layers"].replace(old, new, 1)
    text = _rewrite(_write(tmp_path, WITH_OBJECTS["task"], layers))
    assert "bridge.KerasModelFn(model_fn" in text


def test_names_of_the_other_file_are_imported(tmp_path):
    task = TASK.replace("import layers\n", "from layers import gelu, network\n")
    text = _rewrite(_write(tmp_path, task.replace("layers.", "")))
    assert "from layers import KERNEL\n" in text
    assert "kernel_size=KERNEL" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("KERNEL = 3\n", "KERNEL = 3\nKERNEL += 1\n"),
        ("def _block", "@tf.function\ndef _block"),
        ("    net = tf.reshape", "    global last\n    net = last = tf.reshape"),
    ],
)
def test_other_helpers_are_left_to_the_bridge(old, new, tmp_path):
    assert old in LAYERS
    text = _rewrite(_write(tmp_path, layers=LAYERS.replace(old, new, 1)))
    assert "bridge.KerasModelFn(model_fn" in text
