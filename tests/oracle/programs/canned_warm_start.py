"""Canned estimators that begin with another's weights."""

import tensorflow as tf

from tests.oracle import canned_inputs as inputs
from tests.oracle import facts

APIS = ("v1", "v2")


def run(estimator, folder):
    input_fn = inputs.input_fn(inputs.binary())

    def model(name, columns, **kwargs):
        return estimator.DNNLinearCombinedClassifier(
            linear_feature_columns=columns,
            linear_optimizer="SGD",
            dnn_feature_columns=[tf.feature_column.embedding_column(columns[1], 2)],
            dnn_hidden_units=[2],
            dnn_optimizer="SGD",
            config=inputs.config(estimator, folder + name),
            **kwargs,
        )

    first = model("/first", inputs.small())
    first.train(input_fn, steps=1)
    facts.fix_weights(first.model_dir)
    again = model("/again", inputs.small(), warm_start_from=first.model_dir)
    again.train(input_fn, steps=2)
    found = {"again": facts.values(again.model_dir)}

    before, after = folder + "/before.txt", folder + "/after.txt"
    for path, words in ((before, "abc"), (after, "ca")):
        with open(path, "w") as file:
            file.write("\n".join(words) + "\n")
    name = "linear/linear_model/word/weights"
    settings = estimator.WarmStartSettings(
        first.model_dir,
        vars_to_warm_start=".*(word|logits).*",
        var_name_to_vocab_info={
            name: estimator.VocabInfo(after, 2, 0, before, 3, tf.compat.v1.zeros_initializer())
        },
    )
    number, _ = inputs.small()
    word = tf.feature_column.categorical_column_with_vocabulary_file("word", after, 2)
    remapped = estimator.LinearClassifier(
        [number, word],
        optimizer="SGD",
        config=inputs.config(estimator, folder + "/remapped"),
        warm_start_from=settings._replace(vars_to_warm_start=".*word.*"),
    )
    remapped.train(input_fn, steps=1)
    found["remapped"] = facts.values(remapped.model_dir)
    found["metrics"] = facts.plain(remapped.evaluate(input_fn, steps=2))
    return found
