"""Words by a vocabulary file, a recurrent network, heads, an Experiment, a Supervisor, queues."""

import json
import os

import numpy as np
import tensorflow as tf
from tensorflow.contrib import lookup
from tensorflow.contrib.learn.python.learn import learn_runner
from tensorflow.python.estimator.canned import metric_keys
from tensorflow.python.estimator.model_fn import ModeKeys

TEXTS = ["the cat sat", "on the mat now", "dog", "cat mat"]


def input_fn(training=True):
    table = lookup.index_table_from_file("words.txt", num_oov_buckets=1)

    def ids(text, label):
        words = tf.string_split([text]).values
        return {"ids": table.lookup(words), "count": tf.size(words)}, label

    dataset = tf.data.Dataset.from_tensor_slices((TEXTS, [0, 1, 0, 1])).map(ids)
    shapes = ({"ids": [None], "count": []}, [])
    dataset = dataset.repeat(None if training else 1).padded_batch(2, shapes)
    iterator = dataset.make_initializable_iterator()
    tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
    return iterator.get_next()


def model_fn(features, labels, mode, params):
    start = tf.constant_initializer(0.2)
    words = tf.get_variable("words", [6, 3], initializer=start)
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.contrib.rnn.GRUCell(2, kernel_initializer=start)])
    _, state = tf.nn.dynamic_rnn(
        cell,
        tf.nn.embedding_lookup(words, features["ids"]),
        sequence_length=features["count"],
        dtype=tf.float32,
    )
    logits = tf.layers.dense(state[-1], 1, kernel_initializer=start)
    head = tf.contrib.estimator.binary_classification_head(thresholds=[0.4])
    optimizer = tf.contrib.estimator.clip_gradients_by_norm(
        tf.train.AdamOptimizer(params["rate"]), 1.0
    )
    return head.create_estimator_spec(
        features=features,
        mode=mode,
        logits=logits,
        labels=None if mode == ModeKeys.PREDICT else labels[:, tf.newaxis],
        train_op_fn=lambda loss: optimizer.minimize(loss, tf.train.get_global_step()),
    )


def experiment_fn(run_config, hparams):
    estimator = tf.estimator.Estimator(model_fn, config=run_config, params=hparams.values())
    return tf.contrib.learn.Experiment(
        estimator, input_fn, lambda: input_fn(False), train_steps=4, eval_delay_secs=0
    )


def count_queued():
    with tf.Graph().as_default():
        names = tf.train.string_input_producer(["words.txt"], num_epochs=1, shuffle=False)
        _, word = tf.TextLineReader().read(names)
        batch = tf.train.batch([word], 2, allow_smaller_final_batch=True)
        seen = []
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess=session, coord=coord)
            try:
                while not coord.should_stop():
                    seen += [item.decode() for item in session.run(batch)]
            except tf.errors.OutOfRangeError:
                coord.request_stop()
            coord.join(threads)
        return seen


def supervise():
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        value = tf.Variable(0.0, name="value")
        train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(value - 1), step)
        supervisor = tf.train.Supervisor(logdir="supervised", save_model_secs=0, summary_op=None)
        with supervisor.managed_session() as session:
            while session.run(step) < 3:
                session.run(train)
            supervisor.saver.save(session, supervisor.save_path, global_step=step)
            reached = float(session.run(value))
        return reached, tf.train.latest_checkpoint("supervised")


def main():
    with open("words.txt", "w") as file:
        file.write("\n".join(["the", "cat", "sat", "on", "mat"]) + "\n")
    config = tf.contrib.learn.RunConfig(model_dir="model", save_checkpoints_steps=2)
    hparams = tf.contrib.training.HParams(rate=np.float(0.01))
    results, _ = learn_runner.run(experiment_fn, run_config=config, hparams=hparams)
    print(json.dumps({name: float(value) for name, value in results.items()}))
    print(json.dumps(metric_keys.MetricKeys.AUC in results))
    estimator = tf.estimator.Estimator(model_fn, "model", params=hparams.values())
    for found in estimator.predict(lambda: input_fn(False)):
        print(json.dumps([float(found["logistic"][0]), int(found["class_ids"][0])]))
    print(json.dumps([count_queued(), supervise(), os.path.exists("supervised/graph.pbtxt")]))


if __name__ == "__main__":
    main()
