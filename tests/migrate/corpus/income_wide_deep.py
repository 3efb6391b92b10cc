"""Predicts who earns much: wide, deep, or both, from a CSV file."""
import os
import shutil

import tensorflow as tf
from tensorflow import feature_column as fc

tf.flags.DEFINE_string("model_dir", "/tmp/income", "Base directory for the model.")
tf.flags.DEFINE_string("model_type", "wide_deep", "wide, deep or wide_deep.")
tf.flags.DEFINE_string("data_dir", "/tmp/income_data", "Where train.csv is.")
tf.flags.DEFINE_integer("train_steps", 500, "Steps.")
tf.flags.DEFINE_bool("clean", False, "Whether to begin anew.")
tf.flags.DEFINE_float("l1", 0.1, "L1 of the linear part.")
FLAGS = tf.flags.FLAGS

COLUMNS = ["age", "hours", "education", "occupation", "region", "income"]
DEFAULTS = [[0], [0.0], [""], [""], [0], [""]]


def build_model_columns():
  age = tf.feature_column.numeric_column("age")
  hours = tf.feature_column.numeric_column("hours", normalizer_fn=lambda x: x / 40.0)
  education = tf.feature_column.categorical_column_with_vocabulary_list(
      "education", ["school", "bachelor", "master"])
  occupation = fc.categorical_column_with_hash_bucket("occupation", hash_bucket_size=20)
  region = tf.feature_column.categorical_column_with_identity("region", 4)
  ages = tf.feature_column.bucketized_column(age, boundaries=[25, 40, 60])
  wide = [education, occupation, ages, region,
          tf.feature_column.crossed_column(["education", "occupation"], 100),
          fc.crossed_column([ages, "education"], hash_bucket_size=50)]
  deep = [age, hours, tf.feature_column.indicator_column(education),
          fc.indicator_column(region),
          tf.feature_column.embedding_column(occupation, dimension=4)]
  return wide, deep


def build_estimator(wide, deep):
  config = tf.estimator.RunConfig(
      model_dir=os.path.join(FLAGS.model_dir, FLAGS.model_type),
      tf_random_seed=1, keep_checkpoint_max=2, save_checkpoints_steps=20)
  if FLAGS.model_type == "wide":
    optimizer = tf.train.FtrlOptimizer(0.1, l1_regularization_strength=FLAGS.l1)
    return tf.estimator.LinearClassifier(wide, optimizer=optimizer, config=config)
  if FLAGS.model_type == "deep":
    return tf.estimator.DNNClassifier([16, 8], deep, config=config, dropout=0.1,
                                      optimizer=tf.train.AdagradOptimizer(0.05))
  return tf.estimator.DNNLinearCombinedClassifier(
      linear_feature_columns=wide, dnn_feature_columns=deep, dnn_hidden_units=[16, 8],
      config=config)


def input_fn(file, epochs, shuffle, batch_size=16):
  def parse(line):
    columns = dict(zip(COLUMNS, tf.decode_csv(line, record_defaults=DEFAULTS)))
    label = columns.pop("income")
    return columns, tf.equal(label, ">50K")

  dataset = tf.data.TextLineDataset(file)
  if shuffle:
    dataset = dataset.shuffle(100, seed=3)
  dataset = dataset.map(parse, num_parallel_calls=2).repeat(epochs).batch(batch_size)
  iterator = dataset.make_one_shot_iterator()
  return iterator.get_next()


def main(argv):
  del argv
  if FLAGS.clean and tf.gfile.Exists(FLAGS.model_dir):
    tf.gfile.DeleteRecursively(FLAGS.model_dir)
  wide, deep = build_model_columns()
  estimator = build_estimator(wide, deep)
  train_file = os.path.join(FLAGS.data_dir, "train.csv")
  spec = tf.feature_column.make_parse_example_spec(wide + deep)
  receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
  exporters = [
      tf.estimator.LatestExporter("latest", receiver, exports_to_keep=1),
      tf.estimator.BestExporter("best", receiver),
      tf.estimator.FinalExporter("final", receiver),
  ]
  train_spec = tf.estimator.TrainSpec(
      lambda: input_fn(train_file, None, True), max_steps=FLAGS.train_steps)
  eval_spec = tf.estimator.EvalSpec(
      lambda: input_fn(train_file, 1, False), exporters=exporters,
      start_delay_secs=0, throttle_secs=0)
  tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)
  if not tf.gfile.IsDirectory(FLAGS.model_dir):
    tf.logging.error("Nothing was written")


if __name__ == "__main__":
  tf.logging.set_verbosity(tf.logging.ERROR)
  tf.app.run()
