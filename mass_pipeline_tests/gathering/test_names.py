"""Names of saints and towns, however they are declined, abbreviated or capitalised; kinds of hosts."""

from __future__ import annotations

import pytest

from mass_pipeline.gathering.dedication import is_same_patron, names_other_patron
from mass_pipeline.gathering.evidence import is_other_institution
from mass_pipeline.gathering.homes import parse_home
from mass_pipeline.gathering.hosts import HostKind, kind_of
from mass_pipeline.gathering.words import has_town, words


class TestSamePatron:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("Świętej Anny", "Parafia św. Anny"),
            ("św. Jana Chrzciciela", "Kościół św. Jana Chrz."),
            ("Najświętszego Serca Pana Jezusa", "Parafia NSPJ"),
            ("Matki Bożej Częstochowskiej", "NMP Częstochowskiej"),
            ("Wniebowzięcia Najświętszej Maryi Panny", "Wnieb. NMP"),
            ("Świętych Apostołów Piotra i Pawła", "Parafia Św. Piotra i Pawła"),
            ("Trójcy Przenajświętszej", "Parafia Trójcy Świętej"),
            ("Św. Antoniego z Padwy", "Parafia św. Antoniego Padewskiego"),
            ("św. Wojciecha Biskupa i Męczennika", "PARAFIA ŚW. WOJCIECHA"),
        ],
    )
    def test_is_seen_through_both_spellings(self, one: str, other: str) -> None:
        assert is_same_patron(one, other)
        assert is_same_patron(other, one)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("św. Jana Chrzciciela", "Parafia św. Jana Apostoła"),
            ("św. Jadwigi Królowej", "Parafia św. Jadwigi Śląskiej"),
            ("NMP Królowej Polski", "Parafia NMP Królowej Pokoju"),
            ("Matki Bożej Bolesnej", "Parafia Matki Bożej Pocieszenia"),
            ("św. Marka", "Parafia św. Marty"),
            ("św. Stanisława Kostki", "Parafia św. Stanisława Biskupa i Męczennika"),
            ("św. Jana Pawła II", "Parafia św. Jana Chrzciciela"),
        ],
    )
    def test_others_are_told_apart(self, one: str, other: str) -> None:
        assert not is_same_patron(one, other)

    @pytest.mark.parametrize(
        ("one", "other"), [("św. Anny", "Parafia św. Wojciecha"), ("św. Jadwigi Królowej", "Parafia św. Jadwigi Śląskiej")]
    )
    def test_a_word_that_only_the_other_has_contradicts(self, one: str, other: str) -> None:
        assert names_other_patron(one, other)

    def test_a_shorter_name_is_no_contradiction(self) -> None:
        assert not names_other_patron("św. Jadwigi Śląskiej", "Parafia św. Jadwigi w Nysie", "Nysa")

    def test_the_dean_s_patron_behind_the_parish_s_own_does_not_count(self) -> None:
        assert not names_other_patron("św. Anny", "Parafia św. Anny | Dekanat św. Jana")


class TestTown:
    @pytest.mark.parametrize(
        ("town", "text"),
        [
            ("Białystok", "w Białymstoku"),
            ("Nowa Wieś", "Parafia w Nowej Wsi"),
            ("Żywiec", "dekanat w Żywcu"),
            ("Praga", "na Pradze"),
            ("Tychy", "w Tychach"),
            ("Bielsko-Biała", "w Bielsku-Białej"),
            ("KURDWANÓW", "Kurdwanów 23"),
            ("Piotrków k. Lublina", "Piotrków"),
            ("Ostróda", "w Ostródzie"),
        ],
    )
    def test_is_found_in_any_case(self, town: str, text: str) -> None:
        assert has_town(town, words(text))

    @pytest.mark.parametrize(
        ("town", "text"),
        [
            ("Kraków", "Krakowskie Przedmieście"),
            ("Piła", "ul. Polna"),
            ("Marki", "św. Marii"),
            ("Nowy Targ", "Nowa Targowa"),
            ("", "x"),
        ],
    )
    def test_other_words_are_not_it(self, town: str, text: str) -> None:
        assert not has_town(town, words(text))


class TestInstitution:
    @pytest.mark.parametrize(
        "name", ["Muzeum Parafialne", "Cmentarz parafialny", "Szkoła im. św. Jadwigi", "Caritas przy parafii"]
    )
    def test_what_is_named_first_counts(self, name: str) -> None:
        assert is_other_institution(words(name))

    @pytest.mark.parametrize("name", ["Parafia św. Anny - szkoła, Caritas", "Sanktuarium i muzeum", "św. Anna"])
    def test_a_parish_may_have_its_own(self, name: str) -> None:
        assert not is_other_institution(words(name))


class TestHostKind:
    @pytest.mark.parametrize(
        ("url", "kind"),
        [
            ("http://www.parafia.pl/", HostKind.OWN),
            ("http://chnk.pl/", HostKind.OWN),  # the 2018 list lost it to "nk.pl"
            ("http://swanna.blogspot.com/", HostKind.OWN),
            ("http://swanna.w.interia.pl/", HostKind.OWN),
            ("https://interia.pl/x", HostKind.PORTAL),
            ("https://m.facebook.com/swanna", HostKind.SOCIAL),
            ("https://www.archwwa.pl/parafie/x", HostKind.DIOCESAN),
            ("https://pl.wikipedia.org/wiki/X", HostKind.PORTAL),
        ],
    )
    def test_whole_domains_are_judged_never_pieces_of_them(self, url: str, kind: HostKind) -> None:
        assert kind == kind_of(url)


class TestParseHome:
    def test_title_text_alternatives_and_charset_are_read(self) -> None:
        page = '<title>Parafia św. Józefa</title><body><img alt="Łódź"><script>x</script>Msze święte'.encode("cp1250")
        home = parse_home("http://x.example/", page, "text/html")

        assert (home.title, home.text) == ("Parafia św. Józefa", "Parafia św. Józefa Msze święte Łódź")

    def test_contact_pages_of_the_same_host_are_found_frames_first(self) -> None:
        page = (
            b'<iframe src="/ramka.htm"></iframe><a href="/historia">Historia</a><a href="/k">Kontakt</a>'
            b'<a href="http://inny.example/kontakt">Kontakt</a><a href="javascript:x()">Kontakt</a>'
        )

        assert parse_home("http://x.example/", page, None).contact_urls == (
            "http://x.example/ramka.htm",
            "http://x.example/k",
            "http://x.example/historia",
        )

    @pytest.mark.parametrize("page", [b"", b"\x00\xff\xfe", b"<" * 5000, b"<title>"])
    def test_no_bytes_break_it(self, page: bytes) -> None:
        assert parse_home("http://x.example/", page, None).url == "http://x.example/"
