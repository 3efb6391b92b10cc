"""Linear classifiers behind columns of all kinds, and with a combiner."""

from tests.oracle import canned_inputs as inputs
from tests.oracle import facts

APIS = ("v1", "v2")


def run(estimator, folder):
    binary = estimator.LinearClassifier(
        inputs.categorical() + inputs.small_dense(),
        weight_column="importance",
        sparse_combiner="sqrtn",
        config=inputs.config(estimator, folder + "/binary"),
    )
    input_fn = inputs.input_fn(inputs.binary())
    found = facts.ten_more_steps(binary, input_fn)
    found["summaries"] = inputs.summary_tags(binary.model_dir)
    predictions = [each for each, _ in zip(binary.predict(input_fn), range(5))]
    found["predictions"] = facts.plain(predictions)
    scalars = facts.scalars(binary.model_dir)
    # A race, in the original too: the summary reads the bias before or after the step's update.
    for tag in ("linear/bias", "bias"):
        scalars.pop(tag, None)
    found["scalars"] = {tag: [p for p in scalars[tag] if p[0] > 1] for tag in scalars}
    return found
