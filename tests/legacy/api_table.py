"""Compares a package with the recorded public API of tf.estimator and tf.contrib.

`data/estimator_api.json` holds names, kinds, signatures and members, as introspected in TensorFlow
2.15.1 and 1.15.5.
"""

import inspect
import json
import pathlib
import re

FACTS = json.loads((pathlib.Path(__file__).parent / "data" / "estimator_api.json").read_text())

_MISSING = object()
_SINCE_PYTHON_311 = ("add_note",)  # A member of exceptions on the Python of the recording.
_PLAIN_DEFAULT = re.compile(r"None|True|False|'[^']*'|-?[\d.]+(e-?\d+)?")


def find(root, name):
    """Returns the object at a dotted name below a module, or `_MISSING`."""
    for part in name.split("."):
        root = getattr(root, part, _MISSING)
        if root is _MISSING:
            return _MISSING
    return root


def differences(fact, found):
    """Returns a line for each difference between an object and its entry in the table."""
    if found is _MISSING:
        return ["is missing"]
    lines = _kind(fact, found)
    if fact.get("signature") and fact["kind"] in ("function", "class"):
        lines += _signature(fact["signature"], found, "")
    if fact["kind"] == "class":
        names = {base.__name__ for base in inspect.getmro(found)}
        lines += [f"is no subclass of {base}" for base in fact["bases"] if base not in names]
        if "fields" in fact and list(getattr(found, "_fields", ())) != fact["fields"]:
            lines.append(f"has fields {getattr(found, '_fields', ())}, not {fact['fields']}")
        for name, member in fact.get("members", {}).items():
            if name not in _SINCE_PYTHON_311:
                lines += _member(name, member, found)
    return lines


def _kind(fact, found):
    right = {
        "class": inspect.isclass,
        "function": callable,
        "module": inspect.ismodule,
        "constant": lambda value: "value" not in fact or repr(value) == fact["value"],
    }
    return [] if right[fact["kind"]](found) else [f"is no {fact['kind']}: {found!r}"]


def _member(name, member, owner):
    static = inspect.getattr_static(owner, name, _MISSING)
    if static is _MISSING:
        return [f".{name} is missing"]
    if member["kind"] == "property":
        is_one = isinstance(static, property) or not callable(static)
        return [] if is_one else [f".{name} is no property"]
    if member["kind"] == "method" and member.get("signature"):
        return _signature(member["signature"], getattr(owner, name), f".{name}")
    if member["kind"] == "constant":
        return [f".{name}: {line}" for line in _kind(member, getattr(owner, name))]
    return []


def _signature(text, found, where):
    if "*args" in text and "**kwargs" in text:
        return []  # The signature that `object` and `type` have. It says nothing.
    try:
        parameters = list(inspect.signature(found).parameters.values())
    except (TypeError, ValueError):
        return [f"{where} has no signature; should have {text}"]
    wanted = _parse(text)
    if wanted and wanted[0][0] in ("self", "cls") and parameters[:1]:
        # A class method or __new__ may be bound or not, so the first parameter is not compared.
        wanted = wanted[1:]
        parameters = parameters[1:] if parameters[0].name in ("self", "cls") else parameters
    seen = [(_name(p), _default(p)) for p in parameters]
    same = len(seen) == len(wanted) and all(
        a[0] == b[0] and (a[1] == b[1] or (b[1] == "..." and a[1] is not None))
        for a, b in zip(seen, wanted, strict=True)
    )
    return [] if same else [f"{where} has the signature {seen}, not {text}"]


def _name(parameter):
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
    return stars.get(parameter.kind, "") + parameter.name


def _default(parameter):
    return None if parameter.default is parameter.empty else repr(parameter.default)


def _parse(text):
    """Returns (name, default) of each recorded parameter, with "..." for a default object."""
    inner = re.sub(r"<[^<>]*(<[^<>]*>[^<>]*)*>", "OBJECT", text.strip()[1:-1])
    parameters = []
    for part in re.split(r",\s*(?![^\[\](){}]*[\])}])", inner):
        if part and part not in ("*", "/"):
            name, _, default = part.partition("=")
            if default and not _PLAIN_DEFAULT.fullmatch(default):
                default = "..."
            parameters.append((name.strip(), default or None))
    return parameters
