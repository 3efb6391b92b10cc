"""The port of `legacy_wide_deep_columns`: preprocessing layers, and an optimizer for each part."""

import tensorflow as tf
import tf_keras

from modern.optimizers import combined

layers = tf_keras.layers

EDUCATION = ["Bachelors", "HS-grad", "Masters", "Doctorate"]
AGE_BOUNDARIES = [20, 30, 40, 50, 60]
SIZES = {
    "age": len(AGE_BOUNDARIES) + 1,
    "education": len(EDUCATION),
    "occupation": 40,
    "education_occupation": 100,
    "age_education": 60,
}


def build_ids(columns):
    """From raw columns (batch, 1) to ids (batch, 1), the same as the feature columns'.

    Hashing and HashedCrossing hash as the columns did. There the vocabulary dropped unknown words
    and all columns dropped empty ones; the data has neither, and the lookup refuses them.
    """
    age = layers.Discretization(AGE_BOUNDARIES)(columns["age"])
    education, occupation = columns["education"], columns["occupation"]
    cross_education = layers.HashedCrossing(SIZES["education_occupation"])
    cross_age = layers.HashedCrossing(SIZES["age_education"])
    return {
        "age": age,
        "education": layers.StringLookup(vocabulary=EDUCATION, num_oov_indices=0)(education),
        "occupation": layers.Hashing(SIZES["occupation"])(occupation),
        "education_occupation": cross_education([education, occupation]),
        "age_education": cross_age([age, education]),
    }


class Wide(layers.Layer):
    """A weight for each id, looked up: Ftrl must not touch the rows that a batch has not."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.tables = {
            name: layers.Embedding(size, 1, "zeros", name=name) for name, size in SIZES.items()
        }

    def build(self, input_shape):
        self.bias = self.add_weight("bias", (1,), initializer="zeros")
        super().build(input_shape)

    def call(self, ids):
        return tf.add_n([table(ids[name])[:, 0] for name, table in self.tables.items()]) + self.bias


class Deep(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.occupation = layers.Embedding(
            SIZES["occupation"],
            4,
            tf_keras.initializers.TruncatedNormal(stddev=4**-0.5),
            name="occupation",
        )
        self.hidden = [
            layers.Dense(16, "relu", name="hidden_0"),
            layers.Dense(8, "relu", name="hidden_1"),
        ]
        self.logits = layers.Dense(1, name="logits")

    def call(self, inputs):
        hours, ids = inputs
        # The order of input_layer: by the columns' names.
        x = tf.concat(
            [
                tf.one_hot(ids["age"][:, 0], SIZES["age"]),
                tf.one_hot(ids["education"][:, 0], SIZES["education"]),
                (hours - 40.0) / 12.0,
                self.occupation(ids["occupation"])[:, 0],
            ],
            axis=1,
        )
        for layer in self.hidden:
            x = layer(x)
        return self.logits(x)


def build_model():
    inputs = {
        "age": tf_keras.Input((), name="age"),
        "hours_per_week": tf_keras.Input((), name="hours_per_week"),
        "education": tf_keras.Input((), name="education", dtype=tf.string),
        "occupation": tf_keras.Input((), name="occupation", dtype=tf.string),
    }
    columns = {name: tf.expand_dims(column, 1) for name, column in inputs.items()}
    ids = build_ids(columns)
    logits = Wide(name="wide")(ids) + Deep(name="deep")((columns["hours_per_week"], ids))
    model = tf_keras.Model(inputs, logits)
    model.compile(
        optimizer=combined.ByLayer(
            {
                "wide": tf_keras.optimizers.legacy.Ftrl(0.2, l1_regularization_strength=0.001),
                "deep": tf_keras.optimizers.legacy.Adagrad(0.1),
            }
        ),
        loss=tf_keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=[
            tf_keras.metrics.BinaryAccuracy(name="accuracy", threshold=0.0),
            tf_keras.metrics.AUC(name="auc", from_logits=True),
        ],
    )
    return model


MAP = {
    "linear/linear_model/age_bucketized/weights": "wide/age/embeddings",
    "linear/linear_model/education/weights": "wide/education/embeddings",
    "linear/linear_model/occupation/weights": "wide/occupation/embeddings",
    "linear/linear_model/education_X_occupation/weights": "wide/education_occupation/embeddings",
    "linear/linear_model/age_bucketized_X_education/weights": "wide/age_education/embeddings",
    "linear/linear_model/bias_weights": "wide/bias",
    "dnn/input_layer/occupation_embedding/embedding_weights": "deep/occupation/embeddings",
    "dnn/hiddenlayer_0/kernel": "deep/hidden_0/kernel",
    "dnn/hiddenlayer_0/bias": "deep/hidden_0/bias",
    "dnn/hiddenlayer_1/kernel": "deep/hidden_1/kernel",
    "dnn/hiddenlayer_1/bias": "deep/hidden_1/bias",
    "dnn/logits/kernel": "deep/logits/kernel",
    "dnn/logits/bias": "deep/logits/bias",
}
