"""contrib.learn.Experiment: its schedules and export strategies."""

import os

from tests.oracle import facts
from tests.oracle.programs import contrib_learn_estimator as plain

APIS = ("contrib",)


def make(tf, folder, **more):
    learn = tf.contrib.learn
    config = learn.RunConfig(tf_random_seed=1, save_checkpoints_steps=4, model_dir=folder)
    estimator = learn.Estimator(plain.make_model_fn(tf, "ops"), config=config, params={"rate": 0.1})
    return learn.Experiment(
        estimator, plain.make_input_fn(tf), plain.make_input_fn(tf, 1), eval_delay_secs=0, **more
    )


def seen(folder):
    return [name for name in facts.files(folder) if "EVENTS" not in name]


def schedules(tf, folder):
    found = {}
    spec = {"x": tf.FixedLenFeature([2], tf.float32)}
    serving = tf.contrib.learn.build_parsing_serving_input_fn(spec)
    strategy = tf.contrib.learn.make_export_strategy(serving, exports_to_keep=1)
    for name in ("train_and_evaluate", "test", "continuous_train_and_eval"):
        path = os.path.join(folder, name)
        experiment = make(
            tf,
            path,
            train_steps=9,
            check_interval_secs=None,
            export_strategies=strategy if name == "train_and_evaluate" else None,
            train_steps_per_iteration=5,
        )
        result = getattr(experiment, name)()
        metrics = result if isinstance(result, dict) else result[0]
        found[name] = {
            "metrics": sorted(metrics),
            "step": int(metrics["global_step"]),
            "exports": None if isinstance(result, dict) else len(result[1]),
            "files": seen(path),
        }
    return found


def exporting(tf, folder):
    calls = []

    def export_fn(estimator, export_path, checkpoint_path, eval_result):
        named = [os.path.basename(p.decode()) for p in (export_path,)]
        calls.append(named + [os.path.basename(checkpoint_path), int(eval_result["global_step"])])
        return "done"

    strategy = tf.contrib.learn.ExportStrategy("mine", export_fn)
    experiment = make(
        tf, folder, train_steps=9, export_strategies=[strategy], checkpoint_and_export=True
    )
    return [experiment.train_and_evaluate()[1], calls]


def continuous(tf, folder):
    experiment = make(tf, folder, train_steps=5, continuous_eval_throttle_secs=0)
    trained = experiment.train()
    results = []

    def go_on(result):
        results.append(result and int(result["global_step"]))
        return True

    experiment.continuous_eval(continuous_eval_predicate_fn=go_on)
    experiment.continuous_eval_on_train_data(name="train") if experiment.eval_steps is None else 0
    once = experiment.evaluate(name="mine")
    return {
        "same": trained is experiment.estimator,
        "predicate": results,
        "once": sorted(once),
        "folders": sorted(d for d in os.listdir(folder) if d.startswith("eval")),
    }


def run(tf, folder):
    return {
        "schedules": schedules(tf, os.path.join(folder, "a")),
        "exporting": exporting(tf, os.path.join(folder, "b")),
        "continuous": continuous(tf, os.path.join(folder, "c")),
    }
