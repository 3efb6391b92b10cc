"""The plan for a file: facts and decisions about the program that the file belongs to.

The plan is made once, before any file is changed. `program.program_files` reads the facts, and
`program.program_plan` makes the decisions. A rule finds the plan at `SourceFile.plan`.

>>> plan = FilePlan(ProgramFacts(names=frozenset(("tf.distribute.MirroredStrategy",))))
>>> plan.program.uses(lambda name: name.startswith("tf.distribute."))
True
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

# Start of the name of a method or attribute, as in `Decisions.imported_estimators`. For example,
# "@().build()" is the method `build` of any object, and "@().job" is its attribute `job`.
OF_OBJECT = "@()."
# Any function of a module, in `FilePlan.used_elsewhere`. For example, `getattr(models, name)` may
# be any function of the module `models`.
OF_MODULE = "@*"


@dataclasses.dataclass(frozen=True)
class ProgramFacts:
    """Facts that all files of a program share.

    A file may belong to several programs. It then gets the names of all of them.

    Attributes:
      api: The API that the program is written for, "v1" or "v2".
      names: Public names of TensorFlow that its files use, as TensorFlow 1 writes them.
      is_old: Whether the program is of the Estimator era.
      has_several_files: Whether it has more than one file.
      seeds_graphs: Whether any file sets the seed of a graph (`tf_random_seed`).
      runs_app: Whether each program that the file is in calls app.run, which parses the flags, and
        no file reads flags of another one before.
      type_words: Words of its files that tell the types of its data, such as "float32" and "numpy".
    """

    api: str = "v1"
    names: frozenset[str] = frozenset()
    is_old: bool = True
    has_several_files: bool = False
    seeds_graphs: bool = False
    runs_app: bool = False
    type_words: frozenset[str] = frozenset()

    def uses(self, is_wanted: Callable[[str], bool]) -> bool:
        """Says whether any file of the program uses a public name of some kind.

        Args:
          is_wanted: Says whether a name is of that kind.
        """
        return _any_is(is_wanted, self.names)


@functools.lru_cache(maxsize=1024)  # Rules ask again for each layer and in each pass.
def _any_is(is_wanted: Callable[[str], bool], names: frozenset[str]) -> bool:
    return any(map(is_wanted, names))


class OtherEstimator(NamedTuple):
    """The Estimator that a function of another file returned, and that becomes a model.

    Attributes:
      helpers: Module that replaces its methods, "as_estimator" or "porting".
      distributes: Whether a strategy may train it.
    """

    helpers: str
    distributes: bool


class OtherModel(NamedTuple):
    """The class that a model_fn of another file becomes.

    Attributes:
      name: Name of the class.
      takes_params: Whether it takes params.
      odd_signature: Kind of an export whose input has another name than the request, or "".
      reason: Reason why there is no such class, or "" if there is one.
      not_bridged: Reason why Keras cannot train the model_fn itself either, or "" if it can.
      is_returned: Whether the function returns the class, instead of being the model_fn.
      is_constant: Whether the model_fn is a constant of another file, which keeps its name.
      star: Module from which `import *` brings the function, as the file writes it, or "".
    """

    name: str
    takes_params: bool = False
    odd_signature: str = ""
    reason: str = ""
    not_bridged: str = ""
    is_returned: bool = False
    is_constant: bool = False
    star: str = ""


class ModelClass(NamedTuple):
    """A model_fn that becomes a class for other files.

    Attributes:
      name: Name of the class.
      distributes: Whether several replicas may train it.
      stays: Whether other code still uses the model_fn.
      is_returned: Whether a function of the file returns the class to others.
    """

    name: str
    distributes: bool
    stays: bool = False
    is_returned: bool = False


class InputFunction(NamedTuple):
    """A function of another file that may be an input_fn, or may return one.

    Attributes:
      tensors: Place at which it returns tensors, such as "line 8 of data.py", or "" if none is
        known.
      made_tensors: Place at which the function that it returns gives tensors, or "" if none is
        known.
    """

    tensors: str = ""
    made_tensors: str = ""


class OtherFunction(NamedTuple):
    """A function of another file whose statements may replace its calls.

    Attributes:
      path: Path of the file.
      text: Text of the file.
      plan: Plan for the file.
      function: Name of the function there.
      is_direct: Whether its name comes directly from that file, so that other names of the file
        can be imported in the same way.
    """

    path: str
    text: str
    plan: FilePlan
    function: str
    is_direct: bool


@dataclasses.dataclass(frozen=True)
class Decisions:
    """The parts of a file that change together with other files.

    Attributes:
      exported_estimators: Functions of this file that return Estimators to other files, and return
        models instead. The value says whether a strategy may train them there. Methods and
        attributes are "Class.name".
      kept_estimators: Reasons why other functions of this file still return Estimators to other
        files.
      imported_estimators: Functions of other files that return models instead of Estimators, by
        the name in this file. For example, "@model.build" for `model.build()`. With
        OF_OBJECT, it is a method or an attribute of any object.
      exported_experiments: Functions of this file by which other files get Experiments, and that
        run them instead. The value is the method that runs them.
      imported_experiments: Functions of other files that run an Experiment instead of returning
        it, by the name in this file. The value is the number of calls that lead to the Experiment:
        2 for a function that returns an experiment_fn.
      exported_models: The model_fns of this file that become classes for others.
      imported_models: Classes that model_fns of other files become, by the name in this file.
      assigned_models: Classes of other files that constants of this file become, by the constant.
      trains_keras: Whether any file of the program trains a Keras model in place of an Estimator.
      imported_inputs: Functions of other files, by the name in this file.
      unpacked_functions: Functions of this file whose results other files use as tensors.
      factories: Functions of other files that make specs, configs or Estimators, by the name in
        this file.
      helpers: Functions of other files that a model_fn of this file may call, by the name in this
        file.
      silent_functions: Functions of other files that only print, log or write summaries, by the
        name in this file.
      tensors_elsewhere: Place in another file of the program that gets tensors from an iterator or
        a queue, such as "line 8 of data.py", or "" if there is none.
      sessions_elsewhere: Reason why sessions of other files need graphs in any case, or "".
      changes_sessions: Whether session code of other files gets a graph if Keras trains here.
      estimator_code: Functions of other files, by the name in this file, that make or use
        Estimators.
    """

    exported_estimators: Mapping[str, bool] = dataclasses.field(default_factory=dict)
    kept_estimators: Mapping[str, str] = dataclasses.field(default_factory=dict)
    imported_estimators: Mapping[str, OtherEstimator] = dataclasses.field(default_factory=dict)
    exported_experiments: Mapping[str, str] = dataclasses.field(default_factory=dict)
    imported_experiments: Mapping[str, int] = dataclasses.field(default_factory=dict)
    exported_models: Mapping[str, ModelClass] = dataclasses.field(default_factory=dict)
    imported_models: Mapping[str, OtherModel] = dataclasses.field(default_factory=dict)
    assigned_models: Mapping[str, OtherModel] = dataclasses.field(default_factory=dict)
    trains_keras: bool = False
    imported_inputs: Mapping[str, InputFunction] = dataclasses.field(default_factory=dict)
    unpacked_functions: frozenset[str] = frozenset()
    tensors_elsewhere: str = ""
    factories: Mapping[str, OtherFunction] = dataclasses.field(default_factory=dict)
    helpers: Mapping[str, OtherFunction] = dataclasses.field(default_factory=dict)
    silent_functions: frozenset[str] = frozenset()
    sessions_elsewhere: str = ""
    changes_sessions: bool = False
    estimator_code: frozenset[str] = frozenset()


@dataclasses.dataclass(frozen=True)
class FilePlan:
    """The plan for a file.

    Attributes:
      program: Facts that all files of its program share.
      decisions: Its parts that change together with other files.
      local: Full names of names that come from other files of the program. For example,
        "@common.tf" may be "tensorflow".
      local_modules: Top-level names that are modules of the program.
      is_entry: Whether the file is run, rather than imported.
      is_starred: Whether another file imports all its names by `import *`.
      is_shared: Whether other files may use its names: it is imported, or does nothing by itself.
      names_elsewhere: Public names of TensorFlow that other files of its programs use.
      changed_elsewhere: Attributes that other files of its programs assign, and classes from which
        they derive others. "*" stands for an attribute whose name is computed. "@SIZE" stands for
        the name SIZE of a module that they change.
      used_elsewhere: Names that other files of its programs import, and attributes that they use
        on objects which may come from other files. "*" stands for a name that is computed, and
        OF_MODULE for the computed name of a module's function. None if no file is known that
        imports this one.
    """

    program: ProgramFacts = ProgramFacts()
    decisions: Decisions = Decisions()
    local: Mapping[str, str] = dataclasses.field(default_factory=dict)
    local_modules: frozenset[str] = frozenset()
    is_entry: bool = True
    is_starred: bool = False
    is_shared: bool = False
    names_elsewhere: frozenset[str] = frozenset()
    changed_elsewhere: frozenset[str] = frozenset()
    used_elsewhere: frozenset[str] | None = None

    def deciding(self, **decisions: Any) -> FilePlan:
        """Returns this plan with other decisions.

        Args:
          **decisions: Attributes of `Decisions`.
        """
        return dataclasses.replace(
            self,
            decisions=dataclasses.replace(self.decisions, **decisions),
        )
