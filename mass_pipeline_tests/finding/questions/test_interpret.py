"""`interpret` on a table of a few towns: what holds for every question, hostile ones too."""

from __future__ import annotations

from datetime import date, datetime, time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mass_pipeline.finding.places import Places
from mass_pipeline.finding.questions import Interpretation, dedications, interpret
from mass_pipeline.finding.town_names import ParishRow

AT = datetime.fromisoformat("2026-11-18T10:00")
TABLE = Places.of(
    [
        ParishRow("GNIEZNO", "wielkopolskie", "Wniebowzięcia NMP"),
        ParishRow("Gniezno", "wielkopolskie", "św. Wawrzyńca"),
        ParishRow("Lublin", "lubelskie", "św. Anny"),
        ParishRow("Lubin", "dolnośląskie", "św. Jana"),
        ParishRow("Nowa Wieś", "śląskie", "św. Anny"),
        ParishRow("Nowa Wieś", "mazowieckie", "św. Rocha"),
        ParishRow("Nowa Wieś Ełcka", "", "św. Józefa", "Nowa Wieś Ełcka 1|19-321 Nowa Wieś Ełcka"),
        ParishRow("Ostrów Wlkp.", "wielkopolskie", "św. Stanisława"),
        ParishRow("Środa Wielkopolska", "wielkopolskie", "św. Barbary"),
        ParishRow("Brzozów", "podkarpackie", "Przemienienia Pańskiego"),
        ParishRow("Brzozowa", "małopolskie", "św. Mikołaja"),
        ParishRow("Brzozowa", "świętokrzyskie", "św. Jana"),
        *(ParishRow("Tarnowskie Góry", "śląskie", f"św. Patrona {number}") for number in range(6)),
        ParishRow("Góry", "lubelskie", "św. Rocha"),
        ParishRow("Wólka", "podlaskie", "św. Anny", "", "Ełk"),
        ParishRow("Wólka", "łódzkie", "św. Anny"),
        ParishRow("Ełk", "warmińsko-mazurskie", "św. Wojciecha"),
        *(ParishRow("Kraków", "małopolskie", f"św. Patrona {number}") for number in range(12)),
        ParishRow("Kraków Prokocim", "małopolskie", "MB Dobrej Rady"),
    ]
)
WORDS = (
    *("w", "o", "na", "do", "po", "7", "18", "12.10", "31.02", "24-26.12", "jutro", "niedziele", "św.", "Anny", "Nowej", "Wsi"),
    *("i", "za", "-", ":", ".", "ʘ", "ß", "ŉ", "24", "dwa"),
)


def ask(question: str, at: datetime = AT) -> Interpretation:
    return interpret(question, at, TABLE)


class TestDaysBesideFeasts:
    @pytest.mark.parametrize(
        ("words", "day"),
        [
            ("w przeddzień Bożego Ciała", "2027-05-26"),
            ("wigilia Wszystkich Świętych", "2027-10-31"),
            ("dzień po Bożym Ciele", "2027-05-28"),
            ("dzień po Trzech Królach", "2027-01-07"),
            ("sobota przed niedzielą palmową", "2027-03-20"),
            ("niedziela po Wielkanocy", "2027-04-04"),
            ("eve of Epiphany", "2027-01-05"),
            ("day after Christmas", "2026-12-26"),
        ],
    )
    def test_are_those_days(self, words: str, day: str) -> None:
        found = ask(f"msza {words} Gniezno")

        assert ([str(one) for one in found.dates], found.unread) == ([day], ())

    def test_are_the_next_ones(self) -> None:
        """On the feast itself the day after it is tomorrow, not that of the next year."""
        found = ask("dzień po Bożym Narodzeniu Gniezno", datetime.fromisoformat("2026-12-25T12:00"))

        assert [str(one) for one in found.dates] == ["2026-12-26"]


class TestDatesBesideWords:
    @pytest.mark.parametrize(
        ("words", "is_morning"), [("25.12 rano", True), ("25.12.2026 r. rano", True), ("25.12.2026r", False)]
    )
    def test_the_r_of_a_year_is_no_beginning_of_a_word(self, words: str, is_morning: bool) -> None:
        found = ask(f"{words} w Gnieźnie")

        assert [str(day) for day in found.dates] == ["2026-12-25"]
        assert found.unread == ()
        assert (found.end is not None) is is_morning


class TestPlaces:
    @pytest.mark.parametrize(
        ("words", "name", "voivodeship"),
        [
            ("w Gnieźnie", "Gniezno", "wielkopolskie"),
            ("gniezno", "Gniezno", "wielkopolskie"),
            ("w Gneiźnie", "Gniezno", "wielkopolskie"),
            ("w Lubinie", "Lubin", "dolnośląskie"),
            ("w Lublinie", "Lublin", "lubelskie"),
            ("w Nowej Wsi Ełckiej", "Nowa Wieś Ełcka", "warmińsko-mazurskie"),
            ("w Ostrowie Wlkp.", "Ostrów Wielkopolski", "wielkopolskie"),
            ("w Środzie Wielkopolskiej", "Środa Wielkopolska", "wielkopolskie"),
            ("Nowa Wieś, woj. śląskie", "Nowa Wieś", "śląskie"),
            ("in Cracow", "Kraków", "małopolskie"),
            ("w Tarnowksich Górach", "Tarnowskie Góry", "śląskie"),
            ("tarnowskie gpry", "Tarnowskie Góry", "śląskie"),
            ("w Brzozowie", "Brzozów", "podkarpackie"),
            ("w Brzozowej małopolskie", "Brzozowa", "małopolskie"),
            ("kraokw", "Kraków", "małopolskie"),
            ("rakowie", "Kraków", "małopolskie"),
            ("w Wólce, pow. ełcki", "Wólka", "podlaskie"),
            ("w Wólce gmina Ełk", "Wólka", "podlaskie"),
        ],
    )
    def test_a_town_is_found_in_any_form(self, words: str, name: str, voivodeship: str) -> None:
        place = ask(f"msza {words}").place

        assert place is not None
        assert (place.name, place.voivodeship, place.ambiguous) == (name, voivodeship, False)

    def test_several_towns_of_one_name_are_a_question_back(self) -> None:
        reading = ask("msza w Nowej Wsi")

        assert reading.place is not None
        assert (reading.place.voivodeship, reading.place.ambiguous) == (None, True)
        assert {town.voivodeship for town in reading.did_you_mean} == {"śląskie", "mazowieckie"}

    def test_a_dedication_decides_between_them(self) -> None:
        place = ask("parafia św. Rocha w Nowej Wsi").place

        assert place is not None
        assert (place.parish, place.voivodeship) == ("św. Rocha", "mazowieckie")

    def test_a_dedication_that_one_parish_has_needs_no_town(self) -> None:
        place = ask("msza u św. Wawrzyniec jutro").place

        assert place is not None
        assert (place.name, place.ambiguous) == ("Gniezno", False)

    def test_a_dedication_without_a_town_is_compared_with_few_of_the_table(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A question must not take longer the more parishes there are."""
        names = [
            f"św. {first}{second}{last}" for first in "BCDFGKLMN" for second in "aeiouy" for last in ("radka", "lasa", "nwicy")
        ]
        table = Places.of([ParishRow(f"Wioska {name[4:]}", "śląskie", name) for name in names])
        interpret("u św. Anny", AT, table)
        compared = list[str]()
        plain = dedications.has_word
        monkeypatch.setattr(dedications, "has_word", lambda word, among: compared.append(word) or plain(word, among))

        place = interpret("msza u św. Belasa", AT, table).place

        assert place is not None
        assert place.name == "Wioska Belasa"
        assert len(compared) < 10 < len(names)

    def test_part_of_a_city(self) -> None:
        place = ask("msza na Prokocimiu").place

        assert place is not None
        assert (place.name, place.district) == ("Kraków", "Prokocim")

    @pytest.mark.parametrize("words", ["mszajutroo18", "msza jutro o18wkrakowie", "mszajutrowkrakowie"])
    def test_glued_words_are_parted_when_all_of_them_are_known(self, words: str) -> None:
        reading = ask(words)

        assert (reading.dates, reading.unread) == ((date(2026, 11, 19),), ())

    def test_a_word_with_a_wrong_letter_is_not_parted(self) -> None:
        place = ask("msza w Gnieznei").place

        assert place is not None
        assert place.name == "Gniezno"

    def test_another_name_is_no_wrong_letter(self) -> None:
        """One letter apart, but names that people use: nobody is sent to the wrong one."""
        place = ask("msza w Larnowskich Górach").place

        assert place is None or place.name != "Tarnowskie Góry"

    def test_other_towns_of_a_mistyped_name_are_told(self) -> None:
        reading = ask("msza w Lublnie")

        assert {"Lublin", "Lubin"} <= {town.name for town in reading.did_you_mean} | {
            reading.place.name if reading.place else None
        }

    def test_no_place_is_no_guess(self) -> None:
        assert ask("msza jutro").place is None

    @pytest.mark.parametrize("words", ["w Żelazowej Brzozowej", "Żelazowa Brzozowa", "zelazowa brzozowa"])
    def test_the_end_of_a_longer_name_is_no_village(self, words: str) -> None:
        reading = ask(f"msza {words}")

        assert reading.place is not None
        assert reading.place.name not in ("Brzozowa", "Brzozów")
        assert len(reading.unread) == 2

    def test_the_parishes_of_a_part_are_those_listed_under_its_name_or_of_its_deanery(self) -> None:
        table = Places.of(
            [
                *(ParishRow("Warszawa", "mazowieckie", f"św. Patrona {number}", "", "Warszawa-Praga") for number in range(4)),
                *(ParishRow("Warszawa", "mazowieckie", f"św. Patronki {number}", "", "ursynowski") for number in range(2)),
                ParishRow("Warszawa - Włochy", "mazowieckie", "św. Teresy", "", "Warszawa-Praga"),
            ]
        )
        ursynow, wlochy = (interpret(f"msza {words}", AT, table).district for words in ("na Ursynowie", "Warszawa Włochy"))

        assert ursynow is not None
        assert wlochy is not None
        assert [row.name for row in ursynow.rows] == ["św. Patronki 0", "św. Patronki 1"]
        assert [row.name for row in wlochy.rows] == ["św. Teresy"]
        assert {row.name for row in wlochy.town.rows} >= {"św. Teresy", "św. Patrona 0"}

    @pytest.mark.parametrize(
        ("words", "name"), [("katedra Kielce", "Wniebowzięcia NMP"), ("u dominikanów w Poznaniu", "Matki Bożej Różańcowej")]
    )
    def test_a_church_of_a_kind_is_the_one_that_the_town_has(self, words: str, name: str) -> None:
        rows = [("Kielce", "św. Jana"), ("Kielce", "Wniebowzięcia NMP"), ("Poznań", "św. Jana"), ("Poznań", "MB Różańcowej")]
        table = Places.of([ParishRow(town, "", patron) for town, patron in rows])

        assert [row.name.replace("MB", "Matki Bożej") for row in interpret(words, AT, table).parishes] == [name]


class TestPartsOfCities:
    """A quarter's name is a village's too: the city is asked about, and its churches are those of the deanery besides its own."""

    TABLE = Places.of(
        [
            *(ParishRow("Kraków", "małopolskie", f"św. Patrona {number}") for number in range(12)),
            *(ParishRow("Kraków", "małopolskie", f"św. Anny {number}", "", "Kraków-Podgórze") for number in range(3)),
            ParishRow("Kraków-Podgórze", "małopolskie", "św. Józefa"),
            ParishRow("Łagiewniki", "dolnośląskie", "św. Józefa"),
        ]
    )

    def test_a_quarter_typed_alone_is_asked_about(self) -> None:
        found = interpret("łagiewniki msza jutro", AT, self.TABLE)

        assert [town.name for town in found.towns] == ["Łagiewniki"]
        assert [town.name for town in found.did_you_mean] == ["Kraków"]

    def test_one_church_listed_under_its_name_does_not_stand_for_it(self) -> None:
        found = interpret("Kraków Podgórze", AT, self.TABLE)

        assert found.district is not None
        assert len(found.district.rows) == 4

    def test_an_estate_is_no_town_where_one_is_named(self) -> None:
        table = Places.of([ParishRow("Piastów", "mazowieckie", "św. Anny"), ParishRow("Kraków", "małopolskie", "św. Anny")])

        assert [town.name for town in interpret("os. Piastów Kraków msza jutro", AT, table).towns] == ["Kraków"]

    def test_a_bishop_is_not_in_biskupice(self) -> None:
        table = Places.of([ParishRow("Biskupice Radłowskie", "małopolskie", "św. Anny")])

        assert [town.name for town in interpret("msza Biskupice Radłowskie", AT, table).towns] == ["Biskupice Radłowskie"]


class TestMarianChurches:
    def test_the_one_that_the_town_has_is_meant_else_several_are_told(self) -> None:
        rows = [ParishRow(town, "", name) for town in ("Kraków", "Lublin") for name in ("Wniebowzięcia NMP", "Nawiedzenia NMP")]
        table = Places.of(rows)
        krakow, lublin = (interpret(f"kościół mariacki {town}", AT, table) for town in ("Kraków", "Lublin"))

        assert [row.name for row in krakow.parishes] == ["Wniebowzięcia NMP"]
        assert krakow.place is not None
        assert not krakow.place.ambiguous
        assert lublin.place is not None
        assert lublin.place.ambiguous or not lublin.parishes


class TestStreets:
    TABLE = Places.of(
        [
            ParishRow("Gniezno", "wielkopolskie", "św. Marcina", "św. Marcina|ul. 11 Listopada 5|62-200 Gniezno"),
            ParishRow("Gniezno", "wielkopolskie", "św. Jana", "św. Jana|ul. ks. J. Popiełuszki 7a|62-200 Gniezno"),
            ParishRow("Opole", "opolskie", "św. Marcina", "św. Marcina|ul. Długa 1|45-000 Opole"),
        ]
    )

    def test_a_date_after_ulica_is_a_street_and_the_number_after_it_a_house(self) -> None:
        reading = interpret("msza św. Marcina, ul. 11 Listopada 5", AT, self.TABLE)

        assert (reading.dates, reading.start, reading.unread) == ((), None, ())
        assert [row.town for row in reading.parishes] == ["Gniezno"]

    def test_a_street_alone_means_its_parish(self) -> None:
        reading = interpret("msza ul. Popiełuszki 7a Gniezno jutro o 18", AT, self.TABLE)

        assert [row.name for row in reading.parishes] == ["św. Jana"]
        assert (reading.start, reading.unread) == (time(18), ())

    def test_a_street_that_no_parish_lies_in_is_reported(self) -> None:
        reading = interpret("msza ul. 3 Maja 12 Gniezno", AT, self.TABLE)

        assert (reading.dates, reading.start, reading.unread) == ((), None, ("ul", "3", "Maja", "12"))

    @pytest.mark.parametrize(
        "words", ["Długa 7 Gniezno", "ul. Długa 7 Gniezno", "os. gen. Iksa 7 Gniezno", "pl. 1 Maja 7 Gniezno"]
    )
    def test_the_number_of_a_house_is_no_hour(self, words: str) -> None:
        """A street that the town does not have is told, with its number: the whole town is shown."""
        found = interpret(f"msza {words}", AT, self.TABLE)

        assert (found.start, found.parishes, [town.name for town in found.towns]) == (None, (), ["Gniezno"])
        assert "7" in found.unread

    def test_a_house_that_no_church_has_is_told(self) -> None:
        found = interpret("ul. 11 Listopada 6 Gniezno", AT, self.TABLE)

        assert ([row.name for row in found.parishes], found.unread) == (["św. Marcina"], ("6",))


class TestTime:
    def test_the_hour_after_the_clock_change_counts_elapsed_time(self) -> None:
        reading = ask("msza w Lublinie w ciągu 2 godzin", datetime.fromisoformat("2026-10-25T01:30"))

        assert (reading.start, reading.end) == (time(1, 30), time(2, 30))

    def test_a_moment_in_another_zone_is_asked_in_poland(self) -> None:
        reading = ask("msza jutro w Lublinie", datetime.fromisoformat("2026-11-18T23:30+00:00"))

        assert reading.dates == (date(2026, 11, 20),)

    def test_a_quarter_before_an_hour_is_no_quarter_from_now(self) -> None:
        reading = ask("msza w Lublinie za kwadrans ósma jutro")

        assert (reading.dates, reading.start, reading.end) == ((date(2026, 11, 19),), time(7, 45), time(7, 45))

    def test_an_impossible_date_is_told(self) -> None:
        reading = ask("msza 31 lutego w Lublinie")

        assert (reading.dates, reading.unread) == ((), ("31", "lutego"))

    @pytest.mark.parametrize(
        "words", ["20 marca 2028", "20 marca 2028 r.", "March 20, 2028", "20.03.2028", "dwudziestego marca 2028"]
    )
    def test_a_year_that_is_said_is_the_year_of_the_day(self, words: str) -> None:
        reading = ask(f"msza w Lublinie {words}")

        assert (reading.dates, reading.unread) == ((date(2028, 3, 20),), ())

    @pytest.mark.parametrize("words", ["sobota wieczór ważna na niedzielę", "w sobotę wieczorem licząca się jako niedzielna"])
    def test_saturday_evening_for_sunday_is_saturday(self, words: str) -> None:
        reading = ask(f"msza {words} Lublin")

        assert (reading.dates, reading.start, reading.unread) == ((date(2026, 11, 21),), time(17), ())

    @pytest.mark.parametrize("words", ["24 grudnia o północy", "pasterka o północy"])
    def test_midnight_of_an_eve_is_the_beginning_of_the_next_day(self, words: str) -> None:
        found = ask(words)

        assert (found.dates, found.start, found.end) == ((date(2026, 12, 25),), time(0), time(0))

    def test_midnight_mass_of_christmas_eve_is_one_night(self) -> None:
        reading = ask("christmas eve midnight mass Lublin")

        assert (reading.dates, reading.start, reading.feast) == ((date(2026, 12, 24),), time(20), "Pasterka")


class TestTheAskersOwnHours:
    """An hour of the asker's own affairs turns the window round: the Mass is to end up on its other side."""

    @pytest.mark.parametrize(
        ("words", "start", "end"),
        [
            ("pracuję do 19:30, msza Kraków", "19:30", None),
            ("pracuję od 8 do 16, Kraków", "16:00", None),
            ("kończę dyżur o 21 Kraków", "21:00", None),
            ("po pracy o 17 Kraków", "17:00", None),
            ("I work until 7pm, mass in Kraków", "19:00", None),
            ("mam pociąg o 9 Kraków", None, "09:00"),
            ("o 11 mam samolot, msza w Krakowie", None, "11:00"),
            ("odbieram dzieci o 16, Kraków", None, "16:00"),
            ("we leave at 10, Kraków", None, "10:00"),
            ("kurs od 9 do 17 Kraków, msza po", "17:00", None),
            ("msza po drodze w Krakowie między 10 a 12", "10:00", "12:00"),
            ("Kraków, autobus mam o 13:20, śpimy do 10", "10:00", "13:20"),
            ("o 14 idziemy, msza przed tym Kraków", None, "14:00"),
            ("kończę dziś zmianę o 14 Kraków", "14:00", None),
            ("o 17 odbieram syna, potem msza Kraków", "17:00", None),
            ("mam pociąg 13.40, msza w południe Kraków", "12:00", "12:00"),
            ("o 18:30 zaczyna się mecz, msza wcześniej Kraków", None, "18:30"),
            ("między 8 a 16 pracuję, Kraków", "16:00", None),
            ("8-16 jestem w pracy Kraków", "16:00", None),
            ("pracuję od 14 do 22, Kraków", None, "14:00"),
            ("I work 9 to 5, Kraków", "17:00", None),
            ("ich arbeite bis 16 Uhr, Messe in Kraków", "16:00", None),
            ("працюю до 16 Kraków", "16:00", None),
        ],
    )
    def test_what_ends_then_is_before_and_what_begins_then_after_the_mass(
        self, words: str, start: str | None, end: str | None
    ) -> None:
        found = ask(words)

        assert (found.start and f"{found.start:%H:%M}", found.end and f"{found.end:%H:%M}") == (start, end)
        assert (found.kind, found.place and found.place.name) == (None, "Kraków")
        assert set(found.unread) <= {"syna", "idziemy"}

    def test_the_town_of_a_duty_is_not_where_mass_is_sought(self) -> None:
        found = ask("mam być w Lublinie o 9, msza wcześniej w Gnieźnie")

        assert (found.place and found.place.name, found.end, found.also[0].name) == ("Gniezno", time(9), "Lublin")

    def test_a_mass_is_no_duty(self) -> None:
        assert ask("muszę być na mszy o 10 w Krakowie").start == time(10)

    def test_days_and_towns_among_the_words_are_still_read(self) -> None:
        found = ask("pracuję w Krakowie w sobotę do 14")

        assert (found.dates, found.start, found.place and found.place.name) == ((date(2026, 11, 21),), time(14), "Kraków")


class TestTwoHours:
    """An hour beside a limit is a limit itself; what no answer keeps is told, never dropped."""

    @pytest.mark.parametrize(
        ("words", "start", "end", "unread"),
        [
            ("będę w Krakowie o 9, msza przed 12", "09:00", "11:59", []),
            ("wylot o 14, msza przed 11 Kraków", None, "10:59", ["wylot", "14"]),
            ("Kraków przed rejsem o 10", None, "10:00", ["rejsem"]),
            ("Kraków po zawodach o 15", "15:00", None, ["zawodach"]),
            ("Kraków będę 18:20, zdążę", "18:20", None, []),
            ("o 9 i o 18 Kraków", "09:00", "09:00", ["18"]),
            ("po 15 i po 17 Kraków", "17:00", None, ["15"]),
            ("między 10 a 12, o 11 Kraków", "10:00", "12:00", ["11"]),
            ("msza między 8 a 10, potem pracuję Kraków", "08:00", "10:00", ["pracuję"]),
            ("o siódmej msza Kraków", "07:00", "07:00", []),
            ("20 po 7 Kraków", "07:20", "07:20", []),
            ("za 10 ósma Kraków", "07:50", "07:50", []),
            ("Kraków następne 3 dni", None, None, []),
        ],
    )
    def test_both_are_in_the_reading_or_told(self, words: str, start: str | None, end: str | None, unread: list[str]) -> None:
        found = ask(words)

        assert (found.start and f"{found.start:%H:%M}", found.end and f"{found.end:%H:%M}") == (start, end)
        assert list(found.unread) == unread


class TestDatesInAnySpelling:
    @pytest.mark.parametrize(
        "words",
        [
            *(
                "13-12-2026",
                "2026-12-13",
                "2026/12/13",
                "13-12",
                "13.12.2026",
                "13/12",
                "13tego grudnia",
                "13-go grudnia",
                "13 XII",
                "13 12 2026",
                "13 12 26 r.",
            ),
            *("13.XII.2026", "Dec. 13", "13th of December", "trzynastego grudnia", "w dniu 13 grudnia br.", "13 dec 2026"),
        ],
    )
    def test_it_is_one_day(self, words: str) -> None:
        found = ask(f"msza {words} Kraków")

        assert ([str(day) for day in found.dates], found.start, found.unread) == (["2026-12-13"], None, ())

    def test_two_numbers_are_a_date_where_one_is_no_hour(self) -> None:
        assert [(ask(words).dates, ask(words).start) for words in ("Kraków 27 12", "Kraków 18 30", "Kraków za 25 8")] == [
            ((date(2026, 12, 27),), None),
            ((), time(18, 30)),
            ((), time(7, 35)),
        ]

    @pytest.mark.parametrize("words", ["26 grudnia - 29 grudnia", "od 26.12 do 29.12", "26-29 grudnia", "26.12-29.12"])
    def test_from_one_to_another_are_all_between_them(self, words: str) -> None:
        assert [day.day for day in ask(f"{words} Kraków").dates] == [26, 27, 28, 29]


class TestHoursBesideAPartOfTheDay:
    def test_two_hours_are_surer_than_the_part(self) -> None:
        found = ask("między 15 a 19 po południu Kraków")

        assert (found.start, found.end) == (time(15), time(19))


class TestFirstAndLast:
    @pytest.mark.parametrize(
        ("words", "start", "end"),
        [
            ("ostatnia msza przed 19 Kraków", None, time(18, 59)),
            ("pierwsza msza po 12 Kraków", time(12, 1), None),
            ("ostatnia przed pasterką Kraków", None, time(19, 59)),
            ("co jest jako ostatnie przed pasterką Kraków", None, time(19, 59)),
            ("msza przed 19 Kraków", None, time(18, 59)),
        ],
    )
    def test_of_a_window_leaves_out_its_bound(self, words: str, start: time | None, end: time | None) -> None:
        assert (ask(words).start, ask(words).end) == (start, end)

    def test_both_are_one_and_a_word_told(self) -> None:
        found = ask("pierwsza i ostatnia msza Kraków")

        assert (found.pick, found.unread) == ("first", ("ostatnia",))

    def test_midnight_as_a_limit_is_the_end_of_the_eve(self) -> None:
        found = ask("pasterka wcześniej niż o północy Kraków")

        assert (found.dates, found.start, found.end) == ((date(2026, 12, 24),), time(20), time(23, 59))

    def test_before_midnight_mass_is_that_evening(self) -> None:
        assert ask("ostatnia przed pasterką Kraków").dates == (date(2026, 12, 24),)


class TestNamesOfDays:
    @pytest.mark.parametrize("words", ["Pnd 18", "pon 18", "poniedz. 18", "w poniedziałek o 18", "Montag 18", "понеділок 18"])
    def test_they_are_those_that_pages_are_read_by(self, words: str) -> None:
        found = ask(f"{words} Kraków")

        assert (found.dates, found.start, found.unread) == ((date(2026, 11, 23),), time(18), ())

    @pytest.mark.parametrize(
        ("words", "is_town"), [("w Piątku", True), ("Piątkowo", True), ("do piątku", False), ("w piątek", False)]
    )
    def test_a_form_that_names_a_town_too_is_the_town(self, words: str, is_town: bool) -> None:
        table = Places.of([ParishRow("Piątek", "łódzkie", "św. Anny"), ParishRow("Piątkowo", "pomorskie", "św. Jana")])
        found = interpret(f"msza {words}", AT, table)

        assert (bool(found.towns), bool(found.dates)) == (is_town, not is_town)

    def test_a_month_without_a_fifth_such_day_is_passed_over(self) -> None:
        assert ask("w piąty piątek miesiąca Kraków").dates == (date(2027, 1, 29),)


class TestWhatIsNotWanted:
    @pytest.mark.parametrize(
        ("words", "start", "end"),
        [("nie rano", time(10), None), ("byle nie wieczorem", None, time(17)), ("not in the evening", None, time(17))],
    )
    def test_the_rest_of_the_day_is_what_is_left(self, words: str, start: time | None, end: time | None) -> None:
        found = ask(f"msza {words} Kraków")

        assert (found.start, found.end, found.unread) == (start, end, ())

    def test_what_is_left_of_two_windows_is_told(self) -> None:
        assert ask("nie po południu Kraków").unread == ("nie", "po", "południu")

    def test_a_church_is_told_and_not_searched(self) -> None:
        found = ask("oprócz katedry, Kraków")

        assert (found.place and found.place.parish, found.parishes, found.unread) == (None, (), ("oprócz", "katedry"))


class TestDistances:
    @pytest.mark.parametrize(
        ("words", "metres"),
        [
            ("w promieniu 5 km od Krakowa", 5_000),
            ("do 10 minut autem od Krakowa", 10_000),
            ("within 10 miles of Kraków", 16_090),
            ("kwadrans piechotą od Krakowa", 1_200),
            ("w ciągu pół godziny drogi od Krakowa", 30_000),
            ("kilka km od Krakowa", 5_000),
            ("koło Krakowa", None),
        ],
    )
    def test_they_are_metres_round_the_place_and_no_hour(self, words: str, metres: int | None) -> None:
        found = ask(words)

        assert found.place is not None
        assert (found.radius_m, found.place.around, found.start, found.end, found.unread) == (metres, True, None, None, ())


class TestTwoTowns:
    @pytest.mark.parametrize(
        ("words", "name", "also"),
        [
            ("Lublin albo Gniezno", "Lublin", ["Gniezno"]),
            ("Lublin albo Gniezno, niech będzie Gniezno", "Gniezno", ["Lublin"]),
            ("w Lublinie czy w Gnieźnie, wolę w Gnieźnie", "Gniezno", ["Lublin"]),
            ("nie w Lublinie tylko w Gnieźnie", "Gniezno", []),
            ("w Lublinie albo Gnieźnie", "Lublin", ["Gniezno"]),
            ("Lublin czy Gniezno, lepiej Gniezno", "Gniezno", ["Lublin"]),
            ("koło Lublina albo Gniezna", "Lublin", ["Gniezno"]),
            ("z Krakowa na Lublin, po drodze w Gnieźnie", "Gniezno", ["Kraków"]),
            ("na Brzozowie w Krakowie", "Kraków", ["Brzozów"]),
        ],
    )
    def test_the_one_preferred_is_searched_and_the_other_kept(self, words: str, name: str, also: list[str]) -> None:
        found = ask(words)

        assert (found.place and found.place.name, [one.name for one in found.also]) == (name, also)


class TestDaysAboutAFeast:
    @pytest.mark.parametrize(
        ("words", "day"),
        [
            ("the Sunday before Christmas", date(2026, 12, 20)),
            ("w niedzielę przed Bożym Narodzeniem", date(2026, 12, 20)),
            ("w piątek po Bożym Ciele", date(2027, 5, 28)),
        ],
    )
    def test_a_day_of_the_week_beside_it_is_the_nearest(self, words: str, day: date) -> None:
        assert ask(f"{words} Kraków").dates == (day,)


class TestDaysBesideAComparison:
    @pytest.mark.parametrize(
        "words", ["26 grudnia jak w niedzielę", "26 grudnia jak w niedziele", "26 grudnia porządek świąteczny"]
    )
    def test_the_date_stays(self, words: str) -> None:
        found = ask(f"{words} Kraków")

        assert (found.dates, found.standing) == ((date(2026, 12, 26),), None)

    @pytest.mark.parametrize(
        ("words", "day"),
        [
            ("czy 26 grudnia to święto nakazane", date(2026, 12, 26)),
            ("is December 8 a holy day of obligation", date(2026, 12, 8)),
        ],
    )
    def test_asking_whether_a_day_is_of_obligation_adds_no_other_day(self, words: str, day: date) -> None:
        found = ask(words)

        assert (found.dates, found.asks_obligation) == ((day,), True)

    def test_the_holy_days_themselves_are_those_of_a_year(self) -> None:
        found = ask("które święta są nakazane")

        assert [f"{day:%m-%d}" for day in found.dates] == ["12-25", "01-01", "01-06", "05-27", "08-15", "11-01"]


class TestOtherServices:
    @pytest.mark.parametrize(
        ("words", "what"),
        [
            ("spowiedź i msza o 18 w Krakowie", "spowiedź"),
            ("gdzie się wyspowiadać w Krakowie", "wyspowiadać"),
            ("adoracja najświętszego sakramentu Kraków", "adoracja najświętszego sakramentu"),
            ("confession in Kraków", "confession"),
        ],
    )
    def test_are_told_apart_from_what_is_not_understood(self, words: str, what: str) -> None:
        found = ask(words)

        assert (found.not_served, found.place and found.place.name) == ((what,), "Kraków")
        assert set(what.split()) == set(found.unread)

    def test_a_region_is_told_but_no_service(self) -> None:
        found = ask("msza w Bieszczadach")

        assert (found.unread, found.not_served) == (("Bieszczadach",), ())


class TestLandmarks:
    """Where a station stands nobody knows here: the town is searched, and the words are told."""

    @pytest.mark.parametrize("lead", ["koło", "Koło", "obok", "przy", "niedaleko"])
    @pytest.mark.parametrize("landmark", ["dworca", "rynku", "szpitala", "kościoła"])
    def test_the_town_is_the_one_that_is_named(self, lead: str, landmark: str) -> None:
        table = Places.of([ParishRow("Koło", "wielkopolskie", "św. Anny"), ParishRow("Lublin", "lubelskie", "św. Anny")])
        found = interpret(f"msza {lead} {landmark} Lublin", AT, table)

        assert [town.name for town in found.towns] == ["Lublin"]
        assert landmark == "kościoła" or landmark in found.unread

    @pytest.mark.parametrize(
        "words", ["Koło jutro", "msza Koło", "w Kole", "Koło adoracja", "Koło katedra", "koło msza niedziela"]
    )
    def test_a_town_of_that_name_stays_one(self, words: str) -> None:
        table = Places.of([ParishRow("Koło", "wielkopolskie", "św. Anny"), ParishRow("Lublin", "lubelskie", "św. Anny")])

        assert [town.name for town in interpret(words, AT, table).towns] == ["Koło"]


class TestNamesOfTheirOwn:
    TABLE = Places.of(
        [ParishRow("Warka", "mazowieckie", "św. Mikołaja"), ParishRow("Gaje", "podkarpackie", "św. Anny", "Gajowa 2|Gaje")]
    )

    @pytest.mark.parametrize("words", ["Arka Pana", "Arce", "która parafia daje msze", "na cmentarzu Warckim", "na Gajowej"])
    def test_no_town_is_made_of_a_nickname_or_a_verb(self, words: str) -> None:
        found = interpret(words, AT, self.TABLE)

        assert {town.name for town in found.towns} <= {"Kraków"}

    def test_a_preposition_before_a_name_is_no_town(self) -> None:
        table = Places.of([ParishRow("Koło", "wielkopolskie", "św. Anny")])

        assert interpret("w niedzielę koło Xqwzina", AT, table).towns == ()
        assert interpret("w niedzielę w Kole", AT, table).towns != ()

    def test_a_church_may_name_its_town_by_an_adjective(self) -> None:
        assert [town.name for town in ask("w niedzielę w krakowskiej katedrze").towns] == ["Kraków"]

    def test_a_city_abroad_is_no_mistyped_town(self) -> None:
        assert [town.name for town in ask("msza w Dublinie").towns] == ["Dublin"]

    def test_cyrillic_letters_are_read_by_their_sounds(self) -> None:
        found = ask("де в Кракові меса українською мовою в неділю")

        assert (found.place and found.place.name, found.language, found.dates) == ("Kraków", "uk", (date(2026, 11, 22),))

    def test_a_letter_that_is_y_or_i_is_what_makes_the_larger_town(self) -> None:
        rows = [ParishRow("Szczecyn", "lubelskie", "św. Anny")]
        rows += [ParishRow("Szczecin", "zachodniopomorskie", f"św. Patrona {number}") for number in range(9)]

        assert [town.name for town in interpret("в Щецині в неділю", AT, Places.of(rows)).towns] == ["Szczecin"]

    def test_an_ordinary_word_is_no_mistyped_village(self) -> None:
        table = Places.of([ParishRow("Raczki", "podlaskie", "św. Anny")])

        assert interpret("msza paczki", AT, table).towns == ()
        assert [town.name for town in interpret("msza w Paczkach", AT, table).towns] == ["Raczki"]

    def test_a_nickname_is_the_parish_that_has_it(self) -> None:
        bienczyce = ParishRow("Kraków-Bieńczyce", "małopolskie", "NMP Królowej Polski")
        others = [ParishRow("Kraków", "małopolskie", f"św. Patrona {number}") for number in range(12)]
        table = Places.of([bienczyce, *others, ParishRow("Huta", "mazowieckie", "św. Anny")])

        for words in ("msza w Arce Pana w niedzielę", "Arka Pana w Hucie"):
            assert interpret(words, AT, table).parishes == (bienczyce,)


class TestHostileQuestions:
    @pytest.mark.parametrize(
        ("question", "error"),
        [
            ("a" * 201, "too_long"),
            ("msza " * 10_000, "too_long"),
            ("msza\x00Lublin", "bad_characters"),
            ("msza \u202enibuL", "bad_characters"),
        ],
    )
    def test_they_are_refused_in_a_word(self, question: str, error: str) -> None:
        assert ask(question).error == error

    @settings(max_examples=300, deadline=None)
    @given(st.text(max_size=200))
    def test_no_text_is_a_traceback(self, question: str) -> None:
        assert ask(question).to_record()["unread"] is not None

    @settings(max_examples=200, deadline=None)
    @given(st.lists(st.sampled_from(WORDS)))
    def test_no_order_of_its_words_is_one_either(self, words: list[str]) -> None:
        reading = ask(" ".join(words)[:200])

        assert len(reading.dates) <= 31
