"""TPUEstimator with use_tpu=False: training, evaluation, prediction, export, and the batch size."""

import os

import numpy as np
import tensorflow as tf

from tests.oracle import facts

APIS = ("v1",)

tf1 = tf.compat.v1


class Calls(tf1.train.SessionRunHook):
    """Counts steps by the kind of request."""

    def __init__(self):
        self.steps = 0

    def after_run(self, run_context, run_values):
        self.steps += 1


def metric_fn(labels, predictions):
    return {"error": tf1.metrics.mean_absolute_error(labels, predictions)}


def make_model_fn(estimator, seen, folder=None, by_name=False, plain=False):
    def model_fn(features, labels, mode, params):
        seen.append([mode, sorted((k, v) for k, v in params.items() if k != "hooks")])
        kernel = tf1.get_variable("kernel", [2, 1])
        predictions = tf.matmul(features["x"], kernel)
        outputs = {"y": predictions}
        if mode == "infer":
            return estimator.tpu.TPUEstimatorSpec(
                mode,
                predictions=outputs,
                export_outputs={"own": estimator.export.PredictOutput(outputs)},
                prediction_hooks=[params["hooks"]["infer"]],
            )
        loss = tf.reduce_mean(tf.square(predictions - labels))
        optimizer = tf1.train.MomentumOptimizer(0.1, 0.9)
        train_op = optimizer.minimize(loss, tf1.train.get_global_step())
        if plain:
            return estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)
        tensors = [labels, predictions]
        if by_name:
            tensors = {"labels": labels, "predictions": predictions}
        return estimator.tpu.TPUEstimatorSpec(
            mode,
            predictions=outputs,
            loss=loss,
            train_op=train_op,
            eval_metrics=(metric_fn, tensors),
            host_call=host_call(folder, loss) if folder else None,
            scaffold_fn=lambda: tf1.train.Scaffold(saver=tf1.train.Saver(max_to_keep=2)),
            training_hooks=[params["hooks"]["train"]],
            evaluation_hooks=[params["hooks"]["eval"]],
        )

    return model_fn


def host_call(folder, loss):
    def write(step, loss):
        writer = tf.compat.v2.summary.create_file_writer(os.path.join(folder, "host"))
        with writer.as_default(), tf.compat.v2.summary.record_if(True):
            tf.compat.v2.summary.write("host_loss", loss[0], step=step[0])
            return tf1.summary.all_v2_summary_ops()

    step = tf.reshape(tf1.train.get_global_step(), [1])
    return write, [step, tf.reshape(loss, [1])]


def make_input_fn(seen, repeat=None):
    def input_fn(params, mode, config):
        seen.append(["input", mode, sorted(k for k in params), params.get("batch_size")])
        x = np.linspace(-1, 1, 24, dtype="float32").reshape(12, 2)
        dataset = tf.data.Dataset.from_tensor_slices(({"x": x}, x.sum(1, keepdims=True)))
        return dataset.repeat(repeat).batch(params.get("batch_size", 3))

    return input_fn


def make(estimator, folder, model_fn, params=None, **kwargs):
    tpu = estimator.tpu
    config = tpu.RunConfig(
        model_dir=folder,
        tf_random_seed=1,
        save_summary_steps=1,
        log_step_count_steps=4,
        tpu_config=tpu.TPUConfig(iterations_per_loop=2),
    )
    return tpu.TPUEstimator(model_fn, config=config, params=params, use_tpu=False, **kwargs)


def hooks():
    return {mode: Calls() for mode in ("train", "eval", "infer")}


def trained(estimator, folder):
    seen, counts = [], hooks()
    model_fn = make_model_fn(estimator, seen, folder)
    made = make(
        estimator,
        folder,
        model_fn,
        {"a": 1, "hooks": counts},
        train_batch_size=4,
        eval_batch_size=2,
        predict_batch_size=5,
        export_to_tpu=False,
    )
    found = facts.ten_more_steps(made, make_input_fn(seen))
    found["predictions"] = facts.plain([list(made.predict(make_input_fn(seen, 1)))])
    placeholder = {"x": tf.float32}

    def receiver_fn():
        x = tf1.placeholder(placeholder["x"], [None, 2], name="x")
        return estimator.export.ServingInputReceiver({"x": x}, {"x": x})

    path = made.export_saved_model(os.path.join(folder, "export"), receiver_fn)
    found["signatures"] = facts.signatures(tf.compat.as_str(path))
    path = made.export_savedmodel(os.path.join(folder, "again"), receiver_fn)
    found["signatures_again"] = facts.signatures(tf.compat.as_str(path))
    found["seen"] = seen
    found["files"] = facts.files(folder)
    found["tags"] = tags(folder)
    found["host"] = tags(os.path.join(folder, "host"))
    found["config"] = [made.config.log_step_count_steps, sorted(made.params)]
    return found


def tags(folder):
    found = set()
    for path in tf.io.gfile.glob(os.path.join(folder, "events*")):
        for event in tf1.train.summary_iterator(path):
            found.update(value.tag for value in event.summary.value)
    return sorted(found)


def other_ways(estimator, folder):
    """Metrics by name, an EstimatorSpec, no batch sizes, a warm start."""
    seen = []
    model_fn = make_model_fn(estimator, seen, by_name=True)
    first = make(estimator, folder + "/1", model_fn, {"hooks": hooks()}, train_batch_size=4)
    first.train(make_input_fn(seen), steps=2)
    metrics = first.evaluate(make_input_fn(seen), steps=2)
    plain = make_model_fn(estimator, seen, plain=True)
    second = make(
        estimator,
        folder + "/2",
        plain,
        {"hooks": hooks()},
        train_batch_size=3,
        warm_start_from=folder + "/1",
    )
    second.train(make_input_fn(seen), max_steps=1)
    return {
        "metrics": sorted(metrics),
        "seen": seen,
        "variables": facts.variables(folder + "/2"),
        "files": facts.files(folder),
    }


def run(estimator, folder):
    return {
        "trained": trained(estimator, os.path.join(folder, "trained")),
        "other": other_ways(estimator, os.path.join(folder, "other")),
    }
