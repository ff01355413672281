"""Moods, ends and denials, in words the reader's makers did not list: what is not said to be so changes nothing unseen."""

from __future__ import annotations

from datetime import date
from itertools import product

import pytest

from mass_pipeline.reading.changes import ScheduleChange, read_changes

ISSUED = date(2026, 11, 29)
SAID = ("Mszę św. w środę przenieść z 18.00 na 16.30", "w środę Msza św. była tylko o 10.00", "Mszy św. o 7.00 w środę nie było")
MOODS = ("Padła propozycja, żeby {}.", "Rada wnioskuje, aby {}.", "Gdyby {}, damy znać.", "Ks. wikary proponuje, by {}.")


def sure(text: str) -> list[ScheduleChange]:
    return [change for change in read_changes(text, ISSUED) if not change.doubts and change.valid_to]


@pytest.mark.parametrize("text", [mood.format(said) for mood, said in product(MOODS, SAID)])
def test_what_is_wished_or_proposed_is_told_by_nobody(text: str) -> None:
    assert sure(text) == []


@pytest.mark.parametrize(
    "text", ["Czy w środę Msza św. ma być o 16.00 zamiast o 18.00?", "Ankieta: w środę Msza św. tylko o 16.00?"]
)
def test_a_question_tells_nothing(text: str) -> None:
    assert sure(text) == []


@pytest.mark.parametrize("end", ["skończymy około 23.30", "kończymy o godz. 23.30", "zakończy się przed 23.30"])
def test_when_a_mass_ends_no_other_begins(end: str) -> None:
    told = sure(f"W sobotę 5 grudnia dodatkowa Msza św. o 22.00 ({end}).")
    assert [change.times for change in told] == [("22:00",)]


@pytest.mark.parametrize("denied", ["Mszy św. o 17.00 brak", "Msza wieczorna o 17.00 - brak", "o 17.00 Mszy brak"])
def test_what_is_missing_falls_out(denied: str) -> None:
    assert [(change.kind, change.times) for change in sure(f"W środę 2 grudnia {denied}.")] == [("cancelled", ("17:00",))]


def test_who_is_missing_at_a_mass_does_not_call_it_off() -> None:
    assert not [change for change in sure("W środę 2 grudnia na Mszy św. o 17.00 brak organisty.") if change.kind == "cancelled"]


def test_who_is_asked_to_another_mass_leaves_it_where_it_is() -> None:
    told = sure("W niedzielę 6 grudnia nie ma Mszy św. o 10.30 (dzieci zapraszamy na 12.00).")
    assert [(change.kind, change.times) for change in told if change.kind == "cancelled"] == [("cancelled", ("10:30",))]


def test_weekdays_of_a_stretch_are_those_within_it() -> None:
    text = (
        "W poniedziałek 14 grudnia zaczyna się remont. Od tego dnia do soboty 19 grudnia kościół zamknięty, "
        "Msze św. od poniedziałku do soboty nie będą odprawiane."
    )
    assert {(change.valid_from, change.valid_to) for change in read_changes(text, ISSUED)} == {
        (date(2026, 12, 14), date(2026, 12, 19))
    }


def test_a_line_of_a_programme_tells_which_masses_it_takes_the_place_of() -> None:
    text = "niedziela 6 XII\n8.00 – Msza św.\n11.00 – suma odpustowa zamiast Mszy św. o 10.00 i 12.00\n18.00 – Msza św."
    told = {change.kind: change.times for change in sure(text)}
    assert told == {"cancelled": ("10:00", "12:00"), "order": ("08:00", "11:00", "18:00")}


def test_a_line_opens_with_its_date() -> None:
    assert [
        one.valid_from for one in sure("Sobota 5.12. 19:00 dodatkowa Msza św.\nNiedziela 6.12. 20:00 dodatkowa Msza św.")
    ] == [
        date(2026, 12, 5),
        date(2026, 12, 6),
    ]


def test_the_eve_of_another_feast_is_not_that_of_christmas() -> None:
    text = "W sobotę 8 sierpnia jubileusz. W wigilię jubileuszu dodatkowa Msza św. o 20.00. W dniu jubileuszu Msze: 8.00, 12.00."
    told = [(one.valid_from.month, one.valid_from.day) for one in read_changes(text, date(2026, 8, 2)) if one.kind == "order"]
    assert told == [(8, 8)]
    assert not [one for one in read_changes(text, date(2026, 8, 2)) if one.valid_from.month == 12]


@pytest.mark.parametrize("text", ["W środę nie obowiązuje porządek niedzielny.", "O porządku świątecznym powiemy w środę."])
def test_an_order_that_is_denied_or_spoken_about_is_not_told(text: str) -> None:
    assert read_changes(text, ISSUED) == []


def test_an_order_of_sundays_may_lack_a_mass() -> None:
    told = sure("We wtorek 8 grudnia Msze św. jak w niedzielę, ale bez tej o dziewiątej.")
    assert [(one.kind, one.times) for one in told] == [("as_sunday", ()), ("cancelled", ("09:00",))]


def test_dates_in_a_bracket_are_those_of_the_weekdays_before_it() -> None:
    told = sure("Czwartek, piątek i sobota skupienia (10, 11 i 12 grudnia): Msza św. tylko o 17.30.")
    assert [one.valid_from.day for one in told] == [10, 11, 12]


def test_a_move_keeps_the_half_of_the_day_from_which_it_is_made() -> None:
    assert [one.part for one in sure("W środę 2 grudnia poranna Msza św. zostaje przeniesiona na 19.00 wieczorem.")] == [
        "morning"
    ]


def test_what_is_denied_behind_a_mass_is_another() -> None:
    told = sure("W środę 2 grudnia Msza św. będzie o 16.30 w kaplicy, w kościele o 18.00 jej nie odprawimy.")
    assert {one.kind: one.times for one in told} == {"added": ("16:30",), "cancelled": ("18:00",)}


def test_what_does_not_take_place_may_be_a_list() -> None:
    told = sure("Od 1 do 31 sierpnia nie będzie Mszy św.: w niedziele o 12.30, a w dni powszednie o 6.45.")
    assert {one.kind for one in told} <= {"cancelled"}


def test_a_list_of_masses_ends_before_the_hour_that_is_denied() -> None:
    told = sure("W środę 6 stycznia Msze św. o 9.00, 11.00 i 16.00 – o siódmej Mszy nie ma.")
    assert {one.kind: one.times for one in told} == {"order": ("09:00", "11:00", "16:00"), "cancelled": ("07:00",)}


@pytest.mark.parametrize(
    "text", ["Parafia w Dębowcu obchodzi odpust w środę, suma o 12.00.", "W środę odpust, suma u nich o 12.00."]
)
def test_a_mass_of_others_waits(text: str) -> None:
    assert sure(text) == []


def test_what_is_held_without_a_mass_takes_none_away() -> None:
    assert read_changes("Nauki dla młodzieży (bez Mszy św.): w środę i w czwartek o 16.30 i 18.00.", ISSUED) == []


@pytest.mark.parametrize(
    "said", ["dodam jedną Mszę", "dokładamy jedną Mszę św.", "dorzucimy Mszę św.", "będzie jeszcze jedna Msza"]
)
def test_a_mass_that_is_added_takes_none_away(said: str) -> None:
    assert [(one.kind, one.times) for one in sure(f"W środę 2 grudnia {said}, o 7.30. Wieczorem jak co dzień.")] == [
        ("added", ("07:30",))
    ]


@pytest.mark.parametrize("usual", ["Wieczorem jak zwykle.", "Wieczorna Msza bez zmian.", "Po południu po staremu."])
def test_a_list_waits_whose_other_half_of_the_day_stays_as_it_was(usual: str) -> None:
    assert sure(f"W środę 2 grudnia Msze św. o 8.00, 9.00 i 10.00. {usual}") == []


@pytest.mark.parametrize(
    "text",
    [
        "W naszym kościele w sobotę nabożeństwa nie ma, wszyscy jadą do Borowej, gdzie suma o 18.00.",
        "U nas w sobotę cicho: idziemy pieszo do sąsiadów na Górkę, gdzie Msza św. o 11.00.",
    ],
)
def test_where_another_place_is_spoken_of_its_mass_waits(text: str) -> None:
    assert sure(text) == []


def test_where_our_own_place_is_spoken_of_its_mass_is_ours() -> None:
    assert sure("W sobotę zapraszamy do naszej kaplicy, gdzie o 10.00 Msza św.")


@pytest.mark.parametrize("aside", ["Nocują u nas w poniedziałek.", "Przyjadą do nas już w poniedziałek wieczorem."])
def test_a_day_said_by_the_way_gives_no_mass_its_day(aside: str) -> None:
    assert sure(f"W środę witamy pielgrzymów. {aside} Mszę św. odprawi ich przewodnik o 5.30.") == []


@pytest.mark.parametrize("but", ["nie o 18.00, a o 16.30", "nie o 18, tylko o 16.30", "nie o 18.00, ale już o 16.30"])
def test_an_hour_that_is_denied_for_another_one_is_a_move(but: str) -> None:
    assert [(one.kind, one.times, one.new_times) for one in sure(f"W środę 2 grudnia wieczorna Msza św. {but}.")] == [
        ("moved", ("18:00",), ("16:30",))
    ]


def test_masses_after_the_manner_of_sundays_are_those_of_sundays() -> None:
    assert [one.kind for one in sure("W sobotę 26 grudnia Msze św. po niedzielnemu.")] == ["as_sunday"]
    assert sure("W sobotę 26 grudnia różaniec po niedzielnemu.") == []


@pytest.mark.parametrize("before", ["Przed tygodniem ogłaszałem", "Podawaliśmy już", "W zeszłą niedzielę ks. wikary mówił"])
def test_what_was_announced_before_is_told_by_nobody(before: str) -> None:
    assert sure(f"{before}, że w środę 2 grudnia Msza św. będzie o 9.00 zamiast o 18.00.") == []


def test_a_beginning_and_an_end_make_one_stretch_to_which_the_next_sentence_points_back() -> None:
    told = sure(
        "Remont rozpoczyna się w poniedziałek 7 grudnia i potrwa do piątku 18 grudnia. W tych dniach nie ma Mszy św. o 7.00."
    )
    assert [(one.valid_from.day, one.valid_to and one.valid_to.day) for one in told] == [(7, 18)]


def test_who_says_the_usual_masses_adds_none() -> None:
    assert read_changes("W środę 2 grudnia Msze św. wieczorne o 17.00 odprawia ks. proboszcz z Lipia.", ISSUED) == []


@pytest.mark.parametrize("said", ["z wyłączeniem", "za wyłączeniem", "z wyjątkiem", "z pominięciem", "wyłączając", "prócz"])
def test_a_day_left_out_is_not_the_day_that_is_meant(said: str) -> None:
    days = "czwartek" if said == "wyłączając" else "czwartku"
    told = sure(f"Od poniedziałku do soboty nie będzie Mszy św. o 7.30, {said} {days}.")
    assert told
    assert not any(change.valid_from <= date(2026, 12, 3) <= (change.valid_to or date.max) for change in told)


@pytest.mark.parametrize(
    "said", ["z wyjątkiem 8.30", "oprócz tej o 8.30", "poza Mszą o 8.30", "prócz Mszy szkolnej o godz. 8.30"]
)
def test_what_is_left_out_of_a_denial_takes_place(said: str) -> None:
    told = sure(f"W piątek 4 grudnia nie będzie Mszy św. porannych, {said}.")
    assert not any("08:30" in change.times for change in told)


@pytest.mark.parametrize("event", ["wernisaż", "kiermasz ciast", "zawody", "spektakl", "promocja książki"])
def test_what_nobody_knows_for_a_mass_is_none(event: str) -> None:
    told = sure(f"W sobotę 5 grudnia Msza św. w kaplicy, a o 12.15 {event}.")
    assert not any("12:15" in change.times for change in told)


@pytest.mark.parametrize(
    "text",
    [
        "W czwartek 3 grudnia wieczorem Mszy św. nie będzie, rano o 7.00 Msza jak co dzień.",
        "W czwartek 3 grudnia nie ma porannej Mszy św. (skupienie), po południu o 17.30 Msza za zmarłych.",
    ],
)
def test_the_half_of_a_day_that_falls_out_is_not_the_other(text: str) -> None:
    assert not any({"07:00", "17:30"} & set(change.times) for change in sure(text) if change.kind == "cancelled")


def test_what_was_asked_is_not_told() -> None:
    assert sure("Pytają Państwo, czy we wtorek 8 grudnia Msze św. będą jak w niedzielę. Zobaczymy.") == []


@pytest.mark.parametrize("place", ["tam w niedzielę", "w niedzielę tam"])
def test_what_takes_place_there_does_not_take_place_here(place: str) -> None:
    assert sure(f"Zaprasza nas proboszcz z Borowa: odpust {place}, suma o 13.30.") == []
