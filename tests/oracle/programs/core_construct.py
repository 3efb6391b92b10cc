"""Making an Estimator: model functions, folders, configurations, subclasses."""

import functools
import os
import pathlib
import tempfile

import tensorflow as tf

from tests.oracle.programs.core_train import kind

APIS = ("v1", "v2")

tf1 = tf.compat.v1


class Callable(object):
    def __call__(self, features, labels, mode):
        pass

    def method(self, features, labels, mode, config):
        pass

    @classmethod
    def of_class(cls, features, labels):
        pass

    @staticmethod
    def static(features, mode):
        pass


class OwnParams(object):
    def __call__(self, features, params):
        pass


def decorated(features, labels, mode):
    pass


@functools.wraps(decorated)
def wrapper(*args, **kwargs):
    return decorated(*args, **kwargs)


def keyword_only():
    scope = {}
    exec("def fn(features, labels, mode, *, own=3): pass", scope)
    return scope["fn"]


def six(features, labels, mode, params, config, own):
    pass


MODEL_FNS = {
    "features": lambda features: None,
    "all": lambda features, labels, mode, params, config: None,
    "any order": lambda mode, config, labels, features: None,
    "without features": lambda x, labels: None,
    "unknown": lambda features, labels, foo: None,
    "with default": lambda features, labels, foo=3: None,
    "self": lambda self, features: None,
    "varargs": lambda *features: None,
    "kwargs": lambda features, **kwargs: None,
    "only kwargs": lambda **kwargs: None,
    "object": Callable(),
    "object params": OwnParams(),
    "method": Callable().method,
    "class method": Callable.of_class,
    "static": Callable.static,
    "partial": functools.partial(six, own=1),
    "partial two": functools.partial(functools.partial(six, own=1), labels=None),
    "partial positional": functools.partial(lambda own, features, labels: None, 1),
    "partial of object": functools.partial(Callable(), labels=1),
    "partial leaves": functools.partial(six, labels=1),
    "wrapped": wrapper,
    "keyword only": keyword_only(),
    "None": None,
    "number": 5,
}


def model_fn(features, labels, mode):
    pass


def with_params(features, params):
    pass


def run(estimator, folder):
    found = {}
    for name, function in sorted(MODEL_FNS.items()):
        for params in (None, {}, {"a": 1}):
            found["{} {}".format(name, params)] = kind(
                estimator.Estimator, function, folder, params=params
            )
    found["folders"] = folders(estimator)
    found["config"] = configs(estimator, folder)
    found["params"] = parameters(estimator, folder)
    found["subclasses"] = subclasses(estimator, folder)
    found["warm"] = [
        kind(estimator.Estimator, model_fn, folder, warm_start_from=given)
        for given in (None, 5, ["a"], "/tmp/not there", b"/tmp/not there")
    ]
    made = estimator.Estimator(model_fn, folder)
    found["properties"] = [
        made.latest_checkpoint(),
        kind(made.get_variable_names),
        kind(made.get_variable_value, "x"),
        os.path.relpath(made.eval_dir(), folder),
        os.path.relpath(made.eval_dir("own"), folder),
        os.path.relpath(made.eval_dir(""), folder),
        sorted(vars(made.config)),
        str(made._session_config),
        made._device_fn,
        made._train_distribution,
        made._eval_distribution,
        made._warm_start_settings,
        made._model_fn is model_fn,
        made._model_dir == folder,
        kind(setattr, made, "config", 1) is not None,
    ]
    found["set"] = [
        kind(setattr, made, name, 1) is not None
        for name in ("config", "params", "model_dir", "model_fn")
    ]
    return found


def folders(estimator):
    def folder_of(model_dir=None, config_dir=None):
        try:
            config = estimator.RunConfig(config_dir) if config_dir else None
            made = estimator.Estimator(model_fn, model_dir, config)
        except Exception as raised:
            return type(raised).__name__
        is_temporary = made.model_dir.startswith(tempfile.gettempdir() + "/tmp")
        return ["TEMPORARY" if is_temporary else made.model_dir] * 1 + [
            made.model_dir == made.config.model_dir,
            type(made.model_dir).__name__,
        ]

    return [
        folder_of(),
        folder_of(""),
        folder_of("relative/a"),
        folder_of(pathlib.Path("relative/a")),
        folder_of("relative/a", "relative/a"),
        folder_of(pathlib.Path("relative/a"), "relative/a"),
        folder_of("relative/a", "relative/b"),
        folder_of(None, "relative/b"),
        folder_of(None, pathlib.Path("relative/b")),
        folder_of("", "relative/b"),
    ]


def configs(estimator, folder):
    class Own(estimator.RunConfig):
        @property
        def model_dir(self):
            return "/tmp/own"

    own = Own()
    made = estimator.Estimator(model_fn, config=own)
    given = estimator.RunConfig(folder, tf_random_seed=3)
    given.mine = [1]
    second = estimator.Estimator(model_fn, config=given)
    copy = second.config
    copy._tf_random_seed = 5
    return {
        "wrong": [
            kind(estimator.Estimator, model_fn, folder, config=config)
            for config in (5, "config", {}, estimator.RunConfig)
        ],
        "wrong and no model_fn": kind(estimator.Estimator, None, config=5),
        "subclass": [type(made.config).__name__, made.model_dir],
        "subclass differs": kind(lambda: estimator.Estimator(model_fn, "/tmp/b", config=Own())),
        "mine": [copy.mine, copy.mine is given.mine],
        "seed": second.config.tf_random_seed,
        "given is unchanged": [given.session_config is None, given.tf_random_seed],
        "has session config": second.config.session_config is not None,
    }


def parameters(estimator, folder):
    params = {"units": [1, 2]}
    made = estimator.Estimator(with_params, folder, params=params)
    params["units"].append(3)
    made.params["units"].append(4)

    class Own(dict):
        pass

    own = estimator.Estimator(with_params, folder, params=Own(a=1)).params
    no_dict = estimator.Estimator(with_params, folder, params=(1, 2)).params
    return [
        made.params,
        type(own).__name__,
        no_dict,
        estimator.Estimator(with_params, folder).params,
        kind(estimator.Estimator, with_params, folder, params=[]),
    ]


def subclasses(estimator, folder):
    base = estimator.Estimator
    nothing = lambda self, *args, **kwargs: None  # noqa: E731
    names = (
        "train", "evaluate", "predict", "config", "params", "model_dir", "eval_dir",
        "get_variable_names", "get_variable_value", "export_saved_model",
        "experimental_export_all_saved_models", "export_savedmodel",
        "latest_checkpoint", "model_fn", "_train_model", "_call_model_fn", "_call_input_fn",
        "_create_global_step", "_create_and_assert_global_step", "_export_all_saved_models",
        "_get_features_and_labels_from_input_fn", "_train_with_estimator_spec",
        "_train_model_default", "_actual_eval", "_evaluate_run", "_maybe_warm_start",
        "_convert_train_steps_to_hooks", "_extract_keys", "_extract_batch_length",
        "_tf_api_names", "_build", "_run", "_saved_step", "own", "__repr__", "fit",
    )  # fmt: skip
    found = {name: kind(type("Sub", (base,), {name: nothing}), model_fn, folder) for name in names}
    middle = type("Middle", (base,), {"train": nothing})
    found["grandchild"] = kind(type("Sub", (middle,), {}), model_fn, folder)
    found["same"] = kind(type("Sub", (base,), {"train": base.train}), model_fn, folder)
    check = "_assert_members_are_not_overridden"
    found["without check"] = kind(
        type("Sub", (base,), {check: nothing, "train": nothing}), model_fn, folder
    )
    found["without check, static"] = kind(
        type("Sub", (base,), {check: staticmethod(nothing), "train": nothing}), model_fn, folder
    )
    found["TPUEstimator"] = kind(
        type("TPUEstimator", (base,), {"train": nothing}), model_fn, folder
    )
    return found
