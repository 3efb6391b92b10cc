"""contrib.learn.Estimator: fit, evaluate, predict and export with a model function."""

import os

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)


def make_model_fn(tf, kind):
    learn = tf.contrib.learn

    def model_fn(features, labels, mode, params):
        x = features["x"] if isinstance(features, dict) else features
        kernel = tf.get_variable("kernel", [2, 1], tf.float32)
        predictions = tf.matmul(tf.cast(x, tf.float32), kernel)
        loss, train_op = None, None
        if mode != learn.ModeKeys.INFER:
            labels = tf.reshape(tf.cast(labels, tf.float32), [-1, 1])
            loss = tf.losses.mean_squared_error(labels, predictions)
            train_op = tf.train.MomentumOptimizer(params["rate"], 0.9).minimize(
                loss, tf.train.get_global_step()
            )
        named = {"y": predictions, "double": 2 * predictions}
        if kind == "tuple":
            return named, loss, train_op
        outputs = {"head": (learn.ProblemType.LINEAR_REGRESSION, {"scores": predictions})}
        return learn.ModelFnOps(
            mode, named, loss, train_op, output_alternatives=outputs if kind == "head" else None
        )

    return model_fn


def data():
    x = np.linspace(-1, 1, 16).reshape(8, 2)
    return x, x.sum(1)


def make_input_fn(tf, epochs=None):
    def input_fn():
        x, y = data()
        x, y = tf.train.slice_input_producer([x, y], num_epochs=epochs, shuffle=False)
        x, y = tf.train.batch([x, y], 4)
        return {"x": x}, y

    return input_fn


def make(tf, folder, kind="ops"):
    learn = tf.contrib.learn
    config = learn.RunConfig(tf_random_seed=1, save_summary_steps=1)
    return learn.Estimator(make_model_fn(tf, kind), folder, config, {"rate": 0.1})


def queues(tf, folder):
    learn = tf.contrib.learn
    estimator = make(tf, folder)
    before = facts.error(estimator.evaluate, input_fn=make_input_fn(tf), steps=1)[0]
    estimator.fit(input_fn=make_input_fn(tf), steps=1)
    facts.fix_weights(folder)
    estimator.fit(input_fn=make_input_fn(tf), steps=10)
    absolute = flat(tf, tf.contrib.metrics.streaming_mean_absolute_error)
    squared = flat(tf, tf.contrib.metrics.streaming_mean_squared_error)
    predicted = list(estimator.predict(input_fn=make_input_fn(tf, 1), outputs=["y"]))
    every = list(estimator.predict(input_fn=make_input_fn(tf, 1), iterate_batches=True))
    return {
        "before": before,
        "variables": facts.variables(folder),
        "values": facts.values(folder),
        "names": estimator.get_variable_names(),
        "metrics": facts.plain(estimator.evaluate(input_fn=make_input_fn(tf), steps=3)),
        "more metrics": [
            facts.plain(estimator.evaluate(input_fn=make_input_fn(tf, 1), metrics=metrics))
            for metrics in (
                {"error": learn.MetricSpec(absolute, "y")},
                {("squared", "double"): squared},
            )
        ],
        "predicted": facts.plain(predicted),
        "batches": facts.plain(every),
        "skipped": estimator.fit(input_fn=make_input_fn(tf), max_steps=5) is estimator,
        "eval events": sorted(facts.scalars(os.path.join(folder, "eval"))),
        "files": [name for name in facts.files(folder) if "EVENTS" not in name],
    }


def flat(tf, metric):
    """The labels are flat doubles, and predictions are not."""

    def flat_metric(predictions, labels):
        return metric(tf.reshape(predictions, [-1]), tf.cast(labels, tf.float32))

    return flat_metric


def arrays(tf, folder):
    x, y = data()
    estimator = make(tf, folder, "tuple")
    compatible = tf.contrib.learn.SKCompat(estimator)
    compatible.fit(x, y, batch_size=3, steps=1)
    facts.fix_weights(folder)
    compatible.fit(x, y, batch_size=3, max_steps=8)
    return {
        "values": facts.values(folder),
        "score": facts.plain(compatible.score(x, y, batch_size=4)),
        "predicted": facts.plain(compatible.predict(x, batch_size=5)),
        "direct": facts.plain(estimator.evaluate(x=x, y=y, batch_size=8, steps=1)),
        "iterated": facts.plain(list(estimator.predict(x=x, batch_size=5, outputs=["y"]))),
    }


def exported(tf, folder):
    learn = tf.contrib.learn
    found = {}
    spec = {"x": tf.FixedLenFeature([2], tf.float32)}
    for kind in ("ops", "head"):
        estimator = make(tf, os.path.join(folder, kind), kind)
        estimator.fit(input_fn=make_input_fn(tf), steps=1)
        path = estimator.export_savedmodel(
            os.path.join(folder, "export", kind), learn.build_parsing_serving_input_fn(spec)
        )
        found[kind] = facts.signatures(path.decode())
        found[kind + " files"] = facts.files(path.decode())
    return found


def errors(tf, folder):
    learn = tf.contrib.learn
    x, y = data()
    input_fn = make_input_fn(tf)
    estimator = make(tf, folder)
    one = tf.constant(1.0)
    calls = {
        "both steps": (estimator.fit, {"input_fn": input_fn, "steps": 1, "max_steps": 1}),
        "both inputs": (estimator.fit, {"input_fn": input_fn, "x": x}),
        "no input": (estimator.fit, {}),
        "batch size": (estimator.fit, {"input_fn": input_fn, "batch_size": 1}),
        "tensor": (estimator.fit, {"x": one, "y": one}),
        "metrics": (estimator.evaluate, {"input_fn": input_fn, "metrics": [1]}),
        "predict": (estimator.predict, {"input_fn": input_fn}),
        "params": (learn.Estimator, {"model_fn": lambda features, labels: 1, "params": {}}),
        "folders": (
            learn.Estimator,
            {"model_dir": folder, "config": learn.RunConfig(model_dir="/elsewhere")},
        ),
        "mode": (learn.ModelFnOps, {"mode": "other"}),
        "no loss": (learn.ModelFnOps, {"mode": "train", "train_op": one}),
        "no train op": (learn.ModelFnOps, {"mode": "train", "loss": one}),
        "no predictions": (learn.ModelFnOps, {"mode": "infer"}),
        "hooks": (
            learn.ModelFnOps,
            {"mode": "infer", "predictions": one, "training_hooks": ["no hook"]},
        ),
        "loss": (learn.ModelFnOps, {"mode": "eval", "predictions": one, "loss": [one, one]}),
        "labels": (learn.MetricSpec, {"metric_fn": lambda predictions: 1, "label_key": "a"}),
        "weights": (learn.MetricSpec, {"metric_fn": lambda predictions: 1, "weight_key": "a"}),
        "monitor": (learn.monitors.ValidationMonitor, {}),
    }
    found = {}
    for name in calls:
        function, arguments = calls[name]
        error = facts.error(function, **arguments)
        found[name] = error and error[0]
        found[name + "~"] = error and error[1]
    return found


def run(tf, folder):
    return {
        "queues": queues(tf, os.path.join(folder, "a")),
        "arrays": arrays(tf, os.path.join(folder, "b")),
        "exported": exported(tf, os.path.join(folder, "c")),
        "errors": errors(tf, os.path.join(folder, "d")),
    }
