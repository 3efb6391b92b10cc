"""Reads a model_fn as a Keras model, and refuses what no Keras model is known to compute.

model = read(file, function)
if isinstance(model, KerasModel):
model.text()
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import bridged_configs, v2_switches
from migrate.rewrite.engine.rule import Check, Edit, Import
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood, OtherMetrics, metrics, optimizers, rendering
from migrate.rewrite.model_fns.analysis import checks, lookup_tables, slices
from migrate.rewrite.model_fns.analysis import shape as shapes
from migrate.rewrite.model_fns.analysis.heads import Head
from migrate.rewrite.model_fns.analysis.known_values import Scope
from migrate.rewrite.model_fns.class_text import ClassText
from migrate.rewrite.model_fns.expansion import expanded
from migrate.rewrite.model_fns.expansion.draft import Draft
from migrate.rewrite.model_fns.layers import idle_averages, naming
from migrate.rewrite.model_fns.layers.objects import Objects
from migrate.rewrite.model_fns.layers.parts import Parts
from migrate.rewrite.model_fns.places import Place
from migrate.rewrite.model_fns.rendering import Rendered
from migrate.rewrite.model_fns.replacement import Replacement
from migrate.rewrite.names import modern_names

_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_DOUBLE = ("tf.double", "tf.float64", "tf.to_double")
_DISPLAYS = (ast.Constant, ast.Dict, ast.List)
_LOSSES = {
    "tf.losses.get_regularization_loss": "sum(self.losses)",
    "tf.losses.get_regularization_losses": "self.losses",
    "tf.trainable_variables": "self.trainable_variables",
}
_COLLECTIONS = {
    "tf.GraphKeys.REGULARIZATION_LOSSES": "self.losses",
    "tf.GraphKeys.TRAINABLE_VARIABLES": "self.trainable_variables",
}


class KerasModel:
    """A model_fn that can become a Keras model.

    Attributes:
      function: The model_fn.
      name: Name of the class.
      takes_params: Whether the class takes params.
      imports: Imports that the class needs.
      distributes: Whether several replicas may train it.
    """

    def __init__(
        self,
        draft: Draft,
        original: SourceFile | None = None,
        place: Place | None = None,
        streams: bool = False,
    ) -> None:
        """Reads a model_fn.

        Args:
          draft: The file with the model_fn, which may be expanded.
          original: The file without the expansion. Default: the same file.
          place: Place of the class. Default: the place of a module-level function.
          streams: Whether functions may make metrics that Keras does not have.

        Raises:
          NotUnderstood: No Keras model is known to compute the same.
        """
        file, function = draft.file, draft.function
        self._draft, self._original = draft, original or file
        self._file, self.function, self.distributes = file, function, False
        self._place = place or Place(function)
        self._owner = function.args.args[0].arg if self._place.owner else ""
        self.takes_params = any(argument.arg == "params" for argument in function.args.args)
        bound = [name for name in self._place.bound if name != "params"]
        params = ("params",) if self.takes_params else ()
        self._static = (*filter(None, [self._owner]), *params, *bound)
        self._tables = lookup_tables.read(file, function, self._static)
        self._shape = shapes.read(file, function, self._static, streams, self._tables)
        self._keras, imports = modern_names.keras(file)
        self._rendered = Rendered(file)
        self._replaced_ids: set[int] = set()
        for literal, text in self._shape.literals.items():
            self._rendered.replace(literal, text)
        self._replace_params()
        self._replace_tables()
        self._replace_losses()
        self._parts = Parts(file)
        head = self._shape.head
        scope = Scope(
            function,
            self._shape.modes,
            self._shape.forward,
            self._shape.outputs,
            frozenset((*self._static, *self._tables.values, *((head.local,) if head else ()))),
            frozenset(("features", "labels", "mode")),
            dict(head.dimensions(function)) if head else {},
        )
        self._objects = Objects(file, scope, self._rendered, self._parts.part)
        self._parts.check_shared(self._objects)
        # The numbers of layers depend on all classes, which exist once the objects have been found.
        self._parts.number(self._objects)
        self._check_types()
        self._check_other_parts(scope)
        self._replace_metric_parameters()
        self._metrics = metrics.read(file, self._shape, self._rendered)
        self._training = optimizers.read(file, self._shape, self._rendered)
        self._keep_averages()
        self.name = self._class_name()
        self._check_filters()
        needed = {*self._training.imports}.union(*(owner.imports for owner in self._owners()))
        self.imports = (*imports, *sorted(needed - {*imports}))
        if self._parts.numbering.is_needed(self._objects) or self._shape.streamed is not None:
            self.imports += bridged_configs.module(file, "porting")[1]
        self._base = f"{self._keras}.Model"
        if head is not None:
            module, head_imports = bridged_configs.module(file, "heads")
            self.imports, self._base = (*self.imports, *head_imports), f"{module}.{head.name}"
            self._check_head(head)
        self._check_names()
        checks.refuse_undefined(file, function, {text for _, text in draft.imports})
        self.imports += tuple(sorted(self._of_helpers() - {*self.imports}))

    def _of_helpers(self) -> set[Import]:
        """Returns the modules that statements of other files need."""
        names = slices.read(ast.parse(self.text()))
        modules = {module: text for module, text in self._draft.imports if text in names}
        for module, text in modules.items():
            if self._original.module_name(module) != text:
                raise NotUnderstood(f"the name {text} means something else in this file")
        return {*modules}

    def _class_name(self) -> str:
        of_class = self._place.of_class
        if of_class is None:
            return rendering.class_name(self._file, self.function)
        preferred_name = (
            of_class.name if of_class.name.endswith("Model") else f"{of_class.name}Model"
        )
        return self._file.new_name(preferred_name, ("the class of", self.function), is_public=True)

    # Replacements in all statements.

    def _replace_params(self) -> None:
        """Replaces params, and the object of a method, by attributes of the model."""
        for node in ast.walk(self.function):
            if (
                isinstance(node, ast.Name)
                and node.id in self._static
                and isinstance(node.ctx, ast.Load)
            ):
                self._rendered.replace(node, f"self.{naming.stored(node.id)}")

    def _replace_tables(self) -> None:
        """Replaces lookup tables by attributes of the model."""
        for node in ast.walk(self.function):
            is_load = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
            if isinstance(node, ast.Name) and is_load and node.id in self._tables.values:
                self._rendered.replace(node, f"self.{naming.stored(node.id)}")
        rendered = Rendered(self._file)
        roots = [*self._tables.settings.values(), *self._tables.values.values()]
        for node in (part for root in roots for part in ast.walk(root)):
            if not isinstance(node, ast.Name):
                continue
            value = self._tables.settings.get(node.id)
            if node.id in (*self._static, *self._tables.values):
                rendered.replace(node, f"self.{naming.stored(node.id)}")
            elif value is not None:
                text = rendered.text(value)
                rendered.replace(
                    node, text if isinstance(value, (*_ATOMS, *_DISPLAYS)) else f"({text})"
                )
        self._table_texts = {
            name: rendered.text(call) for name, call in self._tables.values.items()
        }

    def _replace_losses(self) -> None:
        """Replaces collections of losses and variables by attributes of the model."""
        for match in self._file.names():
            call = match.call
            if call is None or self._file.function(call) is not self.function:
                continue
            text = _LOSSES.get(match.name) if not call.args and not call.keywords else None
            if match.name == "tf.get_collection" and len(call.args) == 1:
                text = _COLLECTIONS.get(self._file.name_of(call.args[0]) or "")
            if text:
                if text == "self.trainable_variables":
                    checks.refuse_selection(self._file, self.function, call)
                self._rendered.replace(call, text)
                self._replaced_ids.update(id(part) for part in ast.walk(call))

    def _replace_metric_parameters(self) -> None:
        """Replaces the parameters of the function that returns the metrics by their arguments."""
        part = self._shape.evaluation
        values = part.parameter_values if part is not None else {}
        texts = {name: self._rendered.text(value) for name, value in values.items()}
        for root in (*part.statements, *part.expressions) if part is not None else ():
            for node in ast.walk(root):
                if not isinstance(node, ast.Name) or texts.get(node.id, node.id) == node.id:
                    continue
                if isinstance(node.ctx, ast.Load):
                    text = texts[node.id]
                    is_atom = isinstance(values[node.id], _ATOMS)
                    self._rendered.replace(node, text if is_atom else f"({text})")

    # Checks that need the whole model_fn.

    def _owners(self) -> list[Objects]:
        """Returns the objects of the model and of its parts."""
        parts = [part_class.objects for part_class in self._parts.classes.values()]
        return [self._objects, *parts]

    def _layer_functions(self) -> list[str]:
        """Returns the functions that make the layers of the model and of its parts."""
        return [item.function for owner in self._owners() for item in owner.items]

    def _check_types(self) -> None:
        """Refuses layers in a forward pass of float64, if those of Keras will cast to float32."""
        if v2_switches.keeps_float_types(self._file):
            return
        texts = (
            text for owner in self._owners() for item in owner.items for text in item.parts[:1]
        )
        if not any(".layers." in text for text in (*self._layer_functions(), *texts)):
            return
        for statement in self._shape.forward:
            for match in checks.names_in(self._file, statement):
                if match.name in _DOUBLE:
                    raise NotUnderstood(
                        f"its layers may compute in float64 (line {match.node.lineno}), and those "
                        "of Keras compute in float32"
                    )

    def _keep_averages(self) -> None:
        """Keeps the averages of batch normalization, if no training step updates them."""
        for owner in self._owners() if not self._training.runs_updates else ():
            owner.items[:] = [idle_averages.without_updates(item) for item in owner.items]

    def _check_filters(self) -> None:
        """Refuses a filter such as `'bias' not in v.name` that the name of a class would match.

        Keras puts the name of the model, and of layers that hold others, first.
        """
        classes = [self.name, *(part.name for part in self._parts.classes.values())]
        for node in ast.walk(self.function):
            if not isinstance(node, ast.Compare) or not isinstance(node.left, ast.Constant):
                continue
            word, (owner, *_) = node.left.value, node.comparators
            if not isinstance(owner, ast.Attribute) or owner.attr != "name":
                continue
            for name in classes:
                if isinstance(word, str) and word in naming.snake(name):
                    raise NotUnderstood(
                        f"the class {name} has {word!r} in its name, which it finds"
                    )

    def _check_head(self, head: Head) -> None:
        """Refuses logits, outputs and labels that the class of a head cannot handle."""
        outputs, logits = self._shape.outputs, self._rendered.text(self._shape.loss.expressions[0])
        if self._shape.loss.statements or logits not in outputs:
            raise NotUnderstood("the logits of its head are not a name of its forward pass")
        if len(outputs) > 1 and logits != "logits":
            raise NotUnderstood(f"it has other outputs, and the logits are named {logits}")
        labels = self._shape.labels
        if labels is not None and labels.names & {*outputs, "mode"}:
            raise NotUnderstood("its labels depend on the forward pass or on the mode")

    def _check_other_parts(self, scope: Scope) -> None:
        """Refuses computations after the forward pass that methods of a Keras model cannot do."""
        for part in self._shape.parts:
            for node in (*part.statements, *part.expressions):
                scope.modes.refuse_others(node)
                checks.refuse(self._file, node, scope.local, self._replaced_ids, has_labels=True)
            for name in self._shape.outputs:
                if slices.changes_initial_value(part.statements, name):
                    raise NotUnderstood(f"it changes {name} after the forward pass")

    def _check_names(self) -> None:
        """Refuses names of the model_fn that no statement of a method binds."""
        local = slices.bound_inside(self.function) | {"features", "labels", "mode", *self._static}
        (definition,) = ast.parse(self.text()).body
        for method in definition.body if isinstance(definition, ast.ClassDef) else ():
            if isinstance(method, ast.FunctionDef):
                inner = [
                    statement for statement in method.body if isinstance(statement, ast.FunctionDef)
                ]
                free_names = slices.open_names(
                    [statement for statement in method.body if statement not in inner]
                )
                free_names -= {function.name for function in inner}
                free_names = (
                    free_names.union(*(slices.open_names(function.body) for function in inner))
                    & local
                )
                free_names -= {node.arg for node in ast.walk(method) if isinstance(node, ast.arg)}
                free_names -= slices.of_comprehensions(method)
                if method.name == "__init__":
                    free_names -= self._objects.maker.nests.names
                if method.name == "compute_metrics":
                    free_names -= metrics.conditional_names(self._shape)
                if free_names:
                    raise NotUnderstood(
                        f"the method {method.name} would have no value for {sorted(free_names)[0]}"
                    )

    @property
    def check(self) -> Check | None:
        """The check that the class computes the same. None for a function with other arguments."""
        if self._file.parent(self.function) is not self._file.tree or self._place.bound:
            return None
        functions = [
            statement
            for statement in self._file.tree.body
            if isinstance(statement, ast.FunctionDef)
        ]
        inputs = [function.name for function in functions if function.name.endswith("input_fn")]
        inputs = [name for name in inputs if "train" in name] or inputs
        data = inputs[0] if inputs else "INPUT_FN"
        return Check(self.function.name, self.name, data, self.takes_params)

    @property
    def odd_signature(self) -> str:
        """The kind of an export whose input is not named as in the request, or ""."""
        functions = [
            call.func for call in self._shape.exports.values() if isinstance(call, ast.Call)
        ]
        names = [(self._file.name_of(function) or "").rpartition(".")[2] for function in functions]
        return next((name for name in names if name != "PredictOutput"), "")

    # The class.

    def edits(self, uses: int) -> Iterator[Edit]:
        """Yields the edits that replace the functions by classes.

        Args:
          uses: Number of uses of the model_fn's name that are removed.
        """
        replacement = Replacement(self._original, self._draft, self._place)
        classes = [*self._parts.classes.values()]
        yield from replacement.edits(self.text(), self.name, classes, uses, self._shape.head)

    def text(self) -> str:
        """Returns the text of the class."""
        text = ClassText(
            self._file,
            self.function,
            self.name,
            self._base,
            self._keras,
            self._static,
            self._shape,
            self._objects,
            self._parts.numbering,
            self._metrics,
            self._training,
            self._rendered,
            self.distributes,
            self._table_texts,
        )
        return text.text()


def read(
    file: SourceFile, function: ast.FunctionDef, place: Place | None = None
) -> KerasModel | str:
    """Returns a model_fn as a Keras model, or the reason why it cannot become one.

    Args:
      file: The file.
      function: The model_fn.
      place: Place of the class. Default: the place of a module-level function.
    """
    is_method = place is not None and bool(place.owner)
    first: KerasModel | NotUnderstood = NotUnderstood("its object has state")
    if not is_method:
        first = _read(Draft.of(file, function), file, place)
    if isinstance(first, KerasModel):
        return first
    reason = str(first)
    # Metrics of Keras are preferred, also if only a later copy shows them.
    open_drafts = [Draft.of(file, function)] if isinstance(first, OtherMetrics) else []
    try:
        for draft in expanded.drafts(file, function):
            model = _read(draft, file, place)
            if isinstance(model, KerasModel):
                return model
            open_drafts += [draft] if isinstance(model, OtherMetrics) else []
            reason = draft.in_original(str(model))
    except NotUnderstood as error:
        reason = str(error) if is_method else reason
    for draft in open_drafts:
        model = _read(draft, file, place, streams=True)
        if isinstance(model, KerasModel):
            return model
        reason = draft.in_original(str(model))
    return reason


def _read(
    draft: Draft, original: SourceFile, place: Place | None, streams: bool = False
) -> KerasModel | NotUnderstood:
    try:
        return KerasModel(draft, original, place, streams)
    except NotUnderstood as error:
        return error
    except SyntaxError as error:  # The text is valid in the function, but not in a method.
        return NotUnderstood(
            f"the statement {(error.text or '').strip()!r} cannot move into a method"
        )
