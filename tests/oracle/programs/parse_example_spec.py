"""classifier_parse_example_spec and regressor_parse_example_spec, with their errors."""

import tensorflow as tf

from tests.oracle import facts

APIS = ("v1", "v2")


def _columns():
    column = tf.feature_column
    age = column.numeric_column("age", shape=[2], default_value=3.0)
    words = column.categorical_column_with_hash_bucket("words", 10)
    crossed = column.crossed_column(
        ["a", column.bucketized_column(column.numeric_column("b"), [1.0, 2.0])], 5
    )
    weighted = column.weighted_categorical_column(
        column.categorical_column_with_identity("c", 3), "c_weight"
    )
    return [
        age,
        column.embedding_column(words, 2),
        column.indicator_column(crossed),
        weighted,
    ]


def _shown(spec):
    return {
        key: [type(value).__name__]
        + [facts.plain(getattr(value, part, None)) for part in ("shape", "default_value")]
        + [value.dtype.name]
        for key, value in spec.items()
    }


def run(estimator, folder):
    del folder
    classifier = estimator.classifier_parse_example_spec
    regressor = estimator.regressor_parse_example_spec
    columns = _columns()
    weight = tf.feature_column.numeric_column("w", shape=[1], default_value=2.0)
    return {
        "classifier": _shown(classifier(columns, "y")),
        "classifier_strings": _shown(
            classifier(columns, "y", tf.string, label_default="no", weight_column="w")
        ),
        "order": list(classifier(columns, "y", weight_column="w"))[-2:],
        "regressor": _shown(regressor(columns, "y", label_dimension=3, weight_column=weight)),
        "regressor_default": _shown(regressor(columns, "y", tf.float64, 1.5)),
        "no_columns": _shown(regressor([], "y")),
        "sequence": facts.error(classifier, [tf.feature_column.sequence_numeric_column("s")], "y")
        is None,
        "no_key": _shown({str(k): v for k, v in classifier(columns, None).items()}),
        "errors": {
            name: facts.error(call, *arguments, **named)[0]
            for name, call, arguments, named in (
                ("label_is_feature", classifier, (columns, "age"), {}),
                ("weight_is_feature", regressor, (columns, "y"), {"weight_column": "age"}),
                ("weight_is_label", regressor, (columns, "y"), {"weight_column": "y"}),
                ("weight_type", classifier, (columns, "y"), {"weight_column": 3}),
                ("weight_column_type", classifier, (columns, "y"), {"weight_column": columns[3]}),
                ("not_a_column", classifier, (["age"], "y"), {}),
                ("one_column", classifier, (columns[0], "y"), {}),
            )
        },
    }
