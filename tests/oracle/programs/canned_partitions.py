"""Variables that a partitioner cuts, and the names of their slots."""

import tensorflow as tf

from tests.oracle import canned_inputs as inputs
from tests.oracle import facts

APIS = ("v1",)

tf1 = tf.compat.v1


def run(estimator, folder):
    def config(name):
        return inputs.config(estimator, folder + name)

    two = tf1.fixed_size_partitioner(2)
    input_fn = inputs.input_fn(inputs.binary())
    models = {
        "linear": estimator.LinearClassifier(
            inputs.small(), partitioner=two, config=config("/linear")
        ),
        "dnn": estimator.DNNClassifier(
            [3], inputs.small_dense(), input_layer_partitioner=two, config=config("/dnn")
        ),
        "combined": estimator.DNNLinearCombinedClassifier(
            linear_feature_columns=inputs.small(),
            dnn_feature_columns=inputs.small_dense(),
            dnn_hidden_units=[3],
            input_layer_partitioner=two,
            config=config("/combined"),
        ),
    }
    found = {}
    for name, model in models.items():
        model.train(input_fn, steps=1)
        found[name] = {
            "variables": facts.variables(model.model_dir),
            "slices": inputs.graph_variables(model.model_dir),
        }
    return found
