"""Premade columns and classifier on a CSV file: export, predictor, a plain session."""

import argparse
import json
import sys

import tensorflow as tf
from tensorflow.contrib import predictor
from tensorflow.python.estimator.inputs import numpy_io  # noqa: F401 - as programs have it

DEFAULTS = [[0], ["none"], [""], [""]]
NAMES = ["age", "work", "job", "income"]


def write(path, rows):
    with open(path, "w") as file:
        file.write("# made\n")
        for i in range(rows):
            age = 20 + (i * 7) % 45
            row = [age, ["own", "state", "firm"][i % 3], f"job{i % 4}", age > 40]
            file.write(",".join(map(str, row)) + "\n")


def input_fn(path, epochs):
    def parse(line):
        features = dict(zip(NAMES, tf.decode_csv(line, DEFAULTS)))  # noqa: B905
        return features, tf.equal(features.pop("income"), "True")

    lines = tf.data.TextLineDataset(path).skip(1).map(parse, num_parallel_calls=2)
    dataset = lines.repeat(epochs).batch(8)
    return dataset.make_one_shot_iterator().get_next()


def columns():
    age = tf.feature_column.numeric_column("age", normalizer_fn=lambda x: tf.to_float(x) / 50)
    ages = tf.feature_column.bucketized_column(tf.feature_column.numeric_column("age"), [30, 45])
    work = tf.feature_column.categorical_column_with_vocabulary_list("work", ["own", "state"])
    job = tf.feature_column.categorical_column_with_hash_bucket("job", 6)
    wide = [work, ages, tf.feature_column.crossed_column(["work", "job"], 5)]
    deep = [age, tf.feature_column.indicator_column(work)]
    start = tf.constant_initializer(0.1)
    deep.append(tf.feature_column.embedding_column(job, 2, initializer=start))
    return wide, deep


def classifier(model_dir):
    wide, deep = columns()
    return tf.estimator.DNNLinearCombinedClassifier(
        model_dir,
        linear_feature_columns=wide,
        dnn_feature_columns=deep,
        dnn_hidden_units=[3],
        dnn_optimizer=tf.train.ProximalAdagradOptimizer(0.1, l1_regularization_strength=0.001),
        linear_optimizer="Ftrl",
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model_dir")
    known, rest = parser.parse_known_args()
    assert not rest
    assert tf.VERSION.startswith("1.")
    assert tf.__version__ < "2"
    write("train.csv", 40)
    model = classifier(known.model_dir)
    model.train(lambda: input_fn("train.csv", None), steps=6)
    results = model.evaluate(lambda: input_fn("train.csv", 1))
    print(json.dumps([sorted(results), int(results["global_step"])]))
    person = next(model.predict(lambda: input_fn("train.csv", 1)))
    print(
        json.dumps(sorted((name, value.shape, str(value.dtype)) for name, value in person.items()))
    )

    spec = tf.feature_column.make_parse_example_spec(sum(columns(), []))
    receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    path = model.export_savedmodel("export", receiver).decode()
    with tf.Session(graph=tf.Graph()) as session:
        loaded = tf.saved_model.loader.load(session, ["serve"], path)
        print(
            json.dumps(
                [
                    [
                        key,
                        definition.method_name,
                        sorted(definition.inputs),
                        sorted(definition.outputs),
                    ]
                    for key, definition in sorted(loaded.signature_def.items())
                ]
            )
        )
    example = tf.train.Example()
    example.features.feature["age"].float_list.value.append(50)
    example.features.feature["work"].bytes_list.value.append(b"own")
    example.features.feature["job"].bytes_list.value.append(b"job1")
    serve = predictor.from_saved_model(path, signature_def_key="predict")
    served = serve({"examples": [example.SerializeToString()]})
    print(json.dumps({name: list(value.shape) for name, value in sorted(served.items())}))


if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.ERROR)
    sys.exit(main())
