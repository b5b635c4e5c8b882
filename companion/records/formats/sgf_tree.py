"""The syntax of SGF (FF[4]): trees, nodes, properties, and where each stands in the text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from companion.records.formats.source import Source

_PROPERTY = re.compile(r"\s*([A-Za-z]{1,8})\s*(?=\[)")
_SPACE = re.compile(r"\s*")
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]\s*", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
DEEPEST = 200
"""Variations inside variations that are read."""


@dataclass(frozen=True)
class Node:
    """The properties of a node with their values, in order, and its place in the text."""

    properties: tuple[tuple[str, tuple[str, ...], int], ...]
    offset: int

    def values(self, name: str) -> tuple[str, ...]:
        """The values of the first property of that name."""
        return next((values for key, values, _ in self.properties if key == name), ())

    def first(self, name: str) -> str:
        """The first value of that property; empty when there is none."""
        return next(iter(self.values(name)), "")


def read_trees(source: Source) -> Iterator[list[Node]]:
    """The main line of each game tree; raises FormatError."""
    text, at = source.text, _skip(source.text, 0)
    if not text.startswith("(", at):
        raise source.at(min(at, len(text)), "a game tree, which begins with (", text[at : at + 20])
    while at < len(text):
        if text[at] != "(":
            raise source.at(at, "another game tree or the end", text[at : at + 20])
        nodes, at = _tree(source, at)
        yield nodes
        at = _skip(text, at)


def _tree(source: Source, at: int) -> tuple[list[Node], int]:
    """One tree: of variations only the first is taken, as the main line."""
    text, start, nodes = source.text, at, list[Node]()
    kept: list[bool] = []  # for each open parenthesis whether it belongs to the main line
    branched: list[bool] = []  # and whether a variation began in it
    while at < len(text):
        sign = text[at]
        if sign == ";":
            node, at = _node(source, at)
            if kept[-1] and not branched[-1]:
                nodes.append(node)
            continue
        if sign == "(":
            if len(kept) == DEEPEST:
                raise source.at(at, f"at most {DEEPEST} variations inside each other")
            kept.append(not kept or (kept[-1] and not branched[-1]))
            branched[-1:] = [True] * len(branched[-1:])
            branched.append(False)
        elif sign == ")":
            kept.pop()
            branched.pop()
            if not kept:
                return nodes, at + 1
        else:
            raise source.at(at, "a node ;, a variation ( or the end )", text[at : at + 20])
        at = _skip(text, at + 1)
    raise source.at(start, "a tree that ends with )", "the end of the file")


def _node(source: Source, at: int) -> tuple[Node, int]:
    text, offset = source.text, at
    properties = []
    at = _skip(text, at + 1)
    while found := _PROPERTY.match(text, at):
        begin, at = at, found.end()
        values = []
        while value := _VALUE.match(text, at):
            values.append(_ESCAPE.sub(_plain, value[1]))
            at = value.end()
        if not values:
            raise source.at(at, "a value that ends with ]", text[at : at + 20])
        properties.append((found[1], tuple(values), begin))
    return Node(tuple(properties), offset), _skip(text, at)


def _plain(found: re.Match[str]) -> str:
    return "" if found[1] == "\n" else found[1]


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
