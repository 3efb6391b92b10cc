"""Export outputs: their names, their signatures, which values and inputs they refuse."""

import tensorflow as tf

from tests.oracle import facts

tf1 = tf.compat.v1

APIS = ("v1", "v2")


def error(call, *arguments):
    found = facts.error(call, *arguments)
    return found and {"type": found[0], "text~": found[1]}


def signature(output, inputs):
    wrong = error(output.as_signature_def, inputs)
    if wrong:
        return wrong
    made = output.as_signature_def(inputs)
    return {
        "method": made.method_name,
        "inputs": {name: made.inputs[name].name for name in made.inputs},
        "outputs": {name: made.outputs[name].name for name in made.outputs},
    }


def run(estimator, folder):
    export = estimator.export
    with tf.Graph().as_default():
        tensors = {
            "f": tf.constant([1.0], name="f"),
            "d": tf.constant([1.0], tf.float64, name="d"),
            "h": tf.constant([1.0], tf.float16, name="h"),
            "i": tf.constant([1], name="i"),
            "s": tf1.placeholder(tf.string, [None], name="s"),
            "none": None,
            "number": 1.0,
            "sparse": tf.SparseTensor([[0]], [1.0], [1]),
        }
        inputs = {
            "examples": {"e": tensors["s"]},
            "float": {"e": tensors["f"]},
            "two": {"e": tensors["s"], "g": tensors["s"]},
            "none": {},
        }
        makers = {
            "predict": export.PredictOutput,
            "regress": export.RegressionOutput,
            "classify": export.ClassificationOutput,
            "classes": lambda t: export.ClassificationOutput(classes=t),
            "eval": export.EvalOutput,
        }
        found = {}
        for kind in sorted(makers):
            for name in sorted(tensors):
                wrong = error(makers[kind], tensors[name])
                found[kind + "/" + name] = wrong or {
                    i: signature(makers[kind](tensors[name]), inputs[i]) for i in sorted(inputs)
                }
        found["keys"] = keys(export, tensors)
        found["evaluations"] = evaluations(export, tensors)
    found["abstract"] = [error(export.ExportOutput), error(estimator.Exporter)]
    return found


def keys(export, tensors):
    f = tensors["f"]
    cases = {
        "tuple": {("a", "b"): f},
        "number": {1: f},
        "tuple of numbers": {(1, 2): f},
        "bytes": {b"a": f},
        "empty": {},
        "list": [f],
        "sparse": {"a": tensors["sparse"]},
        "variable": {"a": tf1.get_variable("v", [1])},
    }
    found = {}
    for name in sorted(cases):
        wrong = error(export.PredictOutput, cases[name])
        found[name] = wrong or sorted(export.PredictOutput(cases[name]).outputs)
    return found


def evaluations(export, tensors):
    f, i = tensors["f"], tensors["i"]
    cases = {
        "dicts": ({"a": f, "loss": i}, {"predictions_b": f, ("c", "d"): f}, {"m": (f, i)}),
        "single": (f, f, (f, i)),
        "prefixed": ({"loss/x": f}, {"predictions": f}, {"metrics": (f, i), "metrics_2": (i, f)}),
        "operation": (f, None, {("m", "n"): (f, tf.no_op())}),
        "nothing": (),
        "wrong loss": ("x",),
        "wrong key": ({1: f},),
        "wrong predictions": (f, [3]),
        "wrong metric": (f, None, (15.3, f)),
        "wrong update": (f, None, {"m": (f, 4)}),
        "wrong metric key": (f, None, {2: (f, i)}),
        "one part": (f, None, {"m": (f,)}),
    }
    found = {}
    for name in sorted(cases):
        wrong = error(export.EvalOutput, *cases[name])
        if wrong:
            found[name] = wrong
            continue
        output = export.EvalOutput(*cases[name])
        found[name] = {
            "parts": [part and sorted(part) for part in (output.loss, output.predictions)],
            "metrics": output.metrics and sorted(output.metrics),
            "signature": signature(output, {"x": tensors["s"]}),
            "without inputs": signature(output, {}),
        }
    return found
