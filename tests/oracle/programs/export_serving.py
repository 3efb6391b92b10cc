"""A SavedModel for serving: signatures, files, assets, results and errors."""

import os

import tensorflow as tf

from tests.oracle import facts

tf1 = tf.compat.v1

APIS = ("v1", "v2")


def model_fn(features, labels, mode, params):
    """Looks words up in a vocabulary file and weighs numbers."""
    table = tf.lookup.StaticVocabularyTable(
        tf.lookup.TextFileInitializer(
            params["vocabulary"],
            tf.string,
            tf.lookup.TextFileIndex.WHOLE_LINE,
            tf.int64,
            tf.lookup.TextFileIndex.LINE_NUMBER,
        ),
        1,
    )
    words = tf1.get_variable("words", [5], initializer=tf1.constant_initializer([1, 2, 4, 8, 16]))
    weight = tf1.get_variable("weight", [2, 1], initializer=tf1.ones_initializer())
    score = (
        tf.gather(words, table.lookup(features["word"])) + tf.matmul(features["x"], weight)[:, 0]
    )
    score = tf.identity(score, name="score")
    predictions = {"score": score, "word": tf.identity(features["word"])}
    if mode == "infer":
        outputs = params["outputs"](predictions)
        return params["spec"](mode, predictions=predictions, export_outputs=outputs)
    loss = tf.reduce_mean(tf.square(score - labels))
    train_op = tf1.train.GradientDescentOptimizer(0.01).minimize(loss, tf1.train.get_global_step())
    return params["spec"](mode, predictions=predictions, loss=loss, train_op=train_op)


def input_fn():
    features = {"word": ["red", "blue"], "x": [[1.0, 2.0], [3.0, 4.0]]}
    return tf.data.Dataset.from_tensors((features, [1.0, 2.0])).repeat()


def receiver_fn(estimator):
    spec = {
        "word": tf.io.FixedLenFeature([], tf.string),
        "x": tf.io.FixedLenFeature([2], tf.float32),
    }
    examples = tf1.placeholder(tf.string, [None], name="input_example_tensor")
    features = tf1.io.parse_example(examples, spec)
    others = {
        "raw": dict(features),
        "too_few": {"x": features["x"]},
        "bytes": examples,
    }
    return estimator.export.ServingInputReceiver(features, {"examples": examples}, others)


def several(export, predictions):
    score, word = predictions["score"], predictions["word"]
    return {
        "serving_default": export.ClassificationOutput(
            tf.reshape(score, [-1, 1]), tf.reshape(word, [-1, 1])
        ),
        "regress": export.RegressionOutput(score),
        "predict": export.PredictOutput(predictions),
        "doubles": export.RegressionOutput(tf.cast(score, tf.float64)),
        None: export.PredictOutput(score),
    }


OUTPUTS = {
    "none": lambda export, predictions: None,
    "one": lambda export, predictions: {"named": export.PredictOutput(predictions["score"])},
    "several": several,
    "empty": lambda export, predictions: {},
    "impossible": lambda export, predictions: {
        "a": export.RegressionOutput(tf.cast(predictions["score"], tf.float16))
    },
    "no default": lambda export, predictions: {
        "a": export.PredictOutput(predictions["score"]),
        "b": export.RegressionOutput(predictions["score"]),
    },
    "list": lambda export, predictions: [export.PredictOutput(predictions["score"])],
    "tensor": lambda export, predictions: {"a": predictions["score"]},
}


def run(estimator, folder):
    vocabulary, extra = os.path.join(folder, "words.txt"), os.path.join(folder, "extra.txt")
    for path, text in ((vocabulary, "red\ngreen\nblue\n"), (extra, "more")):
        with open(path, "w") as file:
            file.write(text)
    config = estimator.RunConfig(model_dir=os.path.join(folder, "model"))

    def make(name, config=config):
        params = {
            "spec": estimator.EstimatorSpec,
            "vocabulary": vocabulary,
            "outputs": lambda predictions: OUTPUTS[name](estimator.export, predictions),
        }
        return estimator.Estimator(model_fn, config=config, params=params)

    def serving():
        return receiver_fn(estimator)

    make("none").train(input_fn, steps=2)
    found = {}
    for name in sorted(OUTPUTS):
        base = os.path.join(folder, "export " + name)
        wrong = error(make(name).export_saved_model, base, serving)
        found[name] = wrong or facts.signatures(only(base))
    path = make("several").export_saved_model(
        os.path.join(folder, "extra"), serving, {"a/b/extra.txt": extra}, as_text=True
    )
    found["type"] = type(path).__name__
    found["files"] = [
        facts.files(os.path.join(folder, "extra")),
        facts.files(os.path.join(folder, "export several")),
    ]
    found["loaded"] = loaded(tf.compat.as_str(path))
    found["loaded_v2"] = loaded_v2(tf.compat.as_str(path))
    untrained = make("none", estimator.RunConfig(model_dir=os.path.join(folder, "new")))
    found["errors"] = errors(make("none"), untrained, folder, serving)
    return found


def error(call, *arguments, **named):
    found = facts.error(call, *arguments, **named)
    return found and {"type": found[0], "text~": found[1]}


def only(base):
    (name,) = [name for name in os.listdir(base) if not name.startswith("temp-")]
    return os.path.join(base, name)


def example():
    made = tf.train.Example()
    made.features.feature["word"].bytes_list.value.append(b"blue")
    made.features.feature["x"].float_list.value.extend([1.0, 2.0])
    return made.SerializeToString()


def loaded(path):
    with tf.Graph().as_default() as graph, tf1.Session() as session:
        meta_graph = tf1.saved_model.load(session, ["serve"], path)
        values = {}
        for name in sorted(meta_graph.signature_def):
            signature = meta_graph.signature_def[name]
            (fed,) = signature.inputs.values() if len(signature.inputs) == 1 else (None,)
            if fed is not None and fed.dtype == tf.string.as_datatype_enum:
                outputs = {key: signature.outputs[key].name for key in signature.outputs}
                values[name] = facts.plain(session.run(outputs, {fed.name: [example()]}))
        return {
            "values": values,
            "operations": sorted(
                op.name for op in graph.get_operations() if not op.name.startswith("save/")
            ),
            "collections": sorted(graph.get_all_collection_keys()),
            "variables": sorted(v.name for v in tf1.global_variables()),
            "checkpoint": sorted(
                name for name, _ in tf.train.list_variables(path + "/variables/variables")
            ),
        }


def loaded_v2(path):
    if not tf.executing_eagerly():
        return None
    model = tf.saved_model.load(path)
    values = model.signatures["predict"](examples=tf.constant([example()]))
    return {
        "signatures": sorted(model.signatures),
        "values": facts.plain({name: values[name].numpy() for name in values}),
        "variables": sorted(v.name for v in model.variables),
    }


def errors(made, untrained, folder, serving):
    base = os.path.join(folder, "errors")
    return {
        "no receiver": error(made.export_saved_model, base, None),
        "no model": error(untrained.export_saved_model, base, serving),
        "no checkpoint": error(
            made.export_saved_model, base, serving, checkpoint_path=os.path.join(folder, "no")
        ),
        "no mode": error(made.export_saved_model, base, serving, experimental_mode="x"),
        "no modes": error(made.experimental_export_all_saved_models, base, {}),
        "receiver": error(made.export_saved_model, base, lambda: 5),
        "v1 name": error(lambda: made.export_savedmodel),
    }
