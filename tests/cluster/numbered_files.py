"""A model_fn that notes the examples of each step, and input functions that read files."""

import os

import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator

FILES, EXAMPLES, BATCH = 4, 16, 4  # Files, examples in each of them, and examples in a batch.


def write(folder):
    """Writes the same numbered examples as TFRecord and as CSV files."""
    for file in range(FILES):
        numbers = range(file * EXAMPLES, (file + 1) * EXAMPLES)
        with tf.python_io.TFRecordWriter(os.path.join(folder, f"{file}.tfrecord")) as writer:
            for number in numbers:
                feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[number]))
                features = tf.train.Features(feature={"number": feature})
                writer.write(tf.train.Example(features=features).SerializeToString())
        with open(os.path.join(folder, f"{file}.csv"), "w") as csv:
            csv.write("number\n" + "".join(f"{number}\n" for number in numbers))


def tfrecord_input_fn(params):
    spec = {"number": tf.io.FixedLenFeature([], tf.int64)}
    files = tf.data.Dataset.list_files(params["files"], shuffle=False)
    records = files.interleave(tf.data.TFRecordDataset, cycle_length=1)
    return _batches(records.map(lambda record: tf.io.parse_single_example(record, spec)["number"]))


def csv_input_fn(params):
    files = tf.data.Dataset.list_files(params["files"], shuffle=False)
    lines = files.interleave(lambda file: tf.data.TextLineDataset(file).skip(1), cycle_length=1)
    return _batches(lines.map(lambda line: tf.io.decode_csv(line, [tf.constant(0, tf.int64)])[0]))


def memory_input_fn():
    return _batches(tf.data.Dataset.range(FILES * EXAMPLES))


def service_input_fn(params):
    """Returns batches of which the tf.data service gives each to one of the workers."""
    policy = tf.data.experimental.service.ShardingPolicy.DYNAMIC
    distribute = tf.data.experimental.service.distribute(policy, params["service"], "training")
    numbers = tf.data.Dataset.range(1_000_000)  # More than a training reads.
    return _batches(numbers).apply(distribute)


def _batches(numbers):
    return numbers.map(lambda number: ({"number": number}, tf.ones([1]))).batch(BATCH)


def model_fn(features, labels, mode, params):
    inputs = tf.cast(features["number"], tf.float32)[:, None] / 64
    outputs = tf.layers.dense(inputs, 1, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    path = f"file://{params['notes']}"
    notes = []
    if mode == tf_estimator.ModeKeys.TRAIN:
        notes = [tf.print(features["number"], output_stream=path, summarize=-1)]
    with tf.control_dependencies(notes):
        step = tf.train.get_global_step()
        train_op = tf.train.GradientDescentOptimizer(0.01).minimize(loss, step)
    return tf_estimator.EstimatorSpec(mode, outputs, loss, train_op)


def read(path):
    """Returns the numbers of each step of each worker, as tuples."""
    with open(path) as notes:
        return [tuple(map(int, line.strip("[]\n").split())) for line in notes]
