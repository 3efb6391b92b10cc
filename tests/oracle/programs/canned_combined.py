"""Wide and deep: three classes by name, each side with its optimizer."""

from tests.oracle import canned_inputs as inputs
from tests.oracle import facts

APIS = ("v1", "v2")


def run(estimator, folder):
    classifier = estimator.DNNLinearCombinedClassifier(
        linear_feature_columns=inputs.categorical(),
        dnn_feature_columns=inputs.small_dense(),
        dnn_hidden_units=[4, 3],
        n_classes=3,
        label_vocabulary=["no", "maybe", "yes"],
        weight_column="importance",
        batch_norm=True,
        linear_sparse_combiner="mean",
        config=inputs.config(estimator, folder),
    )
    input_fn = inputs.input_fn(inputs.three_classes())
    found = facts.ten_more_steps(classifier, input_fn)
    found["summaries"] = inputs.summary_tags(folder)
    predictions = [each for each, _ in zip(classifier.predict(input_fn), range(3))]
    found["predictions"] = facts.plain(predictions)
    return found
