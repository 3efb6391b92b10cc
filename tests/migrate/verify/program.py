"""A small model_fn with all common sources of porting mistakes, and its port, with one on request.

`build_model()` is the correct port of `model_fn` with `params`. `port(defect=...)` has one mistake.
"""

import collections
import functools

import numpy as np
import tensorflow.compat.v1 as tf
import tf_keras

from legacy import estimator as tf_estimator

CLASSES, WORDS, BATCH_SIZE, UNITS = 3, 20, 8, 6
L2 = 0.01
params = {"optimizer": "momentum", "rate": 0.05}


def examples(count, seed=1):
    """Returns images, up to four words per image (-1 for none), and labels."""
    random = np.random.default_rng(seed)
    images = random.normal(size=(count, 6, 6)).astype(np.float32)
    words = random.integers(WORDS, size=(count, 4))
    words[:, 2:][random.random((count, 2)) < 0.5] = -1
    labels = random.integers(CLASSES, size=count)
    images += labels[:, None, None]
    return images, words, labels


def _batches(count, seed):
    images, words, labels = examples(count, seed)

    def sparse(image, word, label):
        return {"image": image, "words": tf.sparse.from_dense(word + 1)}, label

    data = tf.data.Dataset.from_tensor_slices((images, words, labels)).batch(BATCH_SIZE)
    return data.map(sparse)


def input_fn():
    return _batches(4 * BATCH_SIZE, 1).repeat()


def eval_input_fn():
    return _batches(2 * BATCH_SIZE + 3, 2)


def make_optimizer(params, step):
    rate = params["rate"]
    return {
        "momentum": lambda: tf.train.MomentumOptimizer(
            tf.train.piecewise_constant(step, [1, 500], [rate, rate / 2, rate / 10]), 0.9
        ),
        "adam": lambda: tf.train.AdamOptimizer(rate),
        "rmsprop": lambda: tf.train.RMSPropOptimizer(rate, decay=0.8),
        "adagrad": lambda: tf.train.AdagradOptimizer(rate),
        "ftrl": lambda: tf.train.FtrlOptimizer(rate, l1_regularization_strength=0.01),
        "sgd": lambda: tf.train.GradientDescentOptimizer(rate),
    }[params["optimizer"]]()


def l2(weights):
    return L2 * tf.nn.l2_loss(weights)


def network(features, training, small):
    net = tf.layers.flatten(features["image"]) if small else _hidden(features, training)
    net = tf.layers.dropout(net, 0.4, training=training)
    table = tf.get_variable("words/embeddings", [WORDS + 1, UNITS])
    words = tf.nn.embedding_lookup_sparse(table, features["words"], None, combiner="sqrtn")
    return tf.layers.dense(tf.concat([net, words], axis=1), CLASSES, name="logits")


def _hidden(features, training):
    net = tf.layers.conv2d(
        features["image"][..., None], 4, 3, use_bias=False, kernel_regularizer=l2, name="conv"
    )
    net = tf.layers.batch_normalization(
        net, momentum=0.9, epsilon=1e-5, training=training, name="norm"
    )
    net = tf.layers.flatten(tf.nn.relu(net))
    for name in ("first", "second", "third"):
        net = tf.layers.dense(net, UNITS, tf.nn.relu, kernel_regularizer=l2, name=name)
    return net


def model_fn(features, labels, mode, params):
    training = mode == tf_estimator.ModeKeys.TRAIN
    logits = network(features, training, params.get("small"))
    loss = tf.losses.softmax_cross_entropy(tf.one_hot(labels, CLASSES), logits, label_smoothing=0.1)
    loss += tf.losses.get_regularization_loss()
    if mode == tf_estimator.ModeKeys.EVAL:
        accuracy = tf.metrics.accuracy(labels, tf.argmax(logits, axis=1))
        return tf_estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={"accuracy": accuracy})
    step = tf.train.get_or_create_global_step()
    optimizer = make_optimizer(params, step)
    gradients, variables = zip(*optimizer.compute_gradients(loss), strict=True)
    clipped, _ = tf.clip_by_global_norm(gradients, 0.5)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train_op = optimizer.apply_gradients(zip(clipped, variables, strict=True), step)
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


class Words(tf_keras.layers.Layer):
    def __init__(self, combiner, name):
        super().__init__(name=name)
        self._combiner = combiner

    def build(self, _):
        self.embeddings = self.add_weight("embeddings", (WORDS + 1, UNITS))

    def call(self, words):
        return tf.nn.embedding_lookup_sparse(self.embeddings, words, None, combiner=self._combiner)


class Transposed(tf_keras.layers.Dense):
    def call(self, inputs):
        return self.activation(tf.matmul(inputs, self.kernel, transpose_b=True) + self.bias)


class BatchMeans(tf_keras.metrics.Mean):
    """Accuracy as the mean of the accuracies of single batches."""

    def update_state(self, y_true, y_pred, sample_weight=None):
        right = tf.equal(tf.argmax(y_pred, axis=1), tf.argmax(y_true, axis=1))
        return super().update_state(tf.reduce_mean(tf.cast(right, tf.float32)))


class Port(tf_keras.Model):
    """Port of the network. `defect` names the single mistake in it, if any."""

    def __init__(self, defect=None, small=False):
        super().__init__()
        layers, self._defect, self._small = tf_keras.layers, defect, small
        self.dropout = layers.Dropout(0.2 if defect == "dropout rate" else 0.4)
        self.words = Words("mean" if defect == "combiner" else "sqrtn", name="words")
        softmax = "softmax" if defect == "softmax twice" else None
        self.logits = layers.Dense(CLASSES, softmax, name="logits")
        if not small:
            self._make_hidden(layers, defect)

    def _make_hidden(self, layers, defect):
        kernel_l2 = None if defect == "no regularizer" else tf_keras.regularizers.L2(L2 / 2)
        bias_l2 = tf_keras.regularizers.L2(L2 / 2) if defect == "decay of biases" else None
        self.conv = layers.Conv2D(4, 3, use_bias=False, kernel_regularizer=kernel_l2, name="conv")
        self.norm = layers.BatchNormalization(
            momentum=0.99 if defect == "momentum of batch-norm" else 0.9,
            epsilon=1e-3 if defect == "epsilon of batch-norm" else 1e-5,
            name="norm",
        )
        regular = {"kernel_regularizer": tf_keras.regularizers.L2(L2 / 2)}
        self.hidden = [
            (Transposed if (defect, name) == ("transposed kernel", "second") else layers.Dense)(
                UNITS,
                "tanh" if (defect, name) == ("other activation", "second") else "relu",
                bias_regularizer=bias_l2,
                name=name,
                **regular,
            )
            for name in ("first", "second", "third")
        ]
        self.hidden[1].trainable = defect != "frozen layer"

    def _call_hidden(self, features, training):
        net = self.norm(self.conv(features["image"][..., None]), training=training)
        net = tf.reshape(tf.nn.relu(net), [-1, 4 * 4 * 4])
        first, *others = self.hidden
        net = first(net)
        for layer in reversed(others) if self._defect == "swapped layers" else others:
            net = layer(net)
        return net

    def call(self, features, training=False):
        if self._small:
            net = tf.reshape(features["image"], [-1, 36])
        else:
            net = self._call_hidden(features, training)
        net = self.dropout(net, training=training)
        logits = self.logits(tf.concat([net, self.words(features["words"])], axis=1))
        twice = self._defect == "softmax of softmax"
        return tf.nn.softmax(tf.nn.softmax(logits)) if twice else logits

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None):
        return super().compute_loss(x, tf.one_hot(y, CLASSES), y_pred, sample_weight)

    def compute_metrics(self, x, y, y_pred, sample_weight):
        return super().compute_metrics(x, tf.one_hot(y, CLASSES), y_pred, sample_weight)


class InsideAdam(tf_keras.optimizers.legacy.Adam):
    """Adam with epsilon inside the root."""

    def _resource_apply_dense(self, grad, var, apply_state=None):
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        step = tf.cast(self.iterations + 1, tf.float32)
        m.assign(0.9 * m + 0.1 * grad)
        v.assign(0.999 * v + 0.001 * grad * grad)
        rate = self._get_hyper("learning_rate") * tf.sqrt(1 - 0.999**step) / (1 - 0.9**step)
        return var.assign_sub(rate * m / tf.sqrt(v + 1e-8))

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        dense = tf.scatter_nd(tf.cast(indices, tf.int32)[:, None], grad, tf.shape(var))
        return self._resource_apply_dense(dense, var)


class FromOnes(tf_keras.optimizers.legacy.RMSprop):
    """RMSprop whose mean squares start at one, as in TensorFlow 1."""

    def _create_slots(self, var_list):
        for variable in var_list:
            self.add_slot(variable, "rms", "ones")
        super()._create_slots(var_list)


def port_optimizer(defect, name, rate):
    old, new = tf_keras.optimizers.legacy, tf_keras.optimizers
    clip = {"global_clipnorm": 0.5}
    if defect == "clipped one by one":
        clip = {"clipnorm": 0.5}
    turns = {"schedule off by one": [0, 499], "schedule too short": [1, 499]}.get(defect, [1, 500])
    schedule = new.schedules.PiecewiseConstantDecay(turns, [rate, rate / 2, rate / 10])
    if name == "rmsprop" and defect == "decay for rho":
        return FromOnes(rate, decay=0.8, epsilon=1e-10, **clip)
    if name == "adam" and defect == "epsilon inside the root":
        return InsideAdam(rate, **clip)
    epsilon = 1e-7 if defect == "Keras' epsilon" else 1e-8
    return {
        "momentum": lambda: old.SGD(schedule, 0.9, **clip),
        "adam": lambda: old.Adam(rate, epsilon=epsilon, **clip),
        # Any momentum, even 1e-30, makes this optimizer put epsilon inside the root.
        "rmsprop": lambda: FromOnes(rate, rho=0.8, momentum=1e-30, epsilon=1e-10, **clip),
        "adagrad": lambda: old.Adagrad(rate, 0.1, **clip),
        "ftrl": lambda: old.Ftrl(rate, l1_regularization_strength=0.01, **clip),
        "sgd": lambda: new.SGD(rate, **clip),
    }[name]()


def port(defect=None, optimizer="momentum", small=False):
    return compiled(Port(defect, small), defect, optimizer)


def compiled(model, defect, optimizer):
    reduction = "sum" if defect == "sum of losses" else "sum_over_batch_size"
    loss = tf_keras.losses.CategoricalCrossentropy(
        from_logits=True,
        label_smoothing=0.0 if defect == "no label smoothing" else 0.1,
        reduction=reduction,
    )
    metric = (BatchMeans if defect == "mean of batches" else tf_keras.metrics.CategoricalAccuracy)(
        name="accuracy"
    )
    model.compile(port_optimizer(defect, optimizer, params["rate"]), loss, [metric])
    return model


build_model = port


def with_defect(defect, optimizer, small=False):
    return functools.partial(port, defect, optimizer, small)


def sgd_port():
    return port(optimizer="sgd")


def wrong_model():
    return port("epsilon of batch-norm", "sgd")


class Other(Port):
    """Port whose hidden layers have other names."""

    def __init__(self):
        super().__init__()
        for layer, name in zip(self.hidden[1:], ("hidden_b", "hidden_c"), strict=True):
            layer._name = name


def other_names():
    return compiled(Other(), None, "sgd")


def not_compiled():
    return Port()


def no_batches():
    return tf.data.Dataset.from_tensor_slices(np.zeros([0, 2], np.float32)).batch(2)


def no_loss(features, labels, mode, params):
    return collections.namedtuple("Spec", "loss train_op")(None, tf.no_op())


def four_parts(features, labels):
    return features, labels, None, None
