"""A deep regressor with linear layers and dropout, which is there in training only."""

from tests.oracle import canned_inputs as inputs
from tests.oracle import facts

APIS = ("v1", "v2")


def run(estimator, folder):
    model = estimator.DNNRegressor(
        [3, 2],
        inputs.small_dense(),
        label_dimension=2,
        optimizer="RMSProp",
        activation_fn=None,
        dropout=0.5,
        config=inputs.config(estimator, folder),
    )
    input_fn = inputs.input_fn(inputs.two_numbers())
    model.train(input_fn, steps=1)
    facts.fix_weights(folder)
    return {
        "variables": facts.variables(folder),
        "metrics": facts.plain(model.evaluate(input_fn, steps=3)),
        "summaries": inputs.summary_tags(folder),
        "names": model.get_variable_names(),
    }
