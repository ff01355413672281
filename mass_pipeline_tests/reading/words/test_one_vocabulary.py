"""Polish is read by one vocabulary: expressions with words of schedules outside of it are counted, and may only become fewer."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.reading.words.expressions import expression, forms, word_class
from mass_pipeline.reading.words.folding import fold
from mass_pipeline_tests.shared import ROOT

PACKAGES = ("reading", "site_reading", "finding")
# Weekdays, months, seasons, ordinals, negation and words of absence, kinds of services, words of Mass and of the clock; folded.
WORDS = re.compile(
    r"niedziel|poniedzial|wtor|\bsrod|czwart|piatk|piatek|sobot|stycz|kwie(?:t|c)|czerw|lipc|lipiec|sierp|wrzes|pazdz|listop|grud|"
    r"wakac|\blat(?:o|em)\b|zim(?:a|o|ie)|adwen|wielk(?:i|ie|im) post|rorat|msz|eucharyst|nabozen|\bnie ma|odwol|oprocz|poza |"
    r"wyjatk|zamiast|powszed|swiet[ao]|swiat(?!yn)|co drug|"
    r"pierwsz|ostatni|ferie|feriach|szkoln|godz|wieczor|porann|codzien|odprawia|"
    r"sprawowan|rozaniec|spowied|pasterk|odpust|rekolekc"
)
MOST = {"reading": 18, "site_reading": 5, "finding": 7}
_MARKS_OF_EXPRESSIONS = re.compile(r"\\[bwdsW]|\(\?|\[\^|\w\|\w|[*+]\)")


def expressions_with_words() -> Counter[str]:
    """Module -> how many expressions it compiles, searches for or puts together that hold such a word."""
    found: Counter[str] = Counter()
    for package in PACKAGES:
        for file in sorted((ROOT / "mass_pipeline" / package).rglob("*.py")):
            if (ROOT / "mass_pipeline" / "reading" / "words") in file.parents:
                continue
            for text in _expressions(ast.parse(file.read_text(encoding="utf-8"))):
                found[file.relative_to(ROOT / "mass_pipeline").as_posix()] += WORDS.search(fold(text)) is not None
    return found


def _expressions(tree: ast.Module) -> Iterator[str]:
    """The literals of each expression: those given to `re` and `expression`, and pieces that are named to be put together."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (ast.unparse(node.func) == "expression" or ast.unparse(node.func).startswith("re.")):
            yield _literals(node)
    for statement in tree.body:
        value = getattr(statement, "value", None)
        if isinstance(value, ast.Constant | ast.JoinedStr | ast.BinOp):
            text = _literals(value)
            if not isinstance(statement, ast.Expr) and _MARKS_OF_EXPRESSIONS.search(text):
                yield text


def _literals(node: ast.AST) -> str:
    return " ".join(one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str))


class TestExpressionsOutsideTheVocabulary:
    def test_become_only_fewer(self) -> None:
        """209 on 26 November 2026, of which 155 were of announcements; 30 since 30 November."""
        found = expressions_with_words()
        by_package = Counter(dict.fromkeys(PACKAGES, 0))
        for module, count in found.items():
            by_package[module.partition("/")[0]] += count

        assert all(by_package[package] <= MOST[package] for package in PACKAGES), found.most_common()


class TestClassOfWords:
    def test_is_read_whole(self) -> None:
        """Stems that are open at both ends read "kapelan" as "apel" and "transmisja" as "misja"."""
        assert expression("<other_service>").search("kapelan i proboszcz") is None

    def test_takes_the_longest_form(self) -> None:
        assert expression("<the_mass>").search("po mszy swietej o 8.00")[0] == "mszy swietej"  # type: ignore[index]

    @pytest.mark.parametrize("name", ["falls_out", "other_service", "weekdays", "occasion", "the_mass"])
    def test_has_all_its_forms(self, name: str) -> None:
        found = [form for form in forms(name) if not re.fullmatch(word_class(name), fold(form).replace("*", "owa"))]

        assert found == []

    def test_of_no_such_name_is_an_error(self) -> None:
        with pytest.raises(ConfigurationError, match="no_such_class"):
            expression("<no_such_class>")
