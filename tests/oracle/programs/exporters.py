"""Exporters: times of exports, kept files, passed arguments, and errors."""

import functools
import os

import tensorflow as tf

from tests.oracle import facts

tf1 = tf.compat.v1

APIS = ("v1", "v2")


class Recorder(object):
    """Stands in for an Estimator, and records the calls."""

    def __init__(self, model_dir):
        self.model_dir = model_dir
        self.calls = []

    def export_saved_model(self, *arguments, **named):
        self.calls.append([len(arguments), sorted(named), str(named.get("as_text"))])
        return b"exported"


def receiver_fn():
    return None


def write_events(folder, losses):
    with tf.Graph().as_default():
        writer = tf1.summary.FileWriter(folder)
        for step, loss in enumerate(losses):
            values = [tf1.Summary.Value(tag="loss", simple_value=loss)] if loss is not None else []
            writer.add_summary(tf1.Summary(value=values), step)
        writer.close()


def run(estimator, folder):
    return {
        "errors": errors(estimator),
        "kept": kept(estimator, folder),
        "best": best(estimator, folder),
        "overridden": overridden(estimator, folder),
        "final": final(estimator, folder),
        "trained": trained(estimator, folder),
    }


def error(call, *arguments, **named):
    found = facts.error(call, *arguments, **named)
    return found and {"type": found[0], "text~": found[1]}


def smaller(best_eval_result, current_eval_result):
    return best_eval_result["loss"] > current_eval_result["loss"]


class Comparison(object):
    def __call__(self, best_eval_result, current_eval_result):
        return True

    def method(self, best_eval_result, current_eval_result):
        return True


def errors(estimator):
    best, latest = estimator.BestExporter, estimator.LatestExporter
    compare = {
        "none": None,
        "number": 5,
        "no best": lambda current_eval_result: True,
        "no current": lambda best_eval_result: True,
        "more": lambda best_eval_result, current_eval_result, more: True,
        "more with default": lambda best_eval_result, current_eval_result, more=1: True,
        "any": lambda **named: True,
        "partial": functools.partial(lambda best_eval_result, current_eval_result, m: True, m=1),
        "object": Comparison(),
        "method": Comparison().method,
        "good": smaller,
    }
    found = {name: error(best, compare_fn=compare[name]) for name in sorted(compare)}
    for count in (0, -1, 1, None):
        found["best keeps {}".format(count)] = error(best, exports_to_keep=count)
        found["latest keeps {}".format(count)] = error(latest, "a", None, exports_to_keep=count)
    found["names"] = [best().name, latest("b", None).name, estimator.FinalExporter("c", None).name]
    default = best()._compare_fn
    for name, results in {
        "empty best": ({}, {"loss": 1}),
        "empty current": ({"loss": 1}, {}),
        "none": (None, {"loss": 1}),
        "no loss": ({"loss": 1}, {"accuracy": 1}),
    }.items():
        found["compare " + name] = error(default, *results)
    found["compare"] = [default({"loss": 2}, {"loss": x}) for x in (1, 2, 3)]
    return found


def kept(estimator, folder):
    names = ["1500000001", "1500000003", "1500000002", "99", "temp-1500000000", "x", "15000000000"]
    found = {}
    for kind in (estimator.LatestExporter, estimator.BestExporter):
        for count in (1, 2, 7, None):
            base = os.path.join(folder, "{}_{}".format(kind.__name__, count))
            for name in names:
                os.makedirs(os.path.join(base, name, "variables"))
            exporter = kind("n", receiver_fn, exports_to_keep=count)
            recorder = Recorder(base)
            for path in (base, tf.compat.as_bytes(base)):
                exporter.export(recorder, path, None, {"loss": 1}, False)
            found[os.path.basename(base)] = [sorted(os.listdir(base)), recorder.calls]
    exporter = estimator.LatestExporter("n", receiver_fn)
    missing = os.path.join(folder, "missing")
    found["missing"] = error(exporter.export, Recorder(folder), missing, None, {}, False)
    return found


def best(estimator, folder):
    base = os.path.join(folder, "best")
    for name, losses in {"eval": [50, None, 60], "eval_more": [40], "eval_none": [None]}.items():
        write_events(os.path.join(base, name), losses)
    found = {}
    for pattern in ("eval/*.tfevents.*", "eval*/*.tfevents.*", "eval_none/*", "no/*", None):
        exporter = estimator.BestExporter(
            serving_input_receiver_fn=receiver_fn, event_file_pattern=pattern
        )
        results = []
        for model_dir, loss in [(base, 100), (base, 45), (base, 45), (base, 30), (folder, 70)]:
            recorder = Recorder(model_dir)
            path = os.path.join(base, "exports")
            tf.io.gfile.makedirs(path)
            done = exporter.export(recorder, path, "checkpoint", {"loss": loss}, False)
            results.append([facts.plain(done), exporter._best_eval_result["loss"]])
        found[str(pattern)] = results
    exporter = estimator.BestExporter()
    pattern = os.path.join(base, "eval*", "*.tfevents.*")
    found["read"] = [exporter._get_best_eval_result(p) for p in (pattern, "", base + "/no")]
    wrong = error(exporter.export, Recorder(os.path.join(folder, "nothing")), folder, "c", {}, True)
    found["empty first"] = wrong
    found["empty second"] = error(
        exporter.export, Recorder(os.path.join(folder, "nothing")), folder, "c", {}, True
    )
    return found


def overridden(estimator, folder):
    calls = []

    class Mine(estimator.BestExporter):
        def _garbage_collect_exports(self, export_dir_base):
            calls.append(["collect", os.path.basename(export_dir_base)])

        def _get_best_eval_result(self, event_files):
            calls.append(["best", os.path.basename(event_files)])
            return {"loss": 5.0}

    exporter = Mine("mine", receiver_fn, "x/*.y", compare_fn=smaller)
    for loss in (9.0, 10.0, 8.0):
        calls.append(
            exporter.export(Recorder("/m"), "/b/e", "c", {"loss": loss}, False) is not None
        )
    return calls


def final(estimator, folder):
    recorder = Recorder(folder)
    exporter = estimator.FinalExporter("f", receiver_fn, {"a": "b"}, as_text=True)
    done = [exporter.export(recorder, folder, "c", {}, last) for last in (False, True)]
    return [facts.plain(done), recorder.calls]


def model_fn(features, labels, mode, params):
    weight = tf1.get_variable("weight", [], initializer=tf1.zeros_initializer())
    predictions = features["x"] * weight
    if mode == "infer":
        return params["spec"](mode, predictions=predictions)
    loss = tf.reduce_mean(tf.square(predictions - labels))
    train_op = tf1.train.GradientDescentOptimizer(0.1).minimize(loss, tf1.train.get_global_step())
    return params["spec"](mode, loss=loss, train_op=train_op)


def input_fn():
    return tf.data.Dataset.from_tensors(({"x": [1.0, 2.0]}, [1.0, 2.0])).repeat()


def trained(estimator, folder):
    spec = {"x": tf.io.FixedLenFeature([], tf.float32)}
    serving = estimator.export.build_parsing_serving_input_receiver_fn(spec)
    model_dir = os.path.join(folder, "trained")
    config = estimator.RunConfig(model_dir=model_dir, save_checkpoints_steps=2)
    made = estimator.Estimator(model_fn, config=config, params={"spec": estimator.EstimatorSpec})
    exporters = [
        estimator.LatestExporter("latest", serving, exports_to_keep=1),
        estimator.BestExporter("best", serving, exports_to_keep=None),
        estimator.FinalExporter("final", serving, as_text=True),
    ]
    estimator.train_and_evaluate(
        made,
        estimator.TrainSpec(input_fn, max_steps=4),
        estimator.EvalSpec(
            input_fn, steps=1, exporters=exporters, start_delay_secs=0, throttle_secs=0
        ),
    )
    base = os.path.join(model_dir, "export")
    found = {"files": facts.files(base)}
    for name in sorted(os.listdir(base)):
        weights = []
        for time in sorted(os.listdir(os.path.join(base, name))):
            path = os.path.join(base, name, time, "variables", "variables")
            weights.append(float(tf.train.load_variable(path, "weight")))
        found[name] = weights
    return found
