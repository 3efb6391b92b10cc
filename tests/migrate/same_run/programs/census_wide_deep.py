"""Wide and deep on records of people, from a CSV file; after the official models of 2018."""
import os
import shutil
import sys

import numpy as np
import tensorflow as tf

_CSV_COLUMNS = ["age", "education", "occupation", "hours", "income"]
_CSV_COLUMN_DEFAULTS = [[0], [""], [""], [0], [""]]

flags = tf.app.flags
flags.DEFINE_string("model_dir", "census_model", "Base directory for the model.")
flags.DEFINE_string("model_type", "wide_deep", "{'wide', 'deep', 'wide_deep'}.")
flags.DEFINE_integer("train_epochs", 2, "Number of training epochs.")
flags.DEFINE_integer("epochs_per_eval", 1, "Epochs between evaluations.")
flags.DEFINE_integer("batch_size", 16, "Number of examples per batch.")
FLAGS = flags.FLAGS


def build_model_columns():
    age = tf.feature_column.numeric_column("age")
    hours = tf.feature_column.numeric_column("hours")
    education = tf.feature_column.categorical_column_with_vocabulary_list(
        "education", ["Bachelors", "HS-grad", "Masters"])
    occupation = tf.feature_column.categorical_column_with_hash_bucket(
        "occupation", hash_bucket_size=20)
    age_buckets = tf.feature_column.bucketized_column(age, boundaries=[25, 35, 45, 55])
    base_columns = [education, occupation, age_buckets]
    crossed_columns = [
        tf.feature_column.crossed_column(["education", "occupation"], hash_bucket_size=50),
        tf.feature_column.crossed_column([age_buckets, "education"], hash_bucket_size=50),
    ]
    deep_columns = [
        age, hours,
        tf.feature_column.indicator_column(education),
        tf.feature_column.embedding_column(occupation, dimension=4),
    ]
    return base_columns + crossed_columns, deep_columns


def build_estimator(model_dir, model_type):
    wide_columns, deep_columns = build_model_columns()
    run_config = tf.estimator.RunConfig(tf_random_seed=3).replace(
        session_config=tf.ConfigProto(device_count={"GPU": 0}))
    if model_type == "wide":
        return tf.estimator.LinearClassifier(
            model_dir=model_dir, feature_columns=wide_columns, config=run_config)
    elif model_type == "deep":
        return tf.estimator.DNNClassifier(
            model_dir=model_dir, feature_columns=deep_columns, hidden_units=[8, 4],
            config=run_config)
    else:
        return tf.estimator.DNNLinearCombinedClassifier(
            model_dir=model_dir,
            linear_feature_columns=wide_columns,
            dnn_feature_columns=deep_columns,
            dnn_hidden_units=[8, 4],
            config=run_config)


def input_fn(data_file, num_epochs, batch_size):
    def parse_csv(value):
        columns = tf.decode_csv(value, record_defaults=_CSV_COLUMN_DEFAULTS)
        features = dict(zip(_CSV_COLUMNS, columns))
        labels = features.pop("income")
        return features, tf.equal(labels, ">50K")

    dataset = tf.data.TextLineDataset(data_file)
    dataset = dataset.map(parse_csv, num_parallel_calls=2)
    return dataset.repeat(num_epochs).batch(batch_size)


def write_data(path):
    random = np.random.RandomState(2)
    with open(path, "w") as f:
        for _ in range(100):
            age = random.randint(18, 70)
            education = random.choice(["Bachelors", "HS-grad", "Masters", "11th"])
            occupation = random.choice(["Sales", "Tech-support", "Craft-repair"])
            rich = ">50K" if age + 10 * (education == "Masters") > 45 else "<=50K"
            f.write("%d,%s,%s,%d,%s\n" % (age, education, occupation, random.randint(10, 60), rich))


def main(unused_argv):
    write_data("adult.data")
    shutil.rmtree(os.path.join(FLAGS.model_dir, "none"), ignore_errors=True)
    model = build_estimator(FLAGS.model_dir, FLAGS.model_type)
    for n in range(FLAGS.train_epochs // FLAGS.epochs_per_eval):
        model.train(input_fn=lambda: input_fn(
            "adult.data", FLAGS.epochs_per_eval, FLAGS.batch_size))
        results = model.evaluate(input_fn=lambda: input_fn("adult.data", 1, FLAGS.batch_size))
        print("Results at epoch", (n + 1) * FLAGS.epochs_per_eval)
        for key in sorted(results):
            print("%s: %s" % (key, results[key]))


if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.app.run(main=main, argv=[sys.argv[0]])
