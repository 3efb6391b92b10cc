"""Wide and deep models of which only one side is there."""

from tests.oracle import canned_inputs as inputs

APIS = ("v1", "v2")


def run(estimator, folder):
    input_fn = inputs.input_fn(inputs.two_numbers())
    wide = estimator.DNNLinearCombinedRegressor(
        linear_feature_columns=inputs.small(),
        linear_optimizer="Adagrad",
        label_dimension=2,
        config=inputs.config(estimator, folder + "/wide"),
    )
    deep = estimator.DNNLinearCombinedRegressor(
        dnn_feature_columns=inputs.small_dense(),
        dnn_hidden_units=[3],
        dnn_optimizer="Adam",
        label_dimension=2,
        config=inputs.config(estimator, folder + "/deep"),
    )
    models = {"wide": wide, "deep": deep}
    return {name: inputs.three_more_steps(model, input_fn) for name, model in models.items()}
