"""A deep regressor of two numbers behind columns of all dense kinds."""

from tests.oracle import canned_inputs as inputs
from tests.oracle import facts

APIS = ("v1", "v2")


def run(estimator, folder):
    regressor = estimator.DNNRegressor(
        [4],
        inputs.dense() + inputs.shared(),
        label_dimension=2,
        optimizer="Ftrl",
        config=inputs.config(estimator, folder),
    )
    found = facts.ten_more_steps(regressor, inputs.input_fn(inputs.two_numbers()))
    found["summaries"] = inputs.summary_tags(folder)
    return found
