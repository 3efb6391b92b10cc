"""A TPUEstimator that runs without a TPU: records, a checkpoint to begin with, an own optimizer."""

import collections
import json
import re

import tensorflow as tf

tf.flags.DEFINE_string("output_dir", "model", "Where the model goes.")
tf.flags.DEFINE_bool("use_tpu", False, "Whether to use a TPU.")
tf.flags.DEFINE_integer("train_batch_size", 4, "Examples in a step.")
FLAGS = tf.flags.FLAGS
LENGTH, WORDS = 3, 7


class DecayOptimizer(tf.train.Optimizer):
    """Gradient descent with weight decay, but for some, and an average of the gradients."""

    def __init__(self, rate, decay, spare):
        super(DecayOptimizer, self).__init__(False, "DecayOptimizer")  # noqa: UP008
        self.rate, self.decay, self.spare = rate, decay, spare

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        updates = []
        for gradient, variable in grads_and_vars:
            key = re.match("^(.*):\\d+$", variable.name).group(1)
            mean = tf.get_variable(
                key + "/mean",
                variable.shape.as_list(),
                trainable=False,
                initializer=tf.zeros_initializer(),
            )
            mean_now = tf.multiply(0.9, mean) + tf.multiply(0.1, gradient)
            change = mean_now if key in self.spare else mean_now + self.decay * variable
            updates += [variable.assign(variable - self.rate * change), mean.assign(mean_now)]
        return tf.group(*updates, name=name)


def write(path, count):
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(count):
            values = collections.OrderedDict(
                ids=[(i * j) % WORDS for j in (1, 2, 3)], label=[i % 2]
            )
            feature = {
                name: tf.train.Feature(int64_list=tf.train.Int64List(value=value))
                for name, value in values.items()
            }
            example = tf.train.Example(features=tf.train.Features(feature=feature))
            writer.write(example.SerializeToString())


def input_fn_builder(path, is_training):
    columns = {
        "ids": tf.FixedLenFeature([LENGTH], tf.int64),
        "label": tf.FixedLenFeature([], tf.int64),
    }

    def decode(record):
        example = tf.parse_single_example(record, columns)
        return {name: tf.to_int32(value) for name, value in example.items()}

    def input_fn(params):
        dataset = tf.data.TFRecordDataset(path)
        if is_training:
            dataset = dataset.repeat()
        return dataset.apply(
            tf.contrib.data.map_and_batch(
                decode, batch_size=params["batch_size"], drop_remainder=is_training
            )
        )

    return input_fn


def model_fn_builder(checkpoint):
    def model_fn(features, labels, mode, params):
        with tf.variable_scope("encoder"):
            start = tf.truncated_normal_initializer(stddev=0.1, seed=3)
            table = tf.get_variable("words", [WORDS, 2], initializer=start)
            mean = tf.reduce_mean(tf.nn.embedding_lookup(table, features["ids"]), axis=1)
            mean = tf.contrib.layers.layer_norm(mean, begin_norm_axis=-1, begin_params_axis=-1)
        logits = tf.layers.dense(mean, 2, kernel_initializer=tf.ones_initializer(), name="out")
        variables = tf.trainable_variables()
        known = [name for name, _ in tf.train.list_variables(checkpoint)]
        assignment = collections.OrderedDict(
            (v.op.name, v.op.name) for v in variables if v.op.name in known
        )
        tf.train.init_from_checkpoint(checkpoint, assignment)
        if mode == tf.estimator.ModeKeys.PREDICT:
            predictions = {"probabilities": tf.nn.softmax(logits)}
            return tf.contrib.tpu.TPUEstimatorSpec(mode, predictions=predictions)
        each = tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=features["label"], logits=logits
        )
        loss = tf.reduce_mean(each)
        if mode == tf.estimator.ModeKeys.TRAIN:
            step = tf.train.get_or_create_global_step()
            optimizer = DecayOptimizer(0.1, 0.01, ["out/bias"])
            if FLAGS.use_tpu:
                optimizer = tf.contrib.tpu.CrossShardOptimizer(optimizer)
            gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), clip_norm=1.0)
            train_op = optimizer.apply_gradients(zip(gradients, variables), step)  # noqa: B905
            train_op = tf.group(train_op, [step.assign(step + 1)])
            return tf.contrib.tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train_op)

        def metric_fn(each, label, logits):
            found = tf.argmax(logits, axis=-1, output_type=tf.int32)
            return {"accuracy": tf.metrics.accuracy(label, found), "each": tf.metrics.mean(each)}

        metrics = (metric_fn, [each, features["label"], logits])
        return tf.contrib.tpu.TPUEstimatorSpec(mode, loss=loss, eval_metrics=metrics)

    return model_fn


def main(_):
    with tf.Graph().as_default(), tf.Session() as session:
        start = tf.constant_initializer(list(range(WORDS * 2)))
        tf.get_variable("encoder/words", [WORDS, 2], initializer=start)
        session.run(tf.global_variables_initializer())
        checkpoint = tf.train.Saver().save(session, "./begin.ckpt")
    config = tf.contrib.tpu.RunConfig(
        master=None,
        model_dir=FLAGS.output_dir,
        save_checkpoints_steps=3,
        tpu_config=tf.contrib.tpu.TPUConfig(
            iterations_per_loop=3,
            num_shards=8,
            per_host_input_for_training=tf.contrib.tpu.InputPipelineConfig.PER_HOST_V2,
        ),
    )
    estimator = tf.contrib.tpu.TPUEstimator(
        use_tpu=FLAGS.use_tpu,
        model_fn=model_fn_builder(checkpoint),
        config=config,
        train_batch_size=FLAGS.train_batch_size,
        eval_batch_size=3,
        predict_batch_size=2,
    )
    write("records", 10)
    estimator.train(input_fn_builder("records", True), max_steps=5)
    results = estimator.evaluate(input_fn_builder("records", False))
    print(json.dumps([sorted(results), int(results["global_step"])]))
    first = tf.train.load_variable(FLAGS.output_dir + "/model.ckpt-0", "encoder/words")
    found = list(estimator.predict(input_fn_builder("records", False)))
    print(json.dumps([first.tolist(), len(found), sorted(found[0])]))


if __name__ == "__main__":
    tf.app.run()
