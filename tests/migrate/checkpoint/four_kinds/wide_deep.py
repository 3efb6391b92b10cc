"""Port of `legacy_wide_deep_columns` to Keras 3.

JAX and torch have no strings. So the input pipeline looks up the ids, and not the model.
"""

from modern.optimizers import chosen
from modern.process.chosen_keras import keras

EDUCATION = ["Bachelors", "HS-grad", "Masters", "Doctorate"]
AGE_BOUNDARIES = [20, 30, 40, 50, 60]
SIZES = {
    "age_bucketized": len(AGE_BOUNDARIES) + 1,
    "education": len(EDUCATION),
    "occupation": 40,
    "education_X_occupation": 100,
    "age_bucketized_X_education": 60,
}


def pipeline(dataset):
    """Returns batches of numbers and ids."""
    layers = keras.layers
    age_ids = layers.Discretization(AGE_BOUNDARIES)
    education_ids = layers.StringLookup(vocabulary=EDUCATION, num_oov_indices=0)
    occupation_ids = layers.Hashing(SIZES["occupation"])
    crosses = {name: layers.HashedCrossing(SIZES[name]) for name in SIZES if "_X_" in name}

    def ids(features, label):
        age, education = age_ids(features["age"]), features["education"]
        occupation = features["occupation"]
        x = {
            "hours_per_week": features["hours_per_week"],
            "age_bucketized": age,
            "education": education_ids(education),
            "occupation": occupation_ids(occupation),
            "education_X_occupation": crosses["education_X_occupation"]((education, occupation)),
            "age_bucketized_X_education": crosses["age_bucketized_X_education"]((age, education)),
        }
        return x, label

    return dataset.map(ids)


class Linear(keras.layers.Layer):
    """A weight for each id."""

    def __init__(self, **settings):
        super().__init__(**settings)
        self.tables = [keras.layers.Embedding(size, 1, name=name) for name, size in SIZES.items()]

    def build(self, input_shape):
        self.bias = self.add_weight((1,), name="bias_weights")
        super().build(input_shape)

    def call(self, inputs):
        return sum(table(inputs[table.name]) for table in self.tables) + self.bias


class Deep(keras.layers.Layer):
    """Hidden layers over a number, one-hot ids and an embedding."""

    def __init__(self, **settings):
        super().__init__(**settings)
        layers = keras.layers
        self.occupation = layers.Embedding(SIZES["occupation"], 4, name="occupation_embedding")
        self.hidden = [
            layers.Dense(units, "relu", name=f"hiddenlayer_{index}")
            for index, units in enumerate((16, 8))
        ]
        self.logits = layers.Dense(1, name="logits")

    def call(self, inputs):
        # input_layer sorted the columns by their names.
        parts = [
            keras.ops.one_hot(inputs[name], SIZES[name]) for name in ("age_bucketized", "education")
        ]
        parts.append((inputs["hours_per_week"][:, None] - 40.0) / 12.0)
        parts.append(self.occupation(inputs["occupation"]))
        net = keras.ops.concatenate(parts, 1)
        for layer in self.hidden:
            net = layer(net)
        return self.logits(net)


def build_model(l1=0.001):
    inputs = {name: keras.Input((), dtype="int64", name=name) for name in SIZES}
    inputs["hours_per_week"] = keras.Input((), name="hours_per_week")
    logits = Linear(name="linear")(inputs) + Deep(name="dnn")(inputs)
    model = keras.Model(inputs, logits)
    optimizer = chosen.ByLayer(
        {
            "linear": chosen.Ftrl(0.2, l1_regularization_strength=l1),
            # tf.train's Adagrad adds nothing to the root.
            "dnn": chosen.Adagrad(0.1, epsilon=0.0),
        }
    )
    model.compile(optimizer, keras.losses.BinaryCrossentropy(from_logits=True))
    return model
