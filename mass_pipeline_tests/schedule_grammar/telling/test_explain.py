"""What explanations tell of a page beside its Masses."""

from __future__ import annotations

import re

import pytest

from mass_pipeline.language.lexicon import load_lexicon
from mass_pipeline.schedule_grammar.attaching.rewording import RULES, name_of, reworded, rules_fired
from mass_pipeline.schedule_grammar.judging.reading import read_text
from mass_pipeline.schedule_grammar.parsing.chunker import chunk
from mass_pipeline.schedule_grammar.telling.explain import explain_page
from mass_pipeline.schedule_grammar.telling.rules_told import KIND_OF_RULE, RULES_BY_KIND, USUAL


class TestRulesThatFired:
    def test_are_named_below_the_line_they_put_in_order(self) -> None:
        lines = list(explain_page(read_text("Dni powszednie 17.00 zimą godz. 17.30 latem")))

        assert "       read by: seasons behind a pair" in lines

    def test_a_line_in_the_usual_order_names_none(self) -> None:
        assert not any("read by" in line for line in explain_page(read_text("Niedziele: 8.00, 10.00")))

    @pytest.mark.parametrize("text", ["Niedziele: 8.00, 10.00", "w tygodniu 17.00 zimą godz. 17.30 latem"])
    def test_are_named_exactly_where_the_reader_puts_something_in_order(self, text: str) -> None:
        nodes = chunk(text, load_lexicon("pl"))

        assert bool(rules_fired(nodes)) == (list(reworded(nodes)) != list(nodes))

    def test_every_rule_has_a_name(self) -> None:
        names = [name_of(rule) for _, rule in RULES]

        assert all(" " in name for name in names)


_EXAMPLES = {
    "said by the negation before it": "Dni powszednie: 7.00, 8.30 - nie ma w wakacje",
    "a person or an address begins something else": "Niedziela: 9.00, proboszcz Jan, 11.00",
    "leads to other hours that do not take place": (
        "Niedziele: 8.00, 12.30. Dni powszednie: 6.00. W wakacje nie ma w niedziele Mszy o 12.30, a w dni powszednie o 6.00"
    ),
    "limits the hours that do not take place": "Niedziele: 8.00, 18.00. W wakacje bez Mszy o 8.00 w niedziele",
    "left out, another hour follows": "Dni powszednie: 18.30 z wyjątkiem piątku - 16.30",
    "left out, another hour is said of that time": "Dni powszednie: 18.00, z wyjątkiem środy, kiedy Msza jest o 17.00",
    "closes a line of hours": "9.00, 11.00 niedziela",
    "tells not what happens at the hour before": "Dni powszednie: 18.00. I piątek: spowiedź od 16.30, Msza św. jak zwykle",
    "belongs to the hour before": "Dni powszednie: 18.00 - latem",
    "waits for the hours to come": "Środa: 8.00",
    # words
    "the next hour gives way to another": "Dni powszednie: 18.00; w wakacje zamiast 18.00 jest 17.30",
    "denies the hours to come": "Niedziele: 8.00, 18.00. W wakacje bez Mszy o 8.00",
    "denies the days that wait": "Dni powszednie: 18.00. W soboty nie ma Mszy",
    "denies the days after it": "Dni powszednie: 18.00. Mszy nie ma we wtorki",
    "denies no hour": "nie ma, w środę 8.00",
    "denies the other half of the day": "Dni powszednie: 7.00, 18.00, porannej nie ma",
    "denies the hours before on the days after": "Dni powszednie: 7.00, 8.30 - nie ma w wakacje",
    "denies the hours before": "Niedziele: 8.00, 12.30. W wakacje Msza o 12.30 nie jest odprawiana",
    "copies another list": "Niedziele: 8.00, 10.00. Święta: jak w niedzielę",
    "begins an old order": "Dotychczas o 7.30. Nowy porządek: niedziela 8.00",
    "begins the new order": "Dotychczas o 7.30. Nowy porządek: niedziela 8.00",
    "those denied take place elsewhere": "Niedziele: 8.00, 11.30 (w wakacje nie ma Mszy o 11.30, w tym czasie w kaplicy)",
    "adds hours": "Niedziele: 8.00, także 20.00",
    "only those to come hold": "Niedziele: 8.00, 10.00; w wakacje tylko 9.00",
    "leaves open when they hold": "Dni powszednie: 18.00 lub według ogłoszeń",
    "a word without a rule of its own leaves open when they hold": "W uroczystości we wszystkich kościołach o 9.00",
    "leaves open which of two hours holds": "Dni powszednie: 17.00 lub 18.00",
    "leaves open whether the hour holds": "Dni powszednie: 18.00 lub według ogłoszeń",
    "takes turns": "Niedziele: na przemian 8.00 i 10.00",
    # hours
    "gives way to the next hour": "Dni powszednie: 18.00; w wakacje zamiast 18.00 jest 17.30",
    "is moved to the next hour": "Niedziele: 17.00. Latem Msze o 17.00 odprawiane są o 18.00",
    "one too many": f"Niedziele: {'8.00, ' * 501}",
    "ends the Saturday of a line above": "Niedziele: sobota 18.00\n8.00, 10.00",
    "ends Saturday, being earlier": "Niedziela: sobota 18.00, 8.00",
    "takes the place of another": "Dni powszednie: 18.00; w wakacje zamiast 18.00 jest 17.30",
    "does something else to those before": "Niedziele: 8.00, także 20.00",
    "stands under other conditions": "Niedziele: 8.00; dni powszednie: 18.00",
    # brackets
    "heads the hours to come": "(Zalesie) niedziela 9.00",
    "has hours of its own": "W soboty (18.00)",
    "is of the hour before": "Niedziele: 18.00 (w wakacje 20.00)",
    "a mere remark": "Dni powszednie: 18.00 (w środy z nowenną)",
    "begins with what the hour is": "Niedziele: 18.00 (dla młodzieży, w wakacje 19.00)",
    "begins with the days of the hour": "18.00 (pn., śr. - zimą 17.00)",
    "says when another hour is": "Niedziele: 18.00 (w wakacje 20.00)",
    "leaves only the evening": "Dni powszednie: 7.00, 18.00 (w poniedziałki tylko wieczorem)",
    "what Sunday has on Saturday": "Sobota: 8.00, 18.00 (niedziela)",
    "denied then": "Niedziela: 8.30 (w wakacje nie ma)",
    "holds in turns": "Niedziela: 12.00 (co druga niedziela)",
    "holds at times": "Niedziela: 12.00 (według ogłoszeń)",
    "a remark on some weeks": "12.15 (chrzty w III niedzielę)",
    "elsewhere on these days": "Dni powszednie: 17.00 (w poniedziałki i środy w kaplicy)",
    "in that season on these days only": "Dni powszednie: 18.00 (w wakacje: pon., śr., pt.)",
    "limits its hour": "Niedziela: 11.00 (oprócz wakacji)",
    "words that say nothing else": "Niedziela: 12.00 (organista)",
}


class TestRulesByWhichNodesAreAttached:
    def test_a_name_stands_once(self) -> None:
        assert len(KIND_OF_RULE) == sum(map(len, RULES_BY_KIND.values()))

    def test_each_that_is_told_has_an_example(self) -> None:
        assert list(_EXAMPLES) == [name for name in KIND_OF_RULE if name not in USUAL]

    @pytest.mark.parametrize("name", _EXAMPLES)
    def test_is_named_beside_the_node_it_dealt_with(self, name: str) -> None:
        lines = explain_page(read_text(_EXAMPLES[name]))
        told = [line for line in lines if line.startswith(f"       {KIND_OF_RULE[name]}: ")]

        assert re.search(rf" {re.escape(name)}(?:, |; |$)", "\n".join(told), re.M)

    def test_a_line_of_hours_alone_names_none(self) -> None:
        """Its days stand in the line above, and are explained there."""
        lines = list(explain_page(read_text("Niedziele i święta:\n8.00, 10.00")))

        assert not any(f"       {kind}" in line for kind in RULES_BY_KIND for line in lines[lines.index("    1: 8.00, 10.00") :])
