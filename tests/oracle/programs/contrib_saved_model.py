"""contrib.estimator: export for one mode and for all, and an Estimator made from a SavedModel."""

import os

from tests.oracle import facts

APIS = ("contrib",)


def make_model_fn(tf, words):
    def model_fn(features, labels, mode):
        """Weights by a vocabulary from a file, without slots: these 1.15 cannot evaluate."""
        table = tf.lookup.StaticVocabularyTable(
            tf.lookup.TextFileInitializer(
                words,
                tf.string,
                tf.lookup.TextFileIndex.WHOLE_LINE,
                tf.int64,
                tf.lookup.TextFileIndex.LINE_NUMBER,
            ),
            1,
        )
        weight = tf.get_variable("weight", [4], initializer=tf.ones_initializer())
        score = tf.gather(weight, table.lookup(features["word"])) * features["x"]
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, predictions={"score": score})
        loss = tf.reduce_mean(tf.square(score - labels))
        step = tf.train.get_global_step()
        return tf.estimator.EstimatorSpec(
            mode,
            predictions={"score": score},
            loss=loss,
            train_op=tf.train.GradientDescentOptimizer(0.1).minimize(loss, step),
            eval_metric_ops={"error": tf.metrics.mean_absolute_error(labels, score)},
        )

    return model_fn


def run(tf, folder):
    words = os.path.join(folder, "words.txt")
    with open(words, "w") as file:
        file.write("a\nb\nc\n")

    def input_fn():
        # An operation whose name is also in the SavedModel's graph.
        x = tf.constant([1.0, 2.0]) + 0.0
        features = {"word": tf.constant(["a", "c"]), "x": x}
        return tf.data.Dataset.from_tensors((features, tf.constant([3.0, 4.0]))).repeat()

    def predict_fn():
        features = {"word": tf.constant(["b", "c", "z"]), "x": tf.constant([1.0, 2.0, 3.0])}
        return tf.data.Dataset.from_tensors(features)

    def other_fn():
        features = {"word": tf.constant([[1]]), "x": tf.constant([[1.0]])}
        return tf.data.Dataset.from_tensors((features, tf.constant([3.0])))

    contrib = tf.contrib.estimator
    config = tf.estimator.RunConfig(model_dir=os.path.join(folder, "first"), tf_random_seed=1)
    first = tf.estimator.Estimator(make_model_fn(tf, words), config=config)
    first.train(input_fn, steps=3)
    with tf.Graph().as_default():
        word, x, y = (tf.placeholder(d, [None]) for d in (tf.string, tf.float32, tf.float32))
        supervised = contrib.build_raw_supervised_input_receiver_fn({"word": word, "x": x}, y)
        serving = tf.estimator.export.build_raw_serving_input_receiver_fn({"word": word, "x": x})
    receivers = {"train": supervised, "eval": supervised, "infer": serving}
    everything = contrib.export_all_saved_models(first, os.path.join(folder, "all"), receivers)
    evaluation = contrib.export_saved_model_for_mode(
        first,
        os.path.join(folder, "eval"),
        contrib.build_supervised_input_receiver_fn_from_input_fn(input_fn),
        mode=tf.estimator.ModeKeys.EVAL,
    )
    again = contrib.SavedModelEstimator(everything, os.path.join(folder, "again"))
    found = {
        "signatures": facts.signatures(tf.compat.as_str(evaluation)),
        "before": facts.plain(again.evaluate(input_fn, steps=2)),
        "predicted": facts.plain(list(again.predict(predict_fn))),
        "value": error(again.get_variable_value, "weight"),
    }
    again.train(input_fn, steps=4)
    found["after"] = facts.plain(again.evaluate(input_fn, steps=2))
    found["variables"] = facts.variables(again.model_dir)
    found["values"] = facts.values(again.model_dir)
    more = contrib.SavedModelEstimator(
        again.experimental_export_all_saved_models(os.path.join(folder, "more"), receivers)
    )
    found["re-exported"] = facts.plain(more.evaluate(input_fn, steps=2))
    found["re-predicted"] = facts.plain(list(more.predict(predict_fn)))
    partly = contrib.SavedModelEstimator(evaluation, os.path.join(folder, "partly"))
    found["partly"] = facts.plain(partly.evaluate(input_fn, steps=1))
    found["errors"] = {
        "no train": error(partly.train, input_fn, steps=1),
        "no infer": error(lambda: next(partly.predict(predict_fn))),
        "other input": error(again.train, other_fn, steps=1),
        "missing input": error(again.train, lambda: ({"x": tf.constant([1.0])}, None), steps=1),
        "no model": error(contrib.SavedModelEstimator, os.path.join(folder, "none")),
        "global step": error(again.train, lambda: (tf.train.create_global_step(), None), steps=1),
    }
    return found


def error(call, *arguments, **named):
    found = facts.error(call, *arguments, **named)
    return found and {"type": found[0], "text~": found[1]}
