from __future__ import annotations

import pytest

from assay.errors import PddlError
from assay.pddl.sexpr import Group, Word, parse


def test_every_node_knows_its_place() -> None:
    whole = parse("; first\n(a\n  (B c))", "file")
    inner = whole.items[1]
    assert isinstance(inner, Group)
    assert inner.place == ("file", 3, 3)
    assert [(w.text, w.place.column) for w in inner.items if isinstance(w, Word)] == [("b", 4), ("c", 6)]


def test_comments_end_with_their_line_and_may_follow_a_word() -> None:
    assert str(parse("(a;b)(\nc ; ( ( (\n)")) == "(a c)"


def test_windows_line_ends_are_blanks() -> None:
    assert str(parse("(a\r\n b)\r\n")) == "(a b)"


def test_any_depth_is_read() -> None:
    assert parse("(" * 50_000 + ")" * 50_000).items


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("(a\n (b\n (c)", 2, 2, "never closed"),
        ("(a)\n)", 2, 1, "after the end"),
        (")", 1, 1, "nothing opened"),
        ("(a) (b)", 1, 5, "after the end"),
        ("\n a", 2, 2, "expected '\\(define"),
        ("; nothing\n", 1, 1, "found nothing"),
        ("", 1, 1, "found nothing"),
    ],
)
def test_unbalanced_text_is_refused_with_its_place(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(PddlError, match=message) as error:
        parse(text)
    assert (error.value.line, error.value.column) == (line, column)


def test_a_missing_parenthesis_is_looked_for_where_the_next_part_begins():
    text = (
        "(define (domain d)\n (:action a :parameters (?x)\n  :effect (p ?x)\n (:action b :parameters ()))\n"
    )
    with pytest.raises(
        PddlError, match=r"never closed; perhaps one is missing before line 4, where \(:action"
    ):
        parse(text)
