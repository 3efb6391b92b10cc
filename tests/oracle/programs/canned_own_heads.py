"""Canned estimators with a head of one's own; those of the v1 API refuse the v2 API's heads."""

from tests.oracle import canned_inputs as inputs
from tests.oracle import facts

APIS = ("v1", "v2")


def run(estimator, folder):
    def config(name):
        return inputs.config(estimator, folder + name)

    input_fn = inputs.input_fn(inputs.binary())
    linear = estimator.LinearEstimator(
        estimator.BinaryClassHead(), inputs.small(), optimizer="SGD", config=config("/linear")
    )
    dnn = estimator.DNNEstimator(
        estimator.BinaryClassHead(),
        [3],
        inputs.small_dense(),
        optimizer="SGD",
        config=config("/dnn"),
    )
    both = estimator.DNNLinearCombinedEstimator(
        estimator.RegressionHead(2),
        linear_feature_columns=inputs.small(),
        dnn_feature_columns=inputs.small_dense(),
        dnn_hidden_units=[3],
        linear_optimizer="Adam",
        dnn_optimizer="Adam",
        config=config("/both"),
    )
    found = {
        "both": inputs.three_more_steps(both, inputs.input_fn(inputs.two_numbers())),
    }
    for name, model in (("linear", linear), ("dnn", dnn)):
        kind, text = facts.error(model.train, input_fn, steps=1) or (None, None)
        found[name] = {"type": kind, "text~": text}
        if kind is None:
            found[name]["variables"] = facts.variables(model.model_dir)
    return found
