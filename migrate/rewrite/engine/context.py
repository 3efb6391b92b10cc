"""What is known of a file from the files around it; `programs`, `handed_on`, `model_files` say it.

>>> Context(api="v2").has_model_fn
False
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import NamedTuple


class OtherModel(NamedTuple):
    """The class that the model_fn of another file becomes.

    name: Its name.
    takes_params: Whether it takes params.
    problem: Why it may not compute the same; "" where it does.
    odd_signature: What of its exports has an input of another name; "" for none.
    reason: Why there is no such class; "" where there is.
    """

    name: str
    takes_params: bool = False
    problem: str = ""
    odd_signature: str = ""
    reason: str = ""


class ModelClass(NamedTuple):
    """A model_fn that becomes a class for other files.

    distributes: Whether several replicas may train it.
    stays: Whether something else uses the model_fn.
    """

    distributes: bool
    stays: bool


@dataclasses.dataclass(frozen=True)
class Context:
    """What is known of a file from the files around it.

    Attributes:
      api: What the program is written for, "v1" or "v2".
      local: What names that come from other files of the program stand for: "@common.tf" may be
        "tensorflow".
      local_modules: Top-level names that are modules of the program.
      is_entry: Whether the file is run, rather than imported.
      is_starred: Whether another file has all its names, by `import *`.
      is_shared: Whether other files may use its names: it is imported, or does nothing by itself.
      hands_on: Functions that return Estimators to other files, which change with it; each with
        whether a strategy may train these there.
      handed: What names of other files' functions stand for that return Estimators: the module of
        helpers that does there what these did, and whether a strategy may train them.
      models: What names of other files' model_fns stand for that become classes there.
      classes: The model_fns of this file that become classes for others.
      needs_keras: Whether any file of the program uses what depends on the choice of a Keras.
      is_old: Whether the program is one of the Estimator era at all.
      distributes: Whether any file of the program names a distribution strategy.
      enables_eager: Whether any file of the program turns eager execution on.
      collects_losses: Whether any file of the program asks what losses of tf.losses there are.
      collects_layers: Whether any asks what layers have: variables, updates, penalties.
      seeds_graphs: Whether any file of the program sets the seed of a graph (`tf_random_seed`).
      trains_keras: Whether any file of the program trains a Keras model in an Estimator's place.
      has_model_fn: Whether any file of a program of several has a model_fn; of one, the file says.
      runs_app: Whether each program that the file is in runs app.run, which parses the flags.
    """

    api: str = "v1"
    local: Mapping[str, str] = dataclasses.field(default_factory=dict)
    local_modules: frozenset[str] = frozenset()
    is_entry: bool = True
    is_starred: bool = False
    is_shared: bool = False
    hands_on: Mapping[str, bool] = dataclasses.field(default_factory=dict)
    handed: Mapping[str, tuple[str, bool]] = dataclasses.field(default_factory=dict)
    models: Mapping[str, OtherModel] = dataclasses.field(default_factory=dict)
    classes: Mapping[str, ModelClass] = dataclasses.field(default_factory=dict)
    needs_keras: bool = False
    is_old: bool = True
    distributes: bool = False
    enables_eager: bool = False
    collects_losses: bool = False
    collects_layers: bool = False
    seeds_graphs: bool = False
    trains_keras: bool = False
    has_model_fn: bool = False
    runs_app: bool = False
