"""Wrong keys in the blocks of a lesson: a sentence with the file, the step and the key."""

import re

import pytest

from app.learn.lesson import LessonError
from app.learn.lesson_file import read
from tests.support.each import for_each

FRONT = '+++\ntitle = "T"\nminutes = 5\nafter = []\nidea = "I."\ncarry = "C."\n+++\n\n## First\n\n'
WHOLE = 'kind = "number"\nask = "2·3?"\nright = "Yes."\nhints = []\nanswer = "6"'
CHOICE = WHOLE.replace("number", "choice").replace('answer = "6"', '[[option]]\ntext = "6"')
PROGRAM = WHOLE.replace("number", "program").replace('answer = "6"', 'solution = "a = 1"')


def lesson(block: str, text: str) -> str:
    return f"{FRONT}Some text.\n\n```{block}\n{text}\n```\n"


def test_a_question_with_all_its_keys_is_read() -> None:
    for text in (WHOLE, f"{WHOLE}\nreveal = 'r'", CHOICE):
        (question,) = read("times", lesson("question", text)).steps[0].questions
        assert question.table["right"] == "Yes."


@for_each(
    ("block", "text", "says"),
    [
        ("question", WHOLE.replace("right", "rihgt"), "has no key 'rihgt'. Its keys: kind, ask, "),
        ("question", WHOLE.replace('right = "Yes."\n', ""), "'number' needs the key 'right'. Its"),
        ("question", WHOLE.replace("answer", "lines"), "'number' has no key 'lines'. Its keys:"),
        ("question", f"{WHOLE}\n[[wrong]]\nanswer = '5'", "[[wrong]] of a question of kind 'nu"),
        ("question", f"{WHOLE}\nwrong = '5'", "'wrong' is written as [[wrong]]."),
        ("question", f"{CHOICE}\nrigth = true", "[[option]] of a question of kind 'choice' has no"),
        ("question", f"{PROGRAM}\n[[check]]\nholds = 'a'", "needs the key 'says'. Its keys: holds"),
        ("question", WHOLE.replace("number", "nubmer"), "kind is one of number, choice, order, "),
        ("question", WHOLE.replace('kind = "number"\n', ""), "not 'None'."),
        ("exercise", "hide = 'gradients'", "an exercise needs the key 'program'. Its keys: "),
        ("exercise", "program = 'p'\nhidden = 'x'", "an exercise has no key 'hidden'."),
        ("other", "program = 'p'", "'other' needs the key 'name'."),
    ],
)
def test_a_wrong_key_is_named_with_the_file_and_the_step(block: str, text: str, says: str) -> None:
    with pytest.raises(LessonError, match=re.escape(says)) as caught:
        read("times", lesson(block, text))
    assert str(caught.value).startswith("times.md, step 1 (First): ")
