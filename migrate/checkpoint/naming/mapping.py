"""Pairs the variables of two programs: a proposal, and a file in which the user settles it.

    left = [Tensor("fc/w", (8, 2), "float32"), Tensor("fc/b", (2,), "float32")]
    right = [Tensor("head/kernel:0", (8, 2), "float32"), Tensor("head/bias:0", (2,), "float32")]
    propose(left, right).pairs  # {"fc/w": "head/kernel:0", "fc/b": "head/bias:0"}

Names decide first, then shapes if they leave one possibility. A variable with several possible
partners is listed with its candidates and left to the user, because a wrong pair of the same shape
loads without an error. The file has one line for each variable:

    conv2d/kernel = conv/kernel:0          # by name
    dense/kernel = ?                       # one of: fc1/kernel:0 | fc2/kernel:0
    old_head/kernel = -                    # left out on purpose
    - = new_head/kernel:0                  # keeps its initial value in the new model
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence

from migrate.checkpoint.naming import names
from modern.process import cli, foreign_files

NOTHING = "-"
OPEN = "?"
_MOST_BYTES = 64 << 20

_HEADER = """\
# Which variable of the one side (left) is which of the other (right).
#   left = right   the same variable        left = ?   not settled: write one of those named
#   left = -       left out on purpose      - = right  keeps the value it is initialized with
# One variable that is settled settles its layer: the rest of it follows.
"""


@dataclasses.dataclass(frozen=True)
class Tensor:
    """A variable as a checkpoint or a program names it.

    Attributes:
      name: Name on its side, where it is unique.
      shape: Shape of the whole variable, even if it is stored in parts.
      dtype: Type such as "float32".
      trainable: None if unknown.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    trainable: bool | None = None


@dataclasses.dataclass
class TensorMap:
    """The pairs of two sets of variables.

    Attributes:
      pairs: Maps names on the left to names on the right.
      ambiguous: Maps names on the left to their candidates on the right, in order.
      only_left: Names on the left without a counterpart on the right.
      only_right: Names on the right without a counterpart on the left.
      left_out: Names on the left that the user left out.
      initialized: Names on the right that keep their initial values by the user's choice.
      reasons: Maps names on the left to the reasons for their pairs.
    """

    pairs: dict[str, str] = dataclasses.field(default_factory=dict)
    ambiguous: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    only_left: tuple[str, ...] = ()
    only_right: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    initialized: tuple[str, ...] = ()
    reasons: dict[str, str] = dataclasses.field(default_factory=dict)
    _places: dict[tuple[str, str], str] = dataclasses.field(default_factory=dict, repr=False)

    @property
    def complete(self) -> bool:
        """True if every variable of both sides is paired or excluded by the user."""
        return not (self.ambiguous or self.only_left or self.only_right)

    def place(self, side: str, name: str) -> str:
        """Returns the place of a variable in the map file, "FILE line N: ", or ""."""
        return self._places.get((side, name), "")

    def text(self) -> str:
        """Returns the map as the text of a map file."""
        lines = [(left, right, self.reasons.get(left, "")) for left, right in self.pairs.items()]
        lines += [
            (left, OPEN, "one of: " + _join_names(rights))
            for left, rights in self.ambiguous.items()
        ]
        lines += [
            (left, OPEN, f"no counterpart: {NOTHING} leaves it out") for left in self.only_left
        ]
        lines += [(left, NOTHING, "left out") for left in self.left_out]
        lines += [
            (OPEN, right, f"no counterpart: {NOTHING} keeps its initial value")
            for right in self.only_right
        ]
        lines += [(NOTHING, right, "keeps its initial value") for right in self.initialized]
        return _HEADER + "".join(_line(*parts) for parts in lines)

    def write(self, path: str) -> None:
        """Writes the map file completely.

        Args:
          path: Path that must not exist, because an edited map is work.

        Raises:
          cli.UsageError: The path exists, or cannot be written.
        """
        if os.path.exists(path):
            raise cli.UsageError(f"{path} exists; name another file for the map, or remove it.")
        partial = f"{path}.partial-{os.getpid()}"
        try:
            with open(partial, "x", encoding="utf-8") as file:
                file.write(self.text())
            os.rename(partial, path)
        except OSError as error:
            raise cli.UsageError(f"cannot write the map {path}: {error.strerror}.") from error

    @classmethod
    def read(cls, path: str) -> TensorMap:
        """Reads a map file. Open entries (`?`) are left to `propose`.

        Args:
          path: File in the format of `text`.

        Returns:
          A map with `pairs`, `left_out` and `initialized`.

        Raises:
          cli.UsageError: The file cannot be read, a line is not understood, or a variable is named
            twice. The message names the line.
        """
        try:
            text = foreign_files.read_bytes(path, _MOST_BYTES).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = foreign_files.reason(error)
            raise cli.UsageError(f"cannot read the map {path}: {why}") from error
        return cls.parse(text, path)

    @classmethod
    def parse(cls, text: str, path: str = "map") -> TensorMap:
        """Reads a map from a text. Messages call it `path`."""
        tensor_map = cls()
        for number, line in enumerate(text.splitlines(), 1):
            place = f"{path} line {number}: "
            content = (" " + line).split(" #", 1)[0].strip()
            if content:
                tensor_map._take(content, place)
        return tensor_map

    def _take(self, content: str, place: str) -> None:
        """Adds one line `left = right`."""
        left, equals, right = (part.strip() for part in content.partition(" = "))
        if not equals or not left or not right:
            raise cli.UsageError(f"{place}{content[:80]!r} is not of the form `left = right`.")
        for side, name in (("left", left), ("right", right)):
            if name in (NOTHING, OPEN):
                continue
            if (side, name) in self._places:
                earlier = self._places[side, name].removesuffix(": ")
                printable_name = foreign_files.one_line(name)
                raise cli.UsageError(
                    f"{place}{printable_name} is on the {side} already, in {earlier}."
                )
            self._places[side, name] = place
        if OPEN in (left, right):
            return
        if left == right == NOTHING:
            raise cli.UsageError(f"{place}names no variable on either side.")
        if right == NOTHING:
            self.left_out += (left,)
        elif left == NOTHING:
            self.initialized += (right,)
        else:
            self.pairs[left] = right


def propose(
    left: Sequence[Tensor],
    right: Sequence[Tensor],
    given: TensorMap | Mapping[str, str] | None = None,
) -> TensorMap:
    """Pairs the variables of two programs or checkpoints, as far as the pairs are certain.

    The rules in their order:

    1. Pairs in `given`.
    2. Equal names.
    3. Names that are equal except for scopes, spelling and known synonyms of variable names.
    4. A common end of the name that no other variable has.
    5. The only two variables of a shape, dtype and kind (kernel, bias, ...).
    6. The variables of one layer, together with its other variables.

    Numbers such as in `dense_1` count only if both sides have the same numbers with the same
    shapes, because Keras numbers layers by all layers that the process has created. Variables of
    different shape or dtype are paired only if they have the same name.

    Args:
      left: Variables of one side, in the order of creation if it is known.
      right: Variables of the other side.
      given: Settled pairs, such as a map file.

    Returns:
      The proposal, which includes `given`.

    Raises:
      cli.UsageError: `given` names an unknown variable, or one variable twice.
    """
    if not isinstance(given, TensorMap):
        given = TensorMap(pairs=dict(given or {}))
    _check_given(given, left, right)
    matching = names.Matching(
        [t for t in left if t.name not in given.left_out],
        [t for t in right if t.name not in given.initialized],
    )
    for name, partner in given.pairs.items():
        matching.pair(name, partner, "given")
    matching.run()
    candidates = matching.candidates()
    candidate_names = {partner for partners in candidates.values() for partner in partners}
    return TensorMap(
        pairs=matching.ordered_pairs(),
        ambiguous={name: partners for name, partners in candidates.items() if partners},
        only_left=tuple(name for name, partners in candidates.items() if not partners),
        only_right=tuple(name for name in matching.free_right() if name not in candidate_names),
        left_out=given.left_out,
        initialized=given.initialized,
        reasons=matching.reasons,
        _places=given._places,
    )


def _check_given(given: TensorMap, left: Sequence[Tensor], right: Sequence[Tensor]) -> None:
    """Refuses unknown names, and a variable that is part of two pairs."""
    for side, tensors, mentioned_names in (
        ("left", left, [*given.pairs, *given.left_out]),
        ("right", right, [*given.pairs.values(), *given.initialized]),
    ):
        variable_names = {tensor.name for tensor in tensors}
        checked_names: set[str] = set()
        for name in mentioned_names:
            place = given.place(side, name) or "the given map: "
            if name not in variable_names:
                likely = names.closest(name, variable_names)
                hint = f"; did you mean {likely}?" if likely else "."
                raise cli.UsageError(f"{place}there is no variable {name} on the {side}{hint}")
            if name in checked_names:
                raise cli.UsageError(f"{place}{name} is on the {side} twice.")
            checked_names.add(name)


def _line(left: str, right: str, comment: str) -> str:
    """Returns one line of a map file. Comments are aligned for names of common length."""
    content = f"{left} = {right}"
    return f"{content:<70}  # {comment}\n" if comment else f"{content}\n"


def _join_names(rights: tuple[str, ...], limit: int = 12) -> str:
    suffix = f" | ... ({len(rights) - limit} more)" if rights[limit:] else ""
    return " | ".join(rights[:limit]) + suffix
