"""Games through the filters: what ``legal`` lists ``judge`` calls legal, and one broken rule is named first."""

import json
from collections import Counter

import pytest

from companion.cli.rules import House, _judge, _legal, answers
from companion.rules import GAMES
from tests.cli.played import played

HOUSE = House.of(None, None, None)


def filtered(answer):
    return lambda record: next(answers([json.dumps(record)], HOUSE, answer))


@pytest.mark.parametrize("name", GAMES)
def test_what_legal_lists_is_judged_legal_and_a_broken_rule_comes_first(name):
    judged = list(played(name, 1, filtered(_legal), filtered(_judge), turns=12))
    assert [(each.expected, each.line, each.answer) for each in judged if not each.right] == []
    assert Counter(each.expected for each in judged)["legal"] >= 12
    assert {each.expected for each in judged} >= {"checker-count", "opponent-moved", "backwards", "blocked-point"}
