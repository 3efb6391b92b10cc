"""Port of `legacy_bert_encoder` to Keras 3. Its layers have the names of the old scopes."""

from modern.optimizers import classic_keras3
from modern.process.chosen_keras import keras

VOCABULARY, HIDDEN, HEADS, INTERMEDIATE = 100, 32, 2, 64
LENGTH, POSITIONS = 16, 24
LEARNING_RATE, TRAIN_STEPS, WARMUP_STEPS = 2e-3, 100, 4
NOT_DECAYED = ("LayerNorm", "layer_norm", "bias")

ops = keras.ops


def pipeline(dataset):
    return dataset


def dense(units, name="dense", activation=None):
    return keras.layers.Dense(units, activation, name=name)


def layer_norm():
    return keras.layers.LayerNormalization(epsilon=1e-12, name="LayerNorm")


class Embeddings(keras.layers.Layer):
    def build(self, input_shape):
        self.words = self.add_weight((VOCABULARY, HIDDEN), name="word_embeddings")
        self.types = self.add_weight((2, HIDDEN), name="token_type_embeddings")
        self.positions = self.add_weight((POSITIONS, HIDDEN), name="position_embeddings")
        self.norm = layer_norm()
        super().build(input_shape)

    def call(self, ids, types):
        net = ops.matmul(ops.one_hot(ids, VOCABULARY), self.words)
        net += ops.matmul(ops.one_hot(types, 2), self.types)
        return self.norm(net + self.positions[:LENGTH])


class SelfAttention(keras.layers.Layer):
    def __init__(self, **settings):
        super().__init__(**settings)
        self.parts = [dense(HIDDEN, name) for name in ("query", "key", "value")]

    def call(self, net, mask):
        query, key, value = (self.split(part(net)) for part in self.parts)
        scores = ops.matmul(query, ops.transpose(key, (0, 1, 3, 2))) / (HIDDEN // HEADS) ** 0.5
        scores += (1.0 - ops.cast(mask[:, None, None], "float32")) * -10000.0
        context = ops.transpose(ops.matmul(ops.softmax(scores), value), (0, 2, 1, 3))
        return ops.reshape(context, (-1, LENGTH, HIDDEN))

    def split(self, net):
        net = ops.reshape(net, (-1, LENGTH, HEADS, HIDDEN // HEADS))
        return ops.transpose(net, (0, 2, 1, 3))


class Residual(keras.layers.Layer):
    """A dense layer, the sum with its input, and a normalization."""

    def __init__(self, **settings):
        super().__init__(**settings)
        self.dense, self.norm = dense(HIDDEN), layer_norm()

    def call(self, net, shortcut):
        return self.norm(shortcut + self.dense(net))


class Attention(keras.layers.Layer):
    def __init__(self, **settings):
        super().__init__(**settings)
        self.attention, self.residual = SelfAttention(name="self"), Residual(name="output")

    def call(self, net, mask):
        return self.residual(self.attention(net, mask), net)


class Inner(keras.layers.Layer):
    """A dense layer in a scope of its own."""

    def __init__(self, units, activation, **settings):
        super().__init__(**settings)
        self.dense = dense(units, activation=activation)

    def call(self, net):
        return self.dense(net)


class EncoderLayer(keras.layers.Layer):
    def __init__(self, **settings):
        super().__init__(**settings)
        self.attention = Attention(name="attention")
        self.inner = Inner(INTERMEDIATE, keras.activations.gelu, name="intermediate")
        self.residual = Residual(name="output")

    def call(self, net, mask):
        net = self.attention(net, mask)
        return self.residual(self.inner(net), net)


class Encoder(keras.layers.Layer):
    def __init__(self, **settings):
        super().__init__(**settings)
        self.blocks = [EncoderLayer(name=f"layer_{index}") for index in range(2)]

    def call(self, net, mask):
        for block in self.blocks:
            net = block(net, mask)
        return net


class Bert(keras.layers.Layer):
    def __init__(self, **settings):
        super().__init__(**settings)
        self.embeddings = Embeddings(name="embeddings")
        self.encoder = Encoder(name="encoder")
        self.pooler = Inner(HIDDEN, "tanh", name="pooler")

    def call(self, ids, types, mask):
        return self.pooler(self.encoder(self.embeddings(ids, types), mask)[:, 0])


class Classifier(keras.layers.Layer):
    def build(self, input_shape):
        self.kernel = self.add_weight((2, HIDDEN), name="output_weights")
        self.bias = self.add_weight((2,), name="output_bias")
        super().build(input_shape)

    def call(self, net):
        return ops.matmul(net, ops.transpose(self.kernel)) + self.bias


class WarmUp(keras.optimizers.schedules.LearningRateSchedule):
    """A linear decay from the first step on, except for a few steps in which the rate rises."""

    def __call__(self, step):
        step = ops.cast(step, "float32")
        decayed = LEARNING_RATE * (1.0 - ops.minimum(step, TRAIN_STEPS) / TRAIN_STEPS)
        return ops.where(step < WARMUP_STEPS, LEARNING_RATE * step / WARMUP_STEPS, decayed)

    def get_config(self):
        return {}


def build_model(not_decayed=NOT_DECAYED):
    names = ("input_ids", "segment_ids", "input_mask")
    inputs = {name: keras.Input((LENGTH,), dtype="int32", name=name) for name in names}
    pooled = Bert(name="bert")(*(inputs[name] for name in names))
    model = keras.Model(inputs, Classifier(name="classifier")(pooled))
    optimizer = classic_keras3.AdamWeightDecay(
        WarmUp(), weight_decay=0.01, not_decayed=not_decayed, global_clipnorm=1.0
    )
    model.compile(optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model
