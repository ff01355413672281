"""Ambiguity is a value: several readings with their weights, the likeliest one published, nothing invented (issue 4)."""

from __future__ import annotations

import pytest

from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.reading.doubts import Doubts, Question, weigh
from mass_pipeline.reading.formats.summary import summarize
from mass_pipeline.reading.regular.reading import read_page, read_text
from mass_pipeline.reading.regular.readings import with_marginal_confidence
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document

SUNDAYS = "Niedziele: 8.00, 10.00. "
SURE = 0.9


def read(written: str) -> SiteSchedule:
    return read_site([read_text(written)])


def readings(schedule: SiteSchedule) -> list[str]:
    """The published reading and the alternatives, in words."""
    published = summarize((read.mass for read in schedule.masses), "en")
    return [text.replace("\n", "; ") for text in (published, *(summarize(masses, "en") for _, masses in schedule.alternatives))]


def confidences(schedule: SiteSchedule, hour: str) -> list[float]:
    return [read.confidence for read in schedule.masses if read.mass.time == hour]


class TestClearTexts:
    @pytest.mark.parametrize(
        "written",
        [
            SUNDAYS + "Dni powszednie: 18.00",
            "Niedziele i święta: 8.00. Święta: 9.00, 17.00. Dni powszednie: 18.00",
            SUNDAYS + "Codziennie 7.00",
            "Codziennie oprócz niedziel 7.00",
            SUNDAYS + "Dni powszednie: 17.00 (zimą) lub 18.00 (latem)",
            SUNDAYS + "Dni powszednie: godz. 18.00 w okresie letnim o godz. 19.00",
        ],
    )
    def test_have_one_reading_and_are_sure(self, written: str) -> None:
        schedule = read(written)

        assert (schedule.status, schedule.alternatives) == ("read", ())
        assert all(read.confidence >= SURE for read in schedule.masses)


class TestOpenTexts:
    @pytest.mark.parametrize(
        ("written", "expected"),
        [
            (SUNDAYS + "Święta: 9.00", ["holy days: 9:00", "feasts on working days: 9:00"]),
            ("Codziennie 7.00 i 18.00", ["daily: 7:00, 18:00", "weekdays: 7:00, 18:00"]),
            (
                SUNDAYS + "Dni powszednie: 17.00 lub 18.00",
                ["weekdays: 17:00, 18:00", "weekdays: 17:00", "weekdays: 18:00"],
            ),
            (
                SUNDAYS + "Dni powszednie: 17.00 (19.00)",
                ["weekdays: 17:00 (winter time), 19:00 (summer time)", "weekdays: 17:00", "weekdays: 17:00, 19:00"],
            ),
            (
                "Niedziele 7.30, 9.00 (10.00)",
                ["Sunday: 7:30, 9:00", "Sunday: 7:30, 9:00, 10:00"],
            ),
            (
                SUNDAYS + "Dni powszednie: 17.00 lub 18.00\nKancelaria do 4.30",
                ["weekdays: 17:00, 18:00", "weekdays: 17:00", "weekdays: 18:00"],
            ),
            ("8.00 wtorek 18.00", ["Tuesday: 18:00", "Tuesday: 8:00"]),
        ],
    )
    def test_keep_every_reading_likeliest_first(self, written: str, expected: list[str]) -> None:
        found = [one.removeprefix("Sunday: 8:00, 10:00; ") for one in readings(read(written))]

        assert expected == found

    def test_publish_the_likeliest_with_a_confidence_that_says_so(self) -> None:
        schedule = read(SUNDAYS + "Święta: 9.00. Dni powszednie: 18.00")

        assert all(confidence >= SURE for hour in ("08:00", "10:00", "18:00") for confidence in confidences(schedule, hour))
        assert [pytest.approx(0.95 * 0.7)] == confidences(schedule, "09:00")

    def test_weights_of_all_readings_make_one(self) -> None:
        schedule = read(SUNDAYS + "Dni powszednie: 17.00 lub 18.00")

        assert pytest.approx(1 - sum(weight for weight, _ in schedule.alternatives)) == 0.4

    def test_are_ambiguous_when_no_reading_is_likelier_than_not(self) -> None:
        assert read(SUNDAYS + "Dni powszednie: 17.00 lub 18.00").status == "ambiguous"
        assert read("Codziennie 7.00").status == "read"

    def test_one_question_has_one_answer_throughout(self) -> None:
        """Two lists headed by a bare "święta" are both of holy days or both of abolished feasts."""
        schedule = read("Niedziele: 8.00\nŚwięta: 9.00\nwakacje:\nŚwięta: 10.00")

        assert len(schedule.alternatives) == 1

    def test_what_another_list_says_decides(self) -> None:
        """`17.00 (19.00)` beside months for the same two hours means those months."""
        written = SUNDAYS + "Dni powszednie: X-III 17.00, IV-IX 19.00. Święta zniesione: 9.00, 17.00 (19.00)"

        seasons = {(read.mass.time, read.mass.season) for read in read(written).masses if "AF" in read.mass.days}

        assert {("09:00", "all"), ("17:00", "10-03"), ("19:00", "04-09")} == seasons

    def test_absence_and_failure_are_not_ambiguity(self) -> None:
        poster = read_document(
            '<html><body><h2>Porządek Mszy</h2><img src="/msze.jpg" alt="porządek mszy"></body></html>', content_type="text/html"
        )

        assert (read("Historia parafii sięga 1403 roku.").status, read("Historia parafii.").alternatives) == ("none", ())
        assert (read_site([read_page(poster)]).status, read_site([read_page(poster)]).alternatives) == ("image_only", ())


class TestContradictingPages:
    ORDER = "<html><body><h2>Porządek Mszy świętych</h2><p>Niedziele: {}</p><p>Dni powszednie: {}</p></body></html>"

    def site(self, *pages: str) -> SiteSchedule:
        return read_site([read_page(read_document(p, content_type="text/html", url=f"/{i}")) for i, p in enumerate(pages)])

    def test_of_equal_standing_are_two_readings(self) -> None:
        schedule = self.site(self.ORDER.format("8.00, 10.00", "18.00"), self.ORDER.format("8.00, 11.00", "18.00"))

        assert len(schedule.alternatives) == 1
        assert pytest.approx(0.5) == schedule.alternatives[0][0]
        assert {"10:00", "11:00"} == {hour for text in readings(schedule) for hour in ("10:00", "11:00") if hour in text}
        assert confidences(schedule, "08:00")[0] >= SURE > max(confidences(schedule, "10:00") + confidences(schedule, "11:00"))

    def test_the_one_that_more_pages_agree_with_is_likelier(self) -> None:
        new, old = self.ORDER.format("8.00, 10.00", "18.00"), self.ORDER.format("8.00, 11.00", "18.00")

        schedule = self.site(old, new, new, new)

        assert readings(schedule)[0].startswith("Sunday: 8:00, 10:00")
        assert schedule.alternatives[0][0] < 0.4

    def test_a_page_that_only_says_less_contradicts_nothing(self) -> None:
        schedule = self.site(self.ORDER.format("8.00, 10.00, 18.00", "18.00"), self.ORDER.format("8.00, 10.00", "18.00"))

        assert schedule.alternatives == ()


class TestWeigh:
    def test_a_text_without_questions_is_read_once(self) -> None:
        times = []

        weighed, questions = weigh(lambda _: times.append(1))

        assert (weighed, questions, times) == ([(1.0, None)], {}, [1])

    def test_however_many_questions_the_readings_stay_few(self) -> None:
        def ask(doubts: Doubts) -> tuple[str, ...]:
            return tuple(doubts.answer(Question("q", str(n)), {"yes": 0.6, "no": 0.4}) for n in range(50))

        weighed, questions = weigh(ask)

        assert len(questions) == 50
        assert len({reading for _, reading in weighed}) == 2**3
        assert weighed[0][1] == ("yes",) * 50
        assert pytest.approx(1.0) == sum(weight for weight, _ in weighed)


class TestWeights:
    def test_a_clear_text_has_one_reading_of_all_the_weight(self) -> None:
        (block,) = read_text("Niedziele: 8.00, 10.00").notices

        assert (block.reading.weight, block.reading.alternatives) == (1.0, ())

    def test_a_mass_is_as_sure_as_the_share_of_the_readings_that_have_it(self) -> None:
        masses = read_text("Niedziele: 8.00").masses

        (found,) = with_marginal_confidence(masses, ((0.5, masses), (0.25, ()), (0.25, ())))
        (rarer,) = with_marginal_confidence(masses, ((0.2, masses), (0.2, ())))

        assert found.confidence == rarer.confidence == masses[0].confidence / 2


class TestHoursCounted:
    @pytest.mark.parametrize(
        "said",
        [
            ", w wakacje bez pierwszej i ostatniej",
            ", w lipcu bez dwóch ostatnich",
            ". W wakacje bez drugiej.",
            ". W lipcu bez Mszy pierwszej i popołudniowej",
            ", w wakacje z wyjątkiem ostatniej",
            " (w lipcu tylko pierwsza i ostatnia)",
            ", w wakacje bez popołudniowej",
            ". W wakacje nie ma Mszy dla dzieci.",
            ", w ostatnią niedzielę lipca bez Mszy",
            "\nDni powszednie: 7.00, 18.00\nW wakacje nie ma ostatniej Mszy św. w niedzielę.",
        ],
    )
    def test_that_no_rule_tells_make_their_list_unsure(self, said: str) -> None:
        masses = read_text(f"Niedziela: 8.00, 10.00, 19.00{said}").masses

        assert [read for read in masses if read.mass.time in ("08:00", "10:00", "19:00") and read.confidence >= SURE] == []
        assert {"08:00", "10:00", "19:00"} <= {read.mass.time for read in masses}

    def test_of_something_else_leave_it_sure(self) -> None:
        masses = read_text("Niedziela: 8.00, 19.00. Po ostatniej Mszy nie ma spowiedzi.").masses

        assert [(read.mass.time, read.confidence >= SURE) for read in masses] == [("08:00", True), ("19:00", True)]
