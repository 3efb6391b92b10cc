"""Splits names of variables, and decides which of them mean the same, for `mapping`.

    words("model/block_1/dense/kernel:0")  # (("model", "block", "1", "dense"), "kernel")

A name consists of the words of its scopes and the kind of the variable. A "family" contains all
variables whose words differ only in numbers, such as dense/kernel and dense_1/kernel.
"""

from __future__ import annotations

import collections
import difflib
import functools
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from migrate.checkpoint.naming.mapping import Tensor

# Names of the same variable in layers of TensorFlow 1.x, contrib, Keras and user programs.
_SYNONYMS = {
    "kernel": ("kernel", "weights", "weight", "w"),
    "bias": ("bias", "biases", "b"),
    "gamma": ("gamma", "scale"),
    "beta": ("beta", "offset"),
    "moving_mean": ("moving_mean", "running_mean"),
    "moving_variance": ("moving_variance", "moving_var", "running_var", "running_variance"),
    "embedding": ("embedding", "embeddings", "embedding_weights", "embedding_table"),
    "depthwise_kernel": ("depthwise_kernel", "depthwise_weights"),
    "pointwise_kernel": ("pointwise_kernel", "pointwise_weights"),
    "recurrent_kernel": ("recurrent_kernel",),
}
_KIND = {word: kind for kind, all_words in _SYNONYMS.items() for word in all_words}
# A linear column's weights are an embedding of width 1 in Keras.
_SAME_KINDS = {"embedding": "kernel"}
# Function from a name to (family, member), or to None for a name that it skips.
_Key = Callable[[str], tuple[Hashable, Hashable] | None]
_BY_SHAPE = "by shape: the only ones of this kind and shape"
_ATTRIBUTE = "/.ATTRIBUTES/VARIABLE_VALUE"


def plain(name: str) -> str:
    """Returns the name without storage suffixes: `:0`, `/.ATTRIBUTES/VARIABLE_VALUE`."""
    return re.sub(r":\d+$", "", name.removesuffix(_ATTRIBUTE))


def words(name: str) -> tuple[tuple[str, ...], str]:
    """Splits a name.

    Args:
      name: Name of a variable on any side.

    Returns:
      The words of its scopes and its kind. Words are in lower case, and numbers are separate words.
      The kind is a key of the synonyms, else the last component. It is "" if a file only numbers
      the variables of a layer (`dense/vars/0`).
    """
    *scopes, last = plain(name).split("/")
    if last.isdigit():
        scopes = scopes[:-1] if scopes and scopes[-1] in ("vars", "_variables") else scopes
        return _split(scopes), ""
    last = last.lower().lstrip("_")
    return _split(scopes), _KIND.get(last, last)


def _split(scopes: Iterable[str]) -> tuple[str, ...]:
    """Returns words and numbers: "block_1" and "block1" are ("block", "1").

    "conv2d" is one word, because its number is not at the end.
    """
    parts = [part for scope in scopes for part in re.split(r"[_.\-]+", scope.lower()) if part]
    pairs = [re.fullmatch(r"(.*?\D|)(\d*)", part) for part in parts]
    return tuple(word for pair in pairs if pair for word in pair.groups() if word)


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """Returns the known name that a misspelt one probably means."""
    return next(iter(difflib.get_close_matches(name, list(candidates), 1)), None)


class Matching:
    """Pairs two lists of tensors step by step. Each step makes only certain pairs.

    Attributes:
      reasons: Maps names on the left to the reasons for their pairs.
    """

    def __init__(self, left: Sequence[Tensor], right: Sequence[Tensor]) -> None:
        self._left = {tensor.name: tensor for tensor in left}
        self._right = {tensor.name: tensor for tensor in right}
        self._pairs: dict[str, str] = {}
        self._paired_rights: set[str] = set()
        self._words = {name: words(name) for name in (*self._left, *self._right)}
        self.reasons: dict[str, str] = {}

    def pair(self, left: str, right: str, reason: str) -> None:
        """Settles one pair."""
        self._pairs[left] = right
        self._paired_rights.add(right)
        self.reasons[left] = reason

    def ordered_pairs(self) -> dict[str, str]:
        """Returns the pairs in the order of the left side."""
        return {name: self._pairs[name] for name in self._left if name in self._pairs}

    def free_left(self) -> list[str]:
        """Returns the names on the left without a pair, in order."""
        return [name for name in self._left if name not in self._pairs]

    def free_right(self) -> list[str]:
        """Returns the names on the right without a pair, in order."""
        return [name for name in self._right if name not in self._paired_rights]

    def run(self) -> None:
        """Runs all steps until none makes more pairs."""
        shifted_names = self._shifted_names()
        self._by_key(_exact_name, "by name", lambda name, _: name not in shifted_names)
        self._by_key(self._common_words(), "by name, but for scopes and spelling")
        self._by_key(self._common_words(_SAME_KINDS), "by name, but for scopes and spelling")
        longest = max((len(scopes) for scopes, _ in self._words.values()), default=0)
        for length in range(longest, 0, -1):
            self._by_key(self._tail(length), "by the end of the name", self._one_in_the_other)
        self._by_words()
        while self._by_layer() or self._by_shape():
            pass
        self._by_name_alone()

    def candidates(self) -> dict[str, tuple[str, ...]]:
        """Returns, for each free name on the left, the possible names on the right."""
        rights = _group_by(self.free_right(), lambda name: _form(self._right[name]))
        partners_by_form: dict[Hashable, tuple[str, ...]] = {}
        candidates = {}
        for name in self.free_left():
            form, kind = _form(self._left[name]), self._words[name][1]
            if (form, kind) not in partners_by_form:
                partners_by_form[form, kind] = tuple(
                    o for o in rights.get(form, ()) if _may_pair(kind, self._words[o][1])
                )
            candidates[name] = partners_by_form[form, kind]
        return candidates

    def _shifted_names(self) -> set[str]:
        """Returns names on the left whose numbers may be shifted against the right side.

        For example, if one side has block1 and block2 and the other has block2 and block3, the two
        block2 may differ. If one side has all numbers of the other, the numbers are trusted.
        """
        groups = [
            _group_by(side, functools.partial(_unnumbered_form, side))
            for side in (self._left, self._right)
        ]
        shifted: set[str] = set()
        for key in groups[0].keys() & groups[1].keys():
            left, right = ({plain(name) for name in group[key]} for group in groups)
            if not (left <= right or right <= left):
                shifted.update(groups[0][key])
        return shifted

    def _by_key(
        self,
        key: _Key,
        reason: str,
        condition: Callable[[str, str], bool] = lambda left, right: True,
    ) -> None:
        """Pairs names of one key, in families that are equal on both sides.

        Args:
          key: Function that returns the family of a name and its member.
          reason: Reason for the map.
          condition: Further condition on a pair.
        """
        lefts, rights = _families(self._left, key), _families(self._right, key)
        for family in lefts.keys() & rights.keys():
            is_same_family, pairs = _members(lefts[family], rights[family])
            for left, right in pairs:
                is_free = left.name not in self._pairs and right.name not in self._paired_rights
                if is_free and condition(left.name, right.name):
                    self.pair(left.name, right.name, reason if is_same_family else _BY_SHAPE)

    def _common_words(self, same_kinds: Mapping[str, str] | None = None) -> _Key:
        """Returns a key: the name without words that only one side uses, such as a model's name.

        Args:
          same_kinds: Kinds that count as other kinds.
        """
        words_by_side = [
            {word for name in side for word in self._words[name][0] if not word.isdigit()}
            for side in (self._left, self._right)
        ]
        common = words_by_side[0] & words_by_side[1]

        def key(name: str) -> tuple[Hashable, Hashable]:
            scopes, kind = self._words[name]
            common_scopes: list[str] = []
            owner = ""
            for word in scopes:
                owner = owner if word.isdigit() else word
                if owner in common:
                    common_scopes.append(word)
            kind = (same_kinds or {}).get(kind, kind)
            return (_wordless(common_scopes), kind), tuple(common_scopes)

        return key

    def _tail(self, length: int) -> _Key:
        """Returns a key: the last words of the name and its kind."""

        def key(name: str) -> tuple[Hashable, Hashable] | None:
            scopes, kind = self._words[name]
            starts = [index for index, word in enumerate(scopes) if not word.isdigit()]
            if len(starts) < length:
                return None
            tail = scopes[starts[-length] :]  # A number belongs to the word before it.
            return (_wordless(tail), kind), tail

        return key

    def _one_in_the_other(self, left: str, right: str) -> bool:
        """Returns true if all words of one name are in the other, in the same order."""
        short, long = sorted((self._words[left][0], self._words[right][0]), key=len)
        rest = iter(long)
        return all(word in rest for word in short)

    def _by_words(self) -> None:
        """Pairs names of which one has all words of the other, such as a/dense_1/b/w and dense_1/w.

        In families that differ in numbers alone, all members must find a partner with their number.
        Otherwise the numbers may be shifted.
        """
        candidates = {
            name: tuple(
                partner
                for partner in partners
                if self._one_in_the_other(name, partner)
                and self._numbers(name) == self._numbers(partner)
            )
            for name, partners in self.candidates().items()
        }
        pairs = _single_pairs(candidates)
        partners = set(pairs.values())
        doubtful = {_without_numbers(name) for name in self.free_left() if name not in pairs}
        doubtful |= {_without_numbers(name) for name in self.free_right() if name not in partners}
        for pair in self._pairs.items():
            if self._numbers(pair[0]) != self._numbers(pair[1]):
                doubtful.update(map(_without_numbers, pair))
        for left, right in pairs.items():
            if doubtful.isdisjoint((_without_numbers(left), _without_numbers(right))):
                self.pair(left, right, "by the words of the name")

    def _numbers(self, name: str) -> list[str]:
        return [word for word in self._words[name][0] if word.isdigit()]

    def _by_shape(self) -> bool:
        """Pairs variables that are alone with their shape, dtype and kind on both sides.

        Returns:
          True if it made a pair.
        """
        return self._settle(self.candidates(), _BY_SHAPE)

    def _by_layer(self) -> bool:
        """Pairs the other variables of two layers that already have a pair.

        Returns:
          True if it made a pair.
        """
        layers: dict[str, set[str]] = collections.defaultdict(set)
        for left, right in self._pairs.items():
            layers[_scope(left)].add(_scope(right))
        candidates = {}
        for name, partners in self.candidates().items():
            scopes = layers.get(_scope(name), set())
            if _scope(name) and len(scopes) == 1:
                candidates[name] = tuple(
                    partner for partner in partners if _scope(partner) in scopes
                )
        return self._settle(candidates, "with the rest of its layer")

    def _settle(self, candidates: dict[str, tuple[str, ...]], reason: str) -> bool:
        """Pairs names whose only candidate is a candidate of no other name.

        Returns:
          True if it made a pair.
        """
        pairs = _single_pairs(candidates)
        for name, partner in pairs.items():
            self.pair(name, partner, reason)
        return bool(pairs)

    def _by_name_alone(self) -> None:
        """Pairs equal names of different shape or dtype, which a later check refuses."""
        for key in (plain, self._words.__getitem__):
            lefts, rights = (
                {k: names for k, names in _group_by(side, key).items() if len(names) == 1}
                for side in (self.free_left(), self.free_right())
            )
            for common_key in lefts.keys() & rights.keys():
                left, right = lefts[common_key][0], rights[common_key][0]
                if _form(self._left[left]) != _form(self._right[right]):
                    self.pair(left, right, "by name; NOT of the same shape and dtype")


def _single_pairs(candidates: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Returns the names with one candidate, which is a candidate of no other name."""
    counts = collections.Counter(other for partners in candidates.values() for other in partners)
    return {
        name: partners[0]
        for name, partners in candidates.items()
        if len(partners) == 1 and counts[partners[0]] == 1
    }


def _may_pair(left: str, right: str) -> bool:
    """Returns true if kinds allow a pair: they are equal, or one is the program's own word."""
    kinds = [_SAME_KINDS.get(kind, kind) for kind in (left, right)]
    return kinds[0] == kinds[1] or not all(kind in _SYNONYMS for kind in kinds)


def _exact_name(name: str) -> tuple[Hashable, Hashable]:
    """Returns a key: the exact name. Members of a family differ in a number after a "_"."""
    bare = plain(name)
    return re.sub(r"_\d+(?=/|$)", "", bare), bare


def _without_numbers(name: str) -> str:
    """Returns the exact name without the numbers at the ends of its words."""
    return re.sub(r"_?\d+(?=/|$)", "", plain(name))


def _unnumbered_form(side: Mapping[str, Tensor], name: str) -> Hashable:
    return _without_numbers(name), _form(side[name])


def _wordless(scopes: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in scopes if not word.isdigit())


def _form(tensor: Tensor) -> tuple[tuple[int, ...], str]:
    return tensor.shape, tensor.dtype


def _scope(name: str) -> str:
    """Returns the layer of a variable, or "" for a variable without a layer."""
    return re.sub(r"/(vars|_variables)/\d+$", "/0", plain(name)).rpartition("/")[0]


def _group_by(side: Iterable[str], key: Callable[[str], Hashable]) -> dict[Hashable, list[str]]:
    groups = collections.defaultdict(list)
    for name in side:
        groups[key(name)].append(name)
    return groups


def _families(side: dict[str, Tensor], key: _Key) -> dict[Hashable, list[tuple[Hashable, Tensor]]]:
    families = collections.defaultdict(list)
    for name, tensor in side.items():
        parts = key(name)
        if parts:
            families[parts[0]].append((parts[1], tensor))
    return families


def _members(
    left: list[tuple[Hashable, Tensor]], right: list[tuple[Hashable, Tensor]]
) -> tuple[bool, list[tuple[Tensor, Tensor]]]:
    """Returns the pairs within a family, and whether the family is equal on both sides.

    If it is equal, all members are pairs. Otherwise only members with a unique shape and dtype are.
    """
    forms = [collections.Counter((m, _form(t)) for m, t in side) for side in (left, right)]
    if forms[0] == forms[1] and len({m for m, _ in left}) == len(left):
        tensor_of = dict(right)
        return True, [(tensor, tensor_of[member]) for member, tensor in left]
    by_form = [_group_by_form(side) for side in (left, right)]
    return False, [
        (by_form[0][form][0], by_form[1][form][0])
        for form in by_form[0].keys() & by_form[1].keys()
        if len(by_form[0][form]) == len(by_form[1][form]) == 1
    ]


def _group_by_form(
    members: list[tuple[Hashable, Tensor]],
) -> dict[Hashable, list[Tensor]]:
    groups: dict[Hashable, list[Tensor]] = collections.defaultdict(list)
    for _, tensor in members:
        groups[_form(tensor)].append(tensor)
    return groups
