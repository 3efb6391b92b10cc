"""Facts about a file that follow from the other files of its program.

`program_files` sets most of them. `shared_estimators` and `shared_model_fns` add the rest.

>>> Context(api="v2").has_model_fn
False
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import NamedTuple


class OtherModel(NamedTuple):
    """The class that a model_fn of another file becomes.

    Attributes:
      name: Name of the class.
      takes_params: Whether it takes params.
      problem: Reason why results may differ, or "" if they cannot.
      odd_signature: Kind of an export whose input has another name than the request, or "".
      reason: Reason why there is no such class, or "" if there is one.
    """

    name: str
    takes_params: bool = False
    problem: str = ""
    odd_signature: str = ""
    reason: str = ""


class ModelClass(NamedTuple):
    """A model_fn that becomes a class for other files.

    Attributes:
      distributes: Whether several replicas may train it.
      stays: Whether other code still uses the model_fn.
    """

    distributes: bool
    stays: bool


@dataclasses.dataclass(frozen=True)
class Context:
    """Facts about a file that follow from the other files of its program.

    Attributes:
      api: The API that the program is written for, "v1" or "v2".
      local: Full names of names that come from other files of the program. For example,
        "@common.tf" may be "tensorflow".
      local_modules: Top-level names that are modules of the program.
      is_entry: Whether the file is run, rather than imported.
      is_starred: Whether another file imports all its names by `import *`.
      is_shared: Whether other files may use its names: it is imported, or does nothing by itself.
      exported_functions: Functions that return Estimators to other files, which are rewritten
        together with this one. The value says whether a strategy may train these Estimators there.
      estimator_functions: Functions of other files that return Estimators, by the name in this
        file. The value is the helper module that replaces the methods, and whether a strategy may
        train them.
      models: Classes that model_fns of other files become, by the name in this file.
      classes: The model_fns of this file that become classes for others.
      needs_keras: Whether any file of the program depends on the choice of a Keras version.
      is_old: Whether the program is one of the Estimator era at all.
      distributes: Whether any file of the program names a distribution strategy.
      enables_eager: Whether any file of the program turns eager execution on.
      collects_losses: Whether any file of the program reads the collection of tf.losses.
      collects_layers: Whether any file reads the variables, updates or penalties of layers from
        collections.
      seeds_graphs: Whether any file of the program sets the seed of a graph (`tf_random_seed`).
      trains_keras: Whether any file of the program trains a Keras model in place of an Estimator.
      has_model_fn: Whether any file of a program of several files has a model_fn. The file itself
        tells for a program of one file.
      runs_app: Whether each program that the file is in calls app.run, which parses the flags.
    """

    api: str = "v1"
    local: Mapping[str, str] = dataclasses.field(default_factory=dict)
    local_modules: frozenset[str] = frozenset()
    is_entry: bool = True
    is_starred: bool = False
    is_shared: bool = False
    exported_functions: Mapping[str, bool] = dataclasses.field(default_factory=dict)
    estimator_functions: Mapping[str, tuple[str, bool]] = dataclasses.field(default_factory=dict)
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
