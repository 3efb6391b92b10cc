"""Builds the module that the program sees as TensorFlow: that of TensorFlow 1, or of 2.15.

    import tensorflow as tf

    from legacy.shim import views

    views.show(tf, "v1", "ours", "1.15.5")

Call it once per process, after TensorFlow has been imported.
"""

from __future__ import annotations

import functools
import importlib
import sys
import types
from typing import Any

from legacy.shim import mirrors, modules, private_modules, two_sided


def show(tensorflow: types.ModuleType, api: str, engine: str, version: str) -> None:
    """Shows the program TensorFlow as it was. Libraries keep seeing the real one.

    Args:
      tensorflow: The real module.
      api: The API that the program is written for, "v1" or "v2".
      engine: Provider of tf.estimator, "ours" or "original".
      version: The version that the program sees.
    """
    estimators = {name: _estimator(name, engine) for name in ("v1", "v2")}
    _add_to_keras(tensorflow, engine)
    private_modules.show_all(api)
    mirrors.make_all()
    real = {"v1": tensorflow.compat.v1, "v2": tensorflow.compat.v2}
    version_names = {"v1": _version_names(tensorflow, version)}
    # TensorFlow 2 has these names only in tf.version.
    version_names["v2"] = {
        k: v for k, v in version_names["v1"].items() if k not in ("VERSION", "GIT_VERSION")
    }
    own_names = {
        name: {**version_names[name], "estimator": estimators[name]} for name in ("v1", "v2")
    }
    own_names["v1"]["distribute"] = distribute = _distribute_of_v1(real["v1"].distribute, api)
    own_names["v1"]["logging"] = logging = _logging_of_v1(tensorflow, api)
    inner = {
        name: modules.View(f"tensorflow.compat.{name}", real[name], own_names[name], api)
        for name in ("v1", "v2")
    }
    compat = modules.View("tensorflow.compat", tensorflow.compat, inner, api)
    names = {**version_names[api], "compat": compat, "estimator": estimators[api]}
    names.update((name, getattr(tensorflow, name)) for name in ("__file__", "__path__", "__spec__"))
    names.update(
        {"distribute": distribute, "logging": logging, **_only_v1()}
        if api == "v1"
        else _legacy_keras(tensorflow)
    )
    view = modules.View("tensorflow", real["v1"] if api == "v1" else tensorflow, names, api)
    # For libraries, too: TensorFlow had these until 2.15.
    tensorflow.estimator = estimators["v2"]
    real["v1"].estimator, real["v2"].estimator = estimators["v1"], estimators["v2"]
    for name, module in inner.items():
        full_name = f"tensorflow.compat.{name}"
        sys.modules[full_name] = two_sided.new(full_name, real[name], module)
    two_sided.make(tensorflow.compat, compat)
    two_sided.make(tensorflow, view, None if api == "v1" else frozenset(names))


def hide(tensorflow: types.ModuleType) -> None:
    """Reverts `show`."""
    mirrors.unmake_all()
    two_sided.unmake(tensorflow)
    two_sided.unmake(tensorflow.compat)
    private_modules.hide_all()
    for name in ("v1", "v2"):
        real = getattr(tensorflow.compat, name)
        sys.modules[f"tensorflow.compat.{name}"] = real
        del real.estimator
    del tensorflow.estimator
    for name in [name for name, module in sys.modules.items() if _is_ours(name, module)]:
        del sys.modules[name]


def _is_ours(name: str, module: Any) -> bool:
    kinds = (modules.Served, modules.View, two_sided.TwoSided)
    return name.startswith("tensorflow") and isinstance(module, kinds)


def _estimator(api: str, engine: str) -> modules.Served:
    """Returns tf.estimator of an API."""
    full_name = "tensorflow.estimator" if api == "v2" else "tensorflow.compat.v1.estimator"
    place = {
        ("v1", "ours"): "legacy.compat.v1.estimator",
        ("v2", "ours"): "legacy.estimator",
        ("v1", "original"): "tensorflow_estimator.python.estimator.api._v1.estimator",
        ("v2", "original"): "tensorflow_estimator.python.estimator.api._v2.estimator",
    }[api, engine]
    return modules.Served(full_name, (place,))


def _version_names(tensorflow: types.ModuleType, version: str) -> dict[str, Any]:
    """Returns the names that state TensorFlow's version."""
    git = f"v{version}"
    names = {"VERSION": version, "GIT_VERSION": git, "__version__": version}
    names["version"] = modules.View("tensorflow.version", tensorflow.version, dict(names), "v2")
    return names | {"__git_version__": git}


def _distribute_of_v1(distribute: types.ModuleType, api: str) -> modules.View:
    """Returns tf.distribute of TensorFlow 1, whose TPU resolver can be created without a TPU."""
    place = "legacy.contrib.cluster_resolver.NamedTPUClusterResolver"
    names = {"TPUClusterResolver": modules.Later(functools.partial(modules.find_place, place))}
    name = "tensorflow.distribute"
    resolvers = f"{name}.cluster_resolver"
    view = modules.View(resolvers, distribute.cluster_resolver, names, api)
    return modules.View(name, distribute, {"cluster_resolver": view}, api)


def _logging_of_v1(tensorflow: types.ModuleType, api: str) -> modules.View:
    """Returns tf.logging with `_logger`, which programs of TensorFlow 1 read."""
    names = {"_logger": tensorflow.get_logger()}
    return modules.View("tensorflow.logging", tensorflow.compat.v1.logging, names, api)


def _only_v1() -> dict[str, Any]:
    """Returns the names at the top of TensorFlow 1 that tf.compat.v1 lacks."""

    def later(name: str) -> modules.Later:
        return modules.Later(lambda: importlib.import_module(f"tensorflow.{name}"))

    return {name: later(name) for name in ("contrib", "core", "examples", "python", "tools")} | {
        "pywrap_tensorflow": later("python.pywrap_tensorflow"),
    }


def _legacy_keras(tensorflow: types.ModuleType) -> dict[str, Any]:
    """Returns legacy Keras's names for the top of TensorFlow 2, if Keras 3 was loaded before."""
    keras = importlib.import_module("tf_keras")
    if tensorflow.keras.Model is keras.Model:
        return {}
    return {"keras": keras} | {
        name: getattr(keras, name) for name in ("initializers", "losses", "metrics", "optimizers")
    }


def _add_to_keras(tensorflow: types.ModuleType, engine: str) -> None:
    """Adds `estimator` to both forms of tf.keras, because that of legacy Keras cannot work."""
    v2 = _legacy_keras(tensorflow).get("keras", tensorflow.keras)
    for api, keras in (("v1", tensorflow.compat.v1.keras), ("v2", v2)):
        name = "tensorflow.keras.estimator"
        convert = modules.Later(functools.partial(_model_to_estimator, api, engine))
        names = {"model_to_estimator": convert}
        keras.estimator = modules.View(name, types.ModuleType(name), names, api)


def _model_to_estimator(api: str, engine: str) -> Any:
    """Returns tf.keras.estimator.model_to_estimator of an API."""
    if engine == "ours":
        ours = importlib.import_module("legacy.estimator.keras.keras_model")
        return ours.model_to_estimator if api == "v1" else ours.model_to_estimator_v2
    original = importlib.import_module("tensorflow_estimator.python.estimator.keras_lib")
    return functools.partial(original.model_to_estimator, use_v2_estimator=api == "v2")
