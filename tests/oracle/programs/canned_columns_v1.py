"""Feature columns as the v1 API alone made them: a shared embedding among others.

Not in a wide and deep model: where its sides share it, two optimizers race for it.
"""

from tests.oracle import canned_inputs as inputs

APIS = ("v1",)


def run(estimator, folder):
    input_fn = inputs.input_fn(inputs.binary())
    models = {
        "linear": estimator.LinearClassifier(
            inputs.categorical("id") + inputs.shared_v1(),
            config=inputs.config(estimator, folder + "/linear"),
        ),
        "dnn": estimator.DNNClassifier(
            [3],
            inputs.dense() + inputs.shared_v1(),
            config=inputs.config(estimator, folder + "/dnn"),
        ),
    }
    found = {}
    for name, model in models.items():
        found[name] = inputs.three_more_steps(model, input_fn)
        found[name]["summaries"] = inputs.summary_tags(model.model_dir)
        found[name]["graph"] = inputs.graph_variables(model.model_dir)
    return found
