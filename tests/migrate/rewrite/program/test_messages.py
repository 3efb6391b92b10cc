"""Tests that a message that holds for several places is one line, which names all of them."""

from migrate.rewrite.program.messages import Messages


def test_one_line_for_each_text_in_the_order_of_first_places():
    messages = Messages()
    for path, line, text in (
        ("a.py", 3, "one"),
        ("a.py", 4, "two"),
        ("b.py", 2, "one"),
        ("a.py", 9, "one"),
    ):
        messages.add(path, line, text)
    assert messages.lines() == ["a.py:3: one [3 times: a.py:3,9 b.py:2]", "a.py:4: two"]
