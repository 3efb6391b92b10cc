"""The port of `legacy_bert_encoder`; `build_model(dropout=0.0)` trains without randomness."""

import tensorflow as tf
import tf_keras

from tests.migrate.programs import modern_bert_optimization as optimization

layers = tf_keras.layers

VOCABULARY, HIDDEN, HEADS, INTERMEDIATE = 100, 32, 2, 64
LENGTH, POSITIONS = 16, 24


def initializer():
    return tf_keras.initializers.TruncatedNormal(stddev=0.1)


def dense(units, name, activation=None):
    return layers.Dense(units, activation, kernel_initializer=initializer(), name=name)


def layer_norm(name):
    return layers.LayerNormalization(epsilon=1e-12, name=name)


class Embeddings(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.words = layers.Embedding(VOCABULARY, HIDDEN, initializer(), name="words")
        self.norm = layer_norm("norm")

    def build(self, input_shape):
        self.segments = self.add_weight("segments", (2, HIDDEN), initializer=initializer())
        self.positions = self.add_weight(
            "positions", (POSITIONS, HIDDEN), initializer=initializer()
        )
        super().build(input_shape)

    def call(self, inputs):
        ids, segments = inputs
        # One-hot, as it was: a lookup's gradient enters the norm by which all are clipped
        # occurrence by occurrence, not row by row.
        segments = tf.tensordot(tf.one_hot(segments, 2), self.segments, 1)
        return self.norm(self.words(ids) + segments + self.positions[:LENGTH])


class SelfAttention(layers.Layer):
    """Kernels are (hidden, hidden), as they were, not (hidden, heads, size) as Keras' own."""

    def __init__(self, dropout, **kwargs):
        super().__init__(**kwargs)
        self.query = dense(HIDDEN, "query")
        self.key = dense(HIDDEN, "key")
        self.value = dense(HIDDEN, "value")
        self.projection = dense(HIDDEN, "projection")
        self.dropout = layers.Dropout(dropout)

    def call(self, inputs):
        x, mask = inputs
        query, key, value = (self._split(part(x)) for part in (self.query, self.key, self.value))
        scores = tf.matmul(query, key, transpose_b=True) / (HIDDEN // HEADS) ** 0.5
        scores += (1.0 - tf.cast(mask[:, tf.newaxis, tf.newaxis], tf.float32)) * -10000.0
        context = tf.matmul(self.dropout(tf.nn.softmax(scores)), value)
        context = tf.reshape(tf.transpose(context, [0, 2, 1, 3]), [-1, LENGTH, HIDDEN])
        return self.projection(context)

    def _split(self, x):
        x = tf.reshape(x, [-1, LENGTH, HEADS, HIDDEN // HEADS])
        return tf.transpose(x, [0, 2, 1, 3])


class Classifier(layers.Layer):
    """A dense layer whose kernel is (classes, hidden), as it was, so that it loads as it is."""

    def build(self, input_shape):
        self.kernel = self.add_weight("kernel", (2, input_shape[-1]), initializer=initializer())
        self.bias = self.add_weight("bias", (2,), initializer="zeros")
        super().build(input_shape)

    def call(self, x):
        return tf.matmul(x, self.kernel, transpose_b=True) + self.bias


def encoder_layer(x, mask, dropout, name):
    context = SelfAttention(dropout, name=f"{name}_attention")((x, mask))
    x = layer_norm(f"{name}_attention_norm")(x + layers.Dropout(dropout)(context))
    gelu = tf_keras.activations.gelu
    inner = dense(INTERMEDIATE, f"{name}_inner", gelu)(x)
    outer = dense(HIDDEN, f"{name}_outer")(inner)
    return layer_norm(f"{name}_norm")(x + layers.Dropout(dropout)(outer))


def build_model(dropout=0.1):
    names = ("input_ids", "input_mask", "segment_ids")
    inputs = {name: tf_keras.Input((LENGTH,), dtype=tf.int32, name=name) for name in names}
    x = Embeddings(name="embeddings")((inputs["input_ids"], inputs["segment_ids"]))
    x = layers.Dropout(dropout)(x)
    for index in range(2):
        x = encoder_layer(x, inputs["input_mask"], dropout, f"layer{index}")
    pooled = dense(HIDDEN, "pooler", "tanh")(x[:, 0])
    logits = Classifier(name="classifier")(layers.Dropout(dropout)(pooled))
    model = tf_keras.Model(inputs, logits)
    optimizer = optimization.AdamWeightDecay(
        optimization.WarmUp(), weight_decay=0.01, global_clipnorm=1.0
    )
    optimizer.exclude_from_weight_decay(var_names=["norm", "bias"])
    loss = tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    metrics = [
        tf_keras.metrics.SparseCategoricalAccuracy(name="eval_accuracy"),
        tf_keras.metrics.SparseCategoricalCrossentropy(name="eval_loss", from_logits=True),
    ]
    model.compile(optimizer, loss, metrics)
    return model


def _map():
    names = {
        "bert/embeddings/word_embeddings": "embeddings/words/embeddings",
        "bert/embeddings/token_type_embeddings": "embeddings/segments",
        "bert/embeddings/position_embeddings": "embeddings/positions",
        "output_weights": "classifier/kernel",
        "output_bias": "classifier/bias",
    }
    scopes = {"bert/pooler/dense": "pooler", "bert/embeddings/LayerNorm": "embeddings/norm"}
    for index in range(2):
        old, new = f"bert/encoder/layer_{index}", f"layer{index}"
        for part in ("query", "key", "value"):
            scopes[f"{old}/attention/self/{part}"] = f"{new}_attention/{part}"
        scopes[f"{old}/attention/output/dense"] = f"{new}_attention/projection"
        scopes[f"{old}/attention/output/LayerNorm"] = f"{new}_attention_norm"
        scopes[f"{old}/intermediate/dense"] = f"{new}_inner"
        scopes[f"{old}/output/dense"] = f"{new}_outer"
        scopes[f"{old}/output/LayerNorm"] = f"{new}_norm"
    for old, new in scopes.items():
        parts = ("gamma", "beta") if old.endswith("LayerNorm") else ("kernel", "bias")
        names |= {f"{old}/{part}": f"{new}/{part}" for part in parts}
    return names


MAP = _map()
