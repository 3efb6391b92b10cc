"""Which variable of one program is which of the other: a proposal, and the file that settles it.

    left = [Tensor("fc/w", (8, 2), "float32"), Tensor("fc/b", (2,), "float32")]
    right = [Tensor("head/kernel:0", (8, 2), "float32"), Tensor("head/bias:0", (2,), "float32")]
    propose(left, right).pairs  # {"fc/w": "head/kernel:0", "fc/b": "head/bias:0"}

Names decide first, then shapes where they leave one possibility. What could be meant in two ways is
listed with its candidates and left to a person, since a wrong pair of the same shape loads without
any error. The file is one line for each variable:

    conv2d/kernel = conv/kernel:0          # by name
    dense/kernel = ?                       # one of: fc1/kernel:0 | fc2/kernel:0
    old_head/kernel = -                    # left out on purpose
    - = new_head/kernel:0                  # keeps what the new model initialized it with
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence

from migrate.checkpoint.conversion import names
from modern.process import cli

NOTHING = "-"
OPEN = "?"

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
      name: as its side spells it; unique there.
      shape: of the whole variable, also where it is stored in parts.
      dtype: such as "float32".
      trainable: None where that is not known.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    trainable: bool | None = None


@dataclasses.dataclass
class TensorMap:
    """The pairing of two sets of variables.

    Attributes:
      pairs: name on the left -> name on the right.
      ambiguous: name on the left -> those on the right that it could be, in their order.
      only_left: those that have no like on the right.
      only_right: those that have none on the left.
      left_out: names on the left that a person left out on purpose.
      anew: names on the right that a person wants to keep as they are initialized.
      reasons: name on the left -> why it has its pair.
    """

    pairs: dict[str, str] = dataclasses.field(default_factory=dict)
    ambiguous: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    only_left: tuple[str, ...] = ()
    only_right: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    anew: tuple[str, ...] = ()
    reasons: dict[str, str] = dataclasses.field(default_factory=dict)
    _places: dict[tuple[str, str], str] = dataclasses.field(default_factory=dict, repr=False)

    @property
    def complete(self) -> bool:
        """Whether every variable of both sides is paired, or left alone on purpose."""
        return not (self.ambiguous or self.only_left or self.only_right)

    def place(self, side: str, name: str) -> str:
        """Where the file that this was read from names a variable: "FILE line N: ", or ""."""
        return self._places.get((side, name), "")

    def text(self) -> str:
        """The map as the text of a map file."""
        lines = [(left, right, self.reasons.get(left, "")) for left, right in self.pairs.items()]
        lines += [
            (left, OPEN, "one of: " + _listed(rights)) for left, rights in self.ambiguous.items()
        ]
        lines += [
            (left, OPEN, f"nothing like it; {NOTHING} leaves it out") for left in self.only_left
        ]
        lines += [(left, NOTHING, "left out") for left in self.left_out]
        lines += [
            (OPEN, right, f"nothing like it; {NOTHING} keeps its initial value")
            for right in self.only_right
        ]
        lines += [(NOTHING, right, "keeps its initial value") for right in self.anew]
        return _HEADER + "".join(_line(*parts) for parts in lines)

    def write(self, path: str) -> None:
        """Writes the map file, whole.

        Args:
          path: must not exist: an edited map is work.

        Raises:
          cli.UsageError: it exists, or cannot be written.
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
        """Reads a map file; what is not settled there (`?`) is left to `propose`.

        Args:
          path: of a file as `text` writes it.

        Returns:
          A map with `pairs`, `left_out` and `anew`.

        Raises:
          cli.UsageError: the file cannot be read, a line is not understood, or a variable is
            named twice; says in which line.
        """
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError) as error:
            raise cli.UsageError(f"cannot read the map {path}: {error}") from error
        return cls.parse(text, path)

    @classmethod
    def parse(cls, text: str, path: str = "map") -> TensorMap:
        """As `read`, from a text; `path` is how messages call it."""
        read = cls()
        for number, line in enumerate(text.splitlines(), 1):
            place = f"{path} line {number}: "
            content = (" " + line).split(" #", 1)[0].strip()
            if content:
                read._take(content, place)
        return read

    def _take(self, content: str, place: str) -> None:
        """Takes up one line `left = right`."""
        left, equals, right = (part.strip() for part in content.partition(" = "))
        if not equals or not left or not right:
            raise cli.UsageError(f"{place}{content!r} is not of the form `left = right`.")
        for side, name in (("left", left), ("right", right)):
            if name in (NOTHING, OPEN):
                continue
            if (side, name) in self._places:
                earlier = self._places[side, name].removesuffix(": ")
                raise cli.UsageError(f"{place}{name} is on the {side} already, in {earlier}.")
            self._places[side, name] = place
        if OPEN in (left, right):
            return
        if left == right == NOTHING:
            raise cli.UsageError(f"{place}names no variable on either side.")
        if right == NOTHING:
            self.left_out += (left,)
        elif left == NOTHING:
            self.anew += (right,)
        else:
            self.pairs[left] = right


def propose(
    left: Sequence[Tensor],
    right: Sequence[Tensor],
    given: TensorMap | Mapping[str, str] | None = None,
) -> TensorMap:
    """Pairs the variables of two programs or checkpoints, as far as that is certain.

    In order: what is given; the same names; the same names but for scopes, spelling and the known
    synonyms of what layers call their variables; a common end of the name that no other has;
    the only two of a shape, dtype and kind (kernel, bias, ...); the variables of one layer along
    with the rest of it. Numbers such as in `dense_1` count only where both sides have the
    same numbers with the same shapes: Keras numbers layers by what else the process has made.
    Variables of different shape or dtype are paired only when they have the same name.

    Args:
      left: the variables of the one side, in the order of creation where that is known.
      right: those of the other.
      given: pairs that are settled, such as a map file that was read.

    Returns:
      The proposal; `given` is part of it.

    Raises:
      cli.UsageError: `given` names a variable that is not there, or one twice.
    """
    if not isinstance(given, TensorMap):
        given = TensorMap(pairs=dict(given or {}))
    _check_given(given, left, right)
    matching = names.Matching(
        [t for t in left if t.name not in given.left_out],
        [t for t in right if t.name not in given.anew],
    )
    for name, other in given.pairs.items():
        matching.pair(name, other, "given")
    matching.run()
    candidates = matching.candidates()
    wanted = {other for others in candidates.values() for other in others}
    return TensorMap(
        pairs=matching.ordered_pairs(),
        ambiguous={name: others for name, others in candidates.items() if others},
        only_left=tuple(name for name, others in candidates.items() if not others),
        only_right=tuple(name for name in matching.free_right() if name not in wanted),
        left_out=given.left_out,
        anew=given.anew,
        reasons=matching.reasons,
        _places=given._places,
    )


def _check_given(given: TensorMap, left: Sequence[Tensor], right: Sequence[Tensor]) -> None:
    """Refuses names that are not there, and one variable as the pair of two."""
    for side, tensors, named in (
        ("left", left, [*given.pairs, *given.left_out]),
        ("right", right, [*given.pairs.values(), *given.anew]),
    ):
        known = {tensor.name for tensor in tensors}
        seen: set[str] = set()
        for name in named:
            place = given.place(side, name) or "the given map: "
            if name not in known:
                likely = names.closest(name, known)
                hint = f"; did you mean {likely}?" if likely else "."
                raise cli.UsageError(f"{place}there is no variable {name} on the {side}{hint}")
            if name in seen:
                raise cli.UsageError(f"{place}{name} is on the {side} twice.")
            seen.add(name)


def _line(left: str, right: str, comment: str) -> str:
    """One line of a map file, its comments one below the other for names of common length."""
    content = f"{left} = {right}"
    return f"{content:<70}  # {comment}\n" if comment else f"{content}\n"


def _listed(rights: tuple[str, ...], most: int = 12) -> str:
    more = f" | ... ({len(rights) - most} more)" if rights[most:] else ""
    return " | ".join(rights[:most]) + more
