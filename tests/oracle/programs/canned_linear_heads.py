"""Linear models of several logits: classes by name, and numbers."""

from tests.oracle import canned_inputs as inputs
from tests.oracle import facts

APIS = ("v1", "v2")


def run(estimator, folder):
    def config(name):
        return inputs.config(estimator, folder + name)

    classes = estimator.LinearClassifier(
        inputs.small(),
        n_classes=3,
        label_vocabulary=["no", "maybe", "yes"],
        optimizer=None,
        config=config("/classes"),
    )
    numbers = estimator.LinearRegressor(
        inputs.small(),
        label_dimension=2,
        optimizer="Adam",
        sparse_combiner="mean",
        config=config("/numbers"),
    )
    return {
        "classes": facts.ten_more_steps(classes, inputs.input_fn(inputs.three_classes())),
        "numbers": facts.ten_more_steps(numbers, inputs.input_fn(inputs.two_numbers())),
    }
