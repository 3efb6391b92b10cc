"""Reads the model_fn of an Estimator, from the same or another file, as a Keras model.

use = read(file, job)
if isinstance(use, ModelUse):
    print(use.constructor_call("params"))
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine.rule import Edit
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators.estimator_jobs import Job
from migrate.rewrite.model_fns import aliases, keras_model, other_files, places
from migrate.rewrite.model_fns.builders import Returned
from migrate.rewrite.model_fns.keras_model import KerasModel
from migrate.rewrite.model_fns.other_files import ImportedModel
from migrate.rewrite.model_fns.places import Place


class ModelUse(NamedTuple):
    """The use of a Keras model by an Estimator.

    Attributes:
      model: The model. Other Estimators may use it too.
      place: Place of its class, as the Estimator reaches it. None for a class of another file.
      returned: The class as a function returns it, or None.
    """

    model: KerasModel | ImportedModel
    place: Place | None = None
    returned: Returned | None = None

    def constructor_call(self, params: str) -> str:
        """Returns the expression that makes the model.

        Args:
          params: Text of the params, or "" if the class takes none.
        """
        if self.place is not None:
            return self.place.constructor_call(self.model.name, params)
        return f"{self.returned.text if self.returned else self.model.name}({params})"


def read(file: SourceFile, job: Job) -> ModelUse | str:
    """Returns an Estimator's model_fn as a Keras model, or the reason why it cannot become one.

    Args:
      file: The file.
      job: The Estimator.
    """
    node = job.arguments["model_fn"]
    node = aliases.value_of(file, node) or node
    other = other_files.of(file, node)
    if other is not None:
        return other if isinstance(other, str) else ModelUse(other)
    builder = other_files.builder_of(file, node)
    if builder is not None:
        return builder if isinstance(builder, str) else ModelUse(builder[0], None, builder[1])
    place = places.of(file, node)
    if isinstance(place, str):
        return place
    models = file.computed(_known_models)
    if place.function not in models:
        models[place.function] = place, keras_model.read(file, place.function, place)
    first_place, model = models[place.function]
    if first_place.bound.keys() != place.bound.keys():
        return f"the arguments of its model_fn {place.function.name} are set in different ways"
    return model if isinstance(model, str) else ModelUse(model, place, place.returned)


def edits(file: SourceFile, job: Job, use: ModelUse) -> tuple[Edit, ...]:
    """Returns the edits of the statements that assign an Estimator's model_fn to a name.

    Args:
      file: The file.
      job: The Estimator.
      use: Its Keras model.
    """
    all_edits = []
    if use.returned is not None and use.returned.target is not None:
        all_edits.append(Edit(*file.span(use.returned.target), use.returned.text))
    value = aliases.value_of(file, job.arguments["model_fn"])
    if value is not None:
        all_edits.append(bridged_configs.removal(file, file.statement(value)))
    return tuple(all_edits)


def _known_models(file: SourceFile) -> dict[ast.FunctionDef, tuple[Place, KerasModel | str]]:
    """Returns the dictionary of the models of a file's functions, which `read` fills.

    The model of a function is read for its first place.
    """
    return {}
