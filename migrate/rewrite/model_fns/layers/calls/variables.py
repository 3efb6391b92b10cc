"""Replaces the variables of a model_fn by variables that __init__ makes.

    variables.take(maker, statement, call)  # tf.get_variable("w", [3])
    variables.take_initial_value(maker, statement, call, variable)  # tf.Variable(tf.zeros([3]))

The statements of `call` read the variable, which is an attribute of the model.
"""

from __future__ import annotations

import ast

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine import arguments
from migrate.rewrite.model_fns import NotUnderstood, rendering
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.layers import naming
from migrate.rewrite.model_fns.layers.calls import initial_values
from migrate.rewrite.model_fns.layers.calls.initial_values import InitialValue
from migrate.rewrite.model_fns.layers.object_maker import ObjectMaker
from migrate.rewrite.model_fns.layers.variable_names import ScopedName
from migrate.rewrite.names import modern_names

_WEIGHT = ("name", "shape", "dtype", "initializer", "regularizer", "trainable")


def take(maker: ObjectMaker, statement: ast.stmt, node: ast.Call) -> None:
    """Replaces tf.get_variable("w", [3]) by a weight of the model."""
    args = arguments.bind(node, ("name", "shape", "dtype", "initializer", "regularizer"))
    args = {key: args[key] for key in args if key != "reuse"} if args is not None else None
    if args is None or set(args) - set(_WEIGHT) or "name" not in args:
        raise NotUnderstood(f"the variable in line {node.lineno} has unsupported arguments")
    name = args["name"]
    use = maker.use(statement, node, maker.scopes.enter(node, name, ""), "self.add_weight", {})
    earlier = maker.shared.find(use)
    if earlier:
        maker.leave_out(args.values())
        maker.replace(node, maker.called(earlier, use.loop))
        return
    if "shape" not in args:
        raise NotUnderstood(f"the variable in line {node.lineno} has unsupported arguments")
    loop, tests = use.loop, use.tests
    targets = maker.around.targets(node, loop)
    scoped_name = maker.around.scoped_name(node, name, "", targets)
    scopes = scoped_name.scopes if scoped_name is not None else ()
    in_names = [name, *map(slices.parsed, scopes)]
    is_once = loop is None or any(slices.read(part) & targets for part in in_names)
    if scoped_name is None or not is_once:
        raise NotUnderstood(f"the name of the variable in line {node.lineno} is unknown")
    preferred_name = target(statement, node) or "variable"
    if isinstance(name, ast.Constant):
        preferred_name = str(name.value)
    elif naming.is_taken(preferred_name):
        preferred_name = f"{preferred_name}_variable"
    attribute = maker.free(preferred_name, in_loop=loop is not None)
    function, shape = use.function, args["shape"]
    text = maker.called(attribute, loop)
    if maker.known.unknown(shape) - targets:  # For example, it asks a tensor for its shape.
        module, imports = bridged_configs.module(maker.file, "porting")
        maker.imports.update(imports)
        function = f"{module}.Weight"
        args = {key: value for key, value in args.items() if key != "shape"}
        text = f"{text}.of_shape({maker.rendered.text(shape)})"
        use = use._replace(function=function)
    maker.shared.add(use, attribute)
    maker.make(*(attribute, function, args, loop, targets), scoped_name=scoped_name, tests=tests)
    maker.replace(node, text)


def take_initial_value(
    maker: ObjectMaker, statement: ast.stmt, node: ast.Call, variable: InitialValue
) -> None:
    """Replaces tf.Variable(tf.zeros([3])) by a variable that __init__ makes."""
    if variable.is_scoped:
        use, loop = None, maker.around.loop_of(statement, node, in_scope=False)
    else:
        entry = maker.scopes.enter(node, variable.name, "")
        use = maker.use(statement, node, entry, "tf.Variable", {})
        loop = use.loop
        earlier = maker.shared.find(use)
        if earlier:
            maker.leave_out([*variable.arguments.values(), node])
            maker.replace(node, maker.called(earlier, loop))
            return
    targets = maker.around.targets(node, loop)
    preferred_name = variable.kind
    if isinstance(variable.name, ast.Constant):
        preferred_name = str(variable.name.value)
    if preferred_name in ("", initial_values.KIND):
        preferred_name = target(statement, node) or "variable"
    if naming.is_taken(preferred_name):
        preferred_name = f"{preferred_name}_variable"
    attribute = maker.free(preferred_name, in_loop=loop is not None)
    if use is not None:
        maker.shared.add(use, attribute)
    own = None if variable.name is None else rendering.one_line(maker.file, variable.name)
    if variable.name is not None:
        maker.known.check(variable.name, targets)
        maker.around.reads |= slices.read(variable.name) - targets
    scopes = maker.around.scopes_of(node, targets, has_names=variable.is_scoped)
    maker.make(
        attribute,
        _variable_class(maker, node.func),
        variable.arguments,
        loop,
        targets | maker.known.settled(statement),
        scoped_name=ScopedName(scopes, own, variable.kind),
        tests=maker.around.tests(node, loop),
    )
    maker.settled |= maker.known.settled(statement)
    maker.makes_variables = maker.makes_variables or variable.is_scoped
    maker.numbers_scopes = maker.numbers_scopes or variable.is_scoped and bool(scopes)
    maker.replace(node, maker.called(attribute, loop))


def _variable_class(maker: ObjectMaker, function: ast.expr) -> str:
    """Returns the text of `tf.Variable` for a function that makes variables."""
    if maker.file.name_of(function) == "tf.Variable":
        return maker.file.segment(function)
    if isinstance(function, ast.Attribute):
        return f"{maker.file.segment(function.value)}.Variable"
    module, imports = modern_names.tensorflow_2(maker.file)
    maker.imports.update(imports)
    return f"{module}.Variable"


def target(statement: ast.stmt, value: ast.expr) -> str:
    """Returns the name to which a statement assigns a value, or ""."""
    is_assigned = isinstance(statement, ast.Assign) and statement.value is value
    target = statement.targets[0] if isinstance(statement, ast.Assign) and is_assigned else None
    return target.id if isinstance(target, ast.Name) else ""
