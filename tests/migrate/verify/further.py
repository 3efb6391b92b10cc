"""A second model_fn, for features that the first lacks, and its port, with one mistake on request.

The model has images (a strided convolution), words (with lengths and a row for unknown words), a
table of numbers (layer normalization), and two heads with weighted losses.
"""

import numpy as np
import tensorflow.compat.v1 as tf
import tf_keras

from legacy import estimator as tf_estimator

BATCH, WORDS, TIME, UNITS, CLASSES = 6, 7, 4, 5, 3
params = {"rate": 0.1, "optimizer": "adam"}


def input_fn():
    random = np.random.default_rng(3)
    count = 5 * BATCH
    features = {
        "image": random.integers(0, 256, size=(count, 6, 6, 1)).astype(np.float32),
        "words": random.integers(0, WORDS + 3, size=(count, TIME)),  # some of them unknown
        "length": random.integers(1, TIME + 1, size=count),
        "numbers": random.normal(size=(count, 4)).astype(np.float32),
    }
    labels = {
        "class": random.integers(CLASSES, size=count),
        "value": random.random(size=count).astype(np.float32),
    }
    return tf.data.Dataset.from_tensor_slices((features, labels)).batch(BATCH)


def optimizer_of(params, step):
    rate = params["rate"]
    return {
        "adam": lambda: tf.train.AdamOptimizer(
            tf.train.exponential_decay(rate, step, 100, 0.5, staircase=True), 0.9, 0.98
        ),
        "adagrad": lambda: tf.train.AdagradOptimizer(rate, initial_accumulator_value=0.1),
    }[params["optimizer"]]()


def network(features, training):
    net = tf.layers.conv2d(features["image"] / 255.0, 2, 3, (2, 1), "same", name="conv")
    net = tf.reshape(tf.nn.relu6(net), [-1, 3 * 6 * 2])
    image = tf.layers.dense(net, UNITS, tf.nn.relu, name="image")
    table = tf.get_variable("words/embeddings", [WORDS + 1, UNITS])
    words = tf.nn.embedding_lookup(table, tf.minimum(features["words"], WORDS))
    mask = tf.sequence_mask(features["length"], TIME, tf.float32)[..., None]
    words = tf.reduce_sum(words * mask, 1) / tf.reduce_sum(mask, 1)
    numbers = tf.layers.dense(features["numbers"], UNITS, name="numbers")
    gamma = tf.get_variable("norm/gamma", [UNITS], initializer=tf.ones_initializer())
    beta = tf.get_variable("norm/beta", [UNITS], initializer=tf.zeros_initializer())
    mean, variance = tf.nn.moments(numbers, [1], keepdims=True)
    numbers = tf.nn.batch_normalization(numbers, mean, variance, beta, gamma, 1e-12)
    image = tf.layers.dropout(image, 0.3, training=training)
    return tf.concat([image, words, numbers], 1)


def model_fn(features, labels, mode, params):
    net = network(features, mode == tf_estimator.ModeKeys.TRAIN)
    logits = tf.layers.dense(net, CLASSES, name="class")
    value = tf.layers.dense(net, 1, name="value")[:, 0]
    loss = tf.losses.sparse_softmax_cross_entropy(labels["class"], logits)
    loss += 0.5 * tf.losses.mean_squared_error(labels["value"], value)
    kernels = [v for v in tf.trainable_variables() if v.op.name.endswith("kernel")]
    loss += 0.01 * tf.add_n([tf.nn.l2_loss(kernel) for kernel in kernels])
    if mode == tf_estimator.ModeKeys.EVAL:
        metrics = {
            "accuracy": tf.metrics.accuracy(labels["class"], tf.argmax(logits, 1)),
            "above": tf.metrics.precision(labels["value"] > 0.5, value > 0.1),
        }
        return tf_estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    step = tf.train.get_or_create_global_step()
    optimizer = optimizer_of(params, step)
    gradients, variables = zip(*optimizer.compute_gradients(loss), strict=True)
    clipped = [g if g is None else tf.clip_by_norm(g, 50.0) for g in gradients]
    train_op = optimizer.apply_gradients(zip(clipped, variables, strict=True), step)
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


class Port(tf_keras.Model):
    """Port of `model_fn`. `defect` names the single mistake in it, if any."""

    def __init__(self, defect=None):
        super().__init__()
        self.defect = defect
        layers, l2 = tf_keras.layers, tf_keras.regularizers.L2(0.005)

        def dense(units, name, activation=None, **options):
            options = {"kernel_regularizer": l2, **options}
            return layers.Dense(units, activation, name=name, **options)

        strides = (1, 2) if defect == "strides in another order" else (2, 1)
        padding = "valid" if defect == "padding" else "same"
        self.conv = layers.Conv2D(
            2,
            3,
            strides,
            padding,
            activation="relu" if defect == "relu" else tf.nn.relu6,
            kernel_regularizer=l2,
            name="conv",
        )
        self.image = dense(
            UNITS,
            "image",
            "relu",
            **({"bias_regularizer": l2} if defect == "regularizer of a bias" else {}),
        )
        self.words = layers.Embedding(WORDS + 1, UNITS, name="words")
        self.numbers = dense(UNITS, "numbers")
        epsilon = {"epsilon of layer norm": 1e-6, "epsilon of Keras' layer norm": 1e-3}
        self.norm = layers.LayerNormalization(epsilon=epsilon.get(defect, 1e-12), name="norm")
        self.dropout = layers.Dropout(0.3)
        self.classes, self.value = dense(CLASSES, "class"), dense(1, "value")

    def call(self, features, training=False):
        defect = self.defect
        scale = 255.0**2 if defect == "scaled twice" else 255.0
        images = features["image"] / scale
        if defect == "padding":
            images = tf.pad(images, [[0, 0], [1, 0], [1, 1], [0, 0]])
        image = self.image(tf.reshape(self.conv(images), [-1, 3 * 6 * 2]))
        words = features["words"]
        unknown = words >= WORDS
        unknown_row = 0 if defect == "unknown words" else WORDS
        words = self.words(tf.where_v2(unknown, tf.cast(unknown_row, words.dtype), words))
        mask = tf.sequence_mask(features["length"], TIME, tf.float32)[..., None]
        mask = tf.ones_like(mask) if defect == "mask" else mask
        words = tf.reduce_sum(words * mask, 1) / tf.reduce_sum(mask, 1)
        numbers = self.norm(self.numbers(features["numbers"]))
        drops = {"dropout inverted": not training, "dropout always": True}.get(defect, training)
        if defect == "dropout on another layer":
            numbers = self.dropout(numbers, training=drops)
        else:
            image = self.dropout(image, training=drops)
        net = tf.concat([image, words, numbers], 1)
        logits = self.classes(net)
        if defect == "order of classes":
            logits = tf.gather(logits, [1, 0, 2], axis=1)
        return {"class": logits, "value": self.value(net)[:, 0]}


def port(defect=None, optimizer="adam"):
    return compiled(Port(defect), defect, optimizer)


def compiled(model, defect=None, optimizer="adam", from_logits=True, legacy=False):
    losses = {
        "class": tf_keras.losses.SparseCategoricalCrossentropy(from_logits=from_logits),
        "value": tf_keras.losses.MeanSquaredError(),
    }
    threshold = 0.0 if defect == "threshold" else 0.1
    metrics = {
        "class": tf_keras.metrics.SparseCategoricalAccuracy("accuracy"),
        "value": Above(threshold, name="above"),
    }
    weights = {"class": 1.0, "value": 1.0 if defect == "weight of a loss" else 0.5}
    optimizer = optimizer_for(defect, optimizer, legacy)
    model.compile(optimizer, losses, metrics, loss_weights=weights)
    return model


class Above(tf_keras.metrics.Precision):
    def __init__(self, threshold, name):
        super().__init__(name=name)
        self._threshold = threshold

    def update_state(self, y_true, y_pred, sample_weight=None):
        return super().update_state(y_true > 0.5, tf.cast(y_pred > self._threshold, tf.float32))


def optimizer_for(defect, name, legacy=False):
    new = tf_keras.optimizers
    clip = {"clipnorm": 50.0}
    clip = {"clipvalue": {"clipvalue": 50.0}, "never clips": {}}.get(defect, clip)
    if name == "adagrad":
        start = 0.0 if defect == "initial accumulator" else 0.1
        return new.legacy.Adagrad(params["rate"], start, **clip)
    schedule = new.schedules.ExponentialDecay(
        params["rate"],
        200 if defect == "decay steps" else 100,
        0.5,
        staircase=defect != "no staircase",
    )
    beta_2 = 0.999 if defect == "beta_2" else 0.98
    adam = new.legacy.Adam if legacy else new.Adam
    return adam(schedule, beta_2=beta_2, epsilon=1e-8, **clip)


def functional():
    """Returns a port in the functional API: features by name, and a layer with a mask."""
    layers, l2 = tf_keras.layers, tf_keras.regularizers.L2(0.005)
    pixels = layers.Input((6, 6, 1), name="pixels")
    ids = layers.Input((TIME,), name="ids", dtype="int64")
    length = layers.Input((), name="length", dtype="int64")
    columns = layers.Input((4,), name="columns")
    net = layers.Rescaling(1 / 255)(pixels)
    net = layers.Conv2D(2, 3, (2, 1), "same", kernel_regularizer=l2, name="conv")(net)
    net = layers.Flatten()(layers.ReLU(6.0)(net))
    net = layers.Dropout(0.3)(layers.Dense(UNITS, kernel_regularizer=l2, name="image")(net))
    net = layers.ReLU()(net)  # ReLU and dropout commute
    rows = layers.Embedding(WORDS + 1, UNITS, name="words")(layers.Lambda(known)(ids))
    seen = layers.Lambda(lambda n: tf.sequence_mask(n, TIME))(length)
    rows = layers.GlobalAveragePooling1D()(rows, mask=seen)
    table = layers.Dense(UNITS, kernel_regularizer=l2, name="numbers")(columns)
    table = layers.LayerNormalization(epsilon=1e-12, name="norm")(table)
    net = layers.Concatenate()([net, rows, table])
    classes = layers.Dense(CLASSES, kernel_regularizer=l2, name="class")(net)
    value = layers.Dense(1, kernel_regularizer=l2, name="value")(net)
    outputs = {"class": classes, "value": layers.Reshape(())(value)}
    inputs = {"image": pixels, "words": ids, "length": length, "numbers": columns}
    return compiled(tf_keras.Model(inputs, outputs))


def known(words):
    return tf.minimum(words, WORDS)


class OneOfOnesOwn(Port):
    """Port with add_loss instead of regularizers, and with its own training step."""

    def __init__(self):
        super().__init__()
        self.regular = (self.conv, self.image, self.numbers, self.classes, self.value)
        for layer in self.regular:
            layer.kernel_regularizer = None

    def call(self, features, training=False):
        outputs = super().call(features, training=training)
        for layer in self.regular:
            self.add_loss(0.01 * tf.nn.l2_loss(layer.kernel))
        return outputs

    def train_step(self, data):
        x, y, weights = tf_keras.utils.unpack_x_y_sample_weight(data)
        with tf.GradientTape() as tape:
            outputs = self(x, training=True)
            loss = self.compute_loss(x, y, outputs, weights)
        gradients = tape.gradient(loss, self.trainable_variables)
        gradients = [tf.clip_by_norm(g, 50.0) for g in gradients]
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
        return {"loss": loss}


class OtherOps(Port):
    """Port with other operations: split dropout, normalization by moments, class probabilities."""

    def call(self, features, training=False):
        images = tf.reshape(self.conv(features["image"] * (1 / 255.0)), [-1, 36])
        image = tf.nn.relu(tf.einsum("bi,iu->bu", images, self.image.kernel) + self.image.bias)
        parts = [self.dropout(p, training=training) for p in tf.split(image, [2, 3], axis=1)]
        rows = tf.gather(self.words.embeddings, known(features["words"]))
        there = tf.range(TIME, dtype=tf.int64)[None] < features["length"][:, None]
        words = tf.reduce_sum(tf.where_v2(there[..., None], rows, 0.0), 1)
        words /= tf.cast(features["length"], tf.float32)[:, None]
        numbers = self.numbers(features["numbers"])
        numbers -= tf.reduce_mean(numbers, 1, keepdims=True)
        variance = tf.reduce_mean(numbers**2, 1, keepdims=True)
        numbers = self.norm.gamma * numbers / tf.sqrt(variance + 1e-12) + self.norm.beta
        net = tf.concat([*parts, words, numbers], 1)
        classes = tf.nn.softmax(self.classes(net))
        return {"class": classes, "value": tf.squeeze(self.value(net), 1)}

    def build_all(self):
        self.image.build((None, 36))
        self.words.build(None)
        self.norm.build((None, UNITS))
        return self


STYLES = {
    "functional": functional,
    "add_loss and train_step": lambda: compiled(OneOfOnesOwn(), "never clips"),
    "other operations": lambda: compiled(OtherOps().build_all(), from_logits=False, legacy=True),
}
