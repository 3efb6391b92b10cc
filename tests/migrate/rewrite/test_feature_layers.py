"""Tests for feature columns of each kind as layers: same numbers, and refusals with reasons."""

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.oracle import compare

LAYERS = tools.rule("modern", "feature_layers")
INPUT_LAYERS = tools.rule("modern", "input_layers")
HEAD = """\
import random
import tensorflow as tf
import tf_keras
column = tf.feature_column
"""
# Missing values, values outside the vocabulary or at a boundary, and several values per example.
DATA = """\
with open("words.txt", "w") as file:
    file.write("y\\nx\\nz\\n")
random.seed(3)
letters = [chr(random.randrange(32, 1000)) for _ in range(600)]
features = {
    "a": tf.constant([0.5, 1.0, 1.5, 2.5, 9.0]),
    "count": tf.constant([1, 2, 30, 4, 5]),
    "pair": tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 0.0]]),
    "square": tf.reshape(tf.range(20.0), [5, 2, 2]),
    "word": tf.constant(["x", "y", "", "of no list", "z"]),
    "words": tf.constant([["x", "y"], ["", "x"], ["z", "z"], ["", ""], ["other", "x"]]),
    "id": tf.constant([[0, 1], [2, -1], [3, 3], [-1, -1], [1, 2]], tf.int64),
    "wild": tf.constant([0, 99, -1, 3, -7], tf.int64),
    "year": tf.constant([1990, 2000, -1, 7, 2010], tf.int64),
    "by": tf.constant([[0.5, 1.0], [2.0, 3.0], [1.0, 1.5], [0.5, 0.5], [3.0, 1.0]]),
    "many": tf.constant([letters[:120], letters[120:240], letters[240:360], letters[360:480],
                         letters[480:]]),
    "full": tf.constant([["x", "y"], ["y", "x"], ["z", "z"], ["q", "r"], ["other", "x"]]),
    "other": tf.constant(list("abcde")),
    "word_indicator_": tf.range(5.0),
    "one": tf.constant(["p", "", "q", "r r", "\\u00e9"]),
}
layer = tf_keras.layers.DenseFeatures(columns)
x = layer(features)
"""
LIST = "column.categorical_column_with_vocabulary_list"
KINDS = {
    "numbers": "[column.numeric_column('pair', 2), column.numeric_column('a')]",
    "a matrix": "[column.numeric_column('square', shape=(2, 2), default_value=0.0)]",
    "scaled": "[column.numeric_column('a', normalizer_fn=lambda a: (a - 3.0) / 7.0)]",
    "a number and ids of one feature": (
        "[column.numeric_column('count'), column.indicator_column(\n"
        "    column.categorical_column_with_identity('count', 31))]"
    ),
    "buckets": "column.bucketized_column(column.numeric_column('a'), [1.0, 2.0, 3.5])",
    "buckets of two": (
        "[column.bucketized_column(column.numeric_column('pair', (2,)), boundaries=(2, 5))]"
    ),
    "words": f"[column.indicator_column({LIST}('words', ['x', 'y', 'z']))]",
    "words with a default": (
        f"[column.indicator_column({LIST}('words', ['x', 'y', 'z'], default_value=1))]"
    ),
    "unknown words": (
        f"[column.indicator_column({LIST}('words', ('x', 'y'), num_oov_buckets=3)),\n"
        f" column.embedding_column({LIST}('word', ['z'], num_oov_buckets=1), 1,\n"
        "     initializer=tf.constant_initializer([[0.5], [2.0]]))]"
    ),
    "years": f"[column.indicator_column({LIST}('year', [2000, 1990]))]",
    "words of a file": (
        "[column.indicator_column(column.categorical_column_with_vocabulary_file(\n"
        "    'word', 'words.txt', vocabulary_size=2))]"
    ),
    "hashed words": (
        "[column.indicator_column(column.categorical_column_with_hash_bucket('many', 50))]"
    ),
    "hashed numbers": (
        "[column.indicator_column(column.categorical_column_with_hash_bucket(\n"
        "    'year', 10, dtype=tf.int64))]"
    ),
    "ids": "[column.indicator_column(column.categorical_column_with_identity('id', 4))]",
    "ids with a default": (
        "[column.indicator_column(\n"
        "    column.categorical_column_with_identity('wild', 4, default_value=2))]"
    ),
    "crossed": (
        "[column.indicator_column(column.crossed_column(\n"
        "    ['word', column.bucketized_column(column.numeric_column('a'), [1.0, 2.0]), 'one'],\n"
        "    1000))]"
    ),
    "a cross in a cross": (
        "[column.indicator_column(column.crossed_column(\n"
        "    [column.crossed_column(['word', 'one'], 10), 'other'], 500))]"
    ),
    **{
        f"embedded, {combiner}": (
            "[column.embedding_column(column.categorical_column_with_hash_bucket('words', 3), 2,\n"
            f"    {combiner!r}, tf.constant_initializer([[1., 2.], [3., 5.], [7., 11.]]))]"
        )
        for combiner in ("mean", "sum", "sqrtn")
    },
    "weighted": (
        "[column.embedding_column(column.weighted_categorical_column(\n"
        "    column.categorical_column_with_hash_bucket('full', 3), 'by'), 2,\n"
        "    initializer=tf.constant_initializer([[1., 2.], [3., 5.], [7., 11.]]))]"
    ),
    "the order of names": (
        "[column.numeric_column('word_indicator_'), column.indicator_column(\n"
        f"    {LIST}('word', ['x'])), column.numeric_column('a')]"
    ),
}


def test_layers_give_the_numbers_of_the_columns():
    before, after = [f"{HEAD}columns = {columns}\n{DATA}" for columns in KINDS.values()], []
    for program in before:
        outcome = fixed_point.rewrite(program, LAYERS, plan=tools.plan(api="v2"), unsafe=True)
        assert "DenseFeatures" not in outcome.text, outcome.suggestions
        assert "column." not in outcome.text.partition("\n\n\n")[2]
        after.append(outcome.text)
    expected, found = tools.run(before, "eager"), tools.run(after, "eager")
    for kind, one, other in zip(KINDS, expected, found, strict=True):
        assert "x" in one, (kind, one)
        assert compare.differences(one, other) == [], kind


def test_columns_with_variables_stay_in_a_program_with_a_model_fn():
    text = """\
        import tensorflow.compat.v1 as tf
        def network(features):
            words = tf.feature_column.categorical_column_with_hash_bucket("w", 9)
            table = tf.feature_column.embedding_column(words, 2)
            return tf.feature_column.input_layer(features, [table])
    """
    outcome = tools.check_noop(
        text, INPUT_LAYERS, unsafe=True, names=("tf.estimator.EstimatorSpec",)
    )
    assert "model_fn" in outcome.suggestions[0].reason
