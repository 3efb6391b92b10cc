"""inputs.numpy_input_fn: operations, batches and errors."""

import numpy as np
import tensorflow as tf

from tests.oracle import facts

APIS = ("v1",)

tf1 = tf.compat.v1


def batches(input_fn, limit=10):
    """Returns at most `limit` batches of an input function, in a session of its own."""
    found = []
    with tf.Graph().as_default():
        tensors = input_fn()
        shapes = [str(t.shape) for t in tf.nest.flatten(tensors)]
        with tf1.train.MonitoredSession() as session:
            try:
                while len(found) < limit:
                    found.append(facts.plain(session.run(tensors)))
            except tf.errors.OutOfRangeError:
                found.append("end")
    return {"batches": found, "shapes": shapes}


def graph(input_fn):
    """Returns the operations of an input function, and its entries in collections."""
    with tf.Graph().as_default() as made:
        input_fn()
        return {
            "operations": [[op.name, op.type] for op in made.get_operations()],
            "collections": {
                key: len(tf1.get_collection(key)) for key in made.get_all_collection_keys()
            },
            "tags": [
                op.inputs[0].op.get_attr("value").string_val[0].decode()
                for op in made.get_operations()
                if op.type == "ScalarSummary"
            ],
        }


def data():
    x = {"b": np.arange(32, 37), "a": np.arange(5) * 0.5}
    return x, np.arange(-32, -27)


def cases(inputs):
    x, y = data()
    make = inputs.numpy_input_fn
    image = np.arange(20, dtype="float32").reshape(5, 2, 2)
    return {
        "one_epoch": make(x, y, batch_size=2, shuffle=False),
        "three_epochs": make(x, y, batch_size=2, shuffle=False, num_epochs=3),
        "for_ever": make(x, y, batch_size=4, shuffle=False, num_epochs=None),
        "no_epoch": make(x, y, batch_size=2, shuffle=False, num_epochs=0),
        "large_batch": make(x, y, batch_size=100, shuffle=False, num_epochs=2),
        "small_queue": make(x, y, batch_size=2, shuffle=False, queue_capacity=3),
        "no_labels": make(x, batch_size=3, shuffle=False),
        "array": make(image, y, batch_size=3, shuffle=False),
        "array_alone": make(image, batch_size=5, shuffle=False),
        "dict_labels": make(x, {"z": y, "k": y * 2}, batch_size=3, shuffle=False),
        "key_taken": make({"__target_key__": y}, y, batch_size=3, shuffle=False),
        "strings": make({"s": np.array(["a", "bc", "d"])}, batch_size=2, shuffle=False),
        "bytes": make({"s": np.array([b"a", b"bc"], dtype=object)}, batch_size=2, shuffle=False),
        "bools": make(np.array([True, False]), batch_size=2, shuffle=False),
    }


def errors(inputs):
    x, y = data()

    def built(*args, **kwargs):
        with tf.Graph().as_default():
            inputs.numpy_input_fn(*args, **kwargs)()

    found = {
        "shuffle_missing": facts.error(inputs.numpy_input_fn, x, y),
        "shuffle_no_bool": facts.error(inputs.numpy_input_fn, x, y, shuffle=1),
        "x_list": facts.error(built, [1, 2], y, shuffle=False),
        "x_empty_dict": facts.error(built, {}, y, shuffle=False),
        "x_empty_array": facts.error(built, np.array([[], []]), y, shuffle=False),
        "y_empty_dict": facts.error(built, x, {}, shuffle=False),
        "y_list": facts.error(built, x, [1, 2], shuffle=False),
        "duplicates": facts.error(built, x, {"a": y}, shuffle=False),
        "lengths": facts.error(built, x, y[:2], shuffle=False),
        "lengths_x": facts.error(built, {"a": y, "b": y[:2]}, shuffle=False),
        "lengths_y": facts.error(built, x, {"k": y[:2]}, shuffle=False),
        "values": facts.error(built, {"a": [1, 2]}, shuffle=False),
    }
    return {key: error and error[0] for key, error in found.items()}


def shuffled(inputs):
    x, y = data()
    input_fn = inputs.numpy_input_fn(x, y, batch_size=2, shuffle=True, num_epochs=2)
    seen = batches(input_fn)["batches"]
    labels = [label for batch in seen[:-1] for label in batch[1]]
    threads = inputs.numpy_input_fn(
        x, y, batch_size=2, shuffle=True, num_epochs=None, num_threads=3
    )
    return {
        "labels": sorted(labels),
        "sizes": [len(batch[1]) for batch in seen[:-1]],
        "graph": graph(input_fn),
        "threads": graph(threads),
        "batches_of_threads": len(batches(threads)["batches"]),
    }


def trained(estimator, folder):
    x = {"x": np.linspace(-1, 1, 12, dtype="float32").reshape(6, 2)}
    input_fn = estimator.inputs.numpy_input_fn(
        x, x["x"].sum(1, keepdims=True), batch_size=4, num_epochs=None, shuffle=False
    )

    def model_fn(features, labels, mode):
        kernel = tf1.get_variable("kernel", [2, 1])
        loss = tf.reduce_mean(tf.square(tf.matmul(features["x"], kernel) - labels))
        step = tf1.train.get_global_step()
        train_op = tf1.train.GradientDescentOptimizer(0.1).minimize(loss, step)
        return estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    config = estimator.RunConfig(model_dir=folder, save_summary_steps=1, tf_random_seed=1)
    found = facts.ten_more_steps(estimator.Estimator(model_fn, config=config), input_fn)
    found["tags"] = sorted(facts.scalars(folder))
    return found


def run(estimator, folder):
    inputs = estimator.inputs
    made = cases(inputs)
    return {
        "cases": {name: batches(input_fn) for name, input_fn in made.items()},
        "graphs": {name: graph(made[name]) for name in ("one_epoch", "for_ever", "array")},
        "shuffled": shuffled(inputs),
        "errors": errors(inputs),
        "training": trained(estimator, folder),
    }
