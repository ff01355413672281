"""The pages of people who answer, through real requests without a browser and without JavaScript."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC

import pytest

from mass_pipeline.annotation.store import Store
from mass_pipeline.annotation.web.texts import LANGUAGES, texts
from mass_pipeline.annotation.web.tokens import Signing
from mass_pipeline_tests.annotation.support import SECRET, START, Clock, Person, answer, begun, item, make_app, row_item, row_of


@pytest.mark.row("P14")
class TestInstructions:
    def test_come_first_and_again_every_two_days(self, store: Store, clock: Clock) -> None:
        store.add_items([item(1)], now=START)
        person = Person(make_app(store, clock))

        assert person.get("/task").headers["location"] == "/instructions"
        person.begin()
        assert person.get("/task").status_code == 200
        clock.turn(days=2)
        assert person.get("/task").headers["location"] == "/instructions"
        person.begin()
        assert person.get("/task").status_code == 200

    def test_reading_them_again_keeps_the_person(self, store: Store, clock: Clock) -> None:
        person = begun(store, clock, item(1), item(2))
        person.vote("yes")
        person.begin()

        assert "Twoje odpowiedzi: 1." in person.get("/task").text


class TestTask:
    def test_shows_the_hour_marked_in_its_context_with_heading_days_and_host(self, store: Store, clock: Clock) -> None:
        store.add_items([item(1, day_scope="uroczystości")], now=START)
        page = Person(make_app(store, clock)).begin().get("/task").text

        for part in ("Porządek Mszy", "uroczystości", "parafia1.example", '8.00, <mark id="hour">', "9.30</mark>, 11.00"):
            assert part in page
        for word in ("Tak", "Nie", "Mszy nie będzie", "Nie wiem", "Cofnij"):
            assert word in page

    def test_what_stands_beside_the_hour_is_not_told_twice_and_the_rest_opens_with_one_press(
        self, store: Store, clock: Clock
    ) -> None:
        """Heading and days took a quarter of a phone's screen, mostly with words of the excerpt's first line."""
        left, after = "Kontakt\n" * 9 + "MSZE ŚWIĘTE\nNiedziele: ", ", 11.00\n" + "Kancelaria\n" * 9
        store.add_items([item(1, heading="Msze święte:", day_scope="niedziele", left=left, right=after)], now=START)
        page = Person(make_app(store, clock)).begin().get("/task").text

        assert "Msze święte:" not in page
        assert "<b>Dni</b>" not in page
        assert page.count("<summary>") == 1
        assert [page.count(word) for word in ("Kontakt", "MSZE ŚWIĘTE", "Kancelaria")] == [9, 1, 9]
        shown = page.split('id="context"')[1].split("</p>")[0]
        assert [shown.count(word) for word in ("Kontakt", "MSZE ŚWIĘTE", "Kancelaria")] == [1, 1, 2]

    def test_a_long_heading_is_cut_to_two_lines(self, store: Store, clock: Clock) -> None:
        store.add_items([item(1, heading="Porządek " * 20)], now=START)
        page = Person(make_app(store, clock)).begin().get("/task").text

        assert "Porządek…" in page
        assert page.count("Porządek") == 8

    @pytest.mark.parametrize("word", ["yes", "no", "cancelled", "unknown"])
    @pytest.mark.row("P14")
    def test_each_answer_is_stored_and_leads_to_the_next_question(self, store: Store, clock: Clock, word: str) -> None:
        person = begun(store, clock, item(1), item(2))
        form = person.form()
        clock.turn(seconds=4)
        response = person.post("/vote", answer=word, **form)
        vote = store.votes().iloc[0]

        assert (response.status_code, response.headers["location"]) == (303, "/task")
        assert (form["item"], word, 4000) == (vote["candidate_id"], vote["answer"], vote["duration_ms"])
        assert vote["voted_at"] == clock.now.astimezone(UTC)
        assert person.form()["item"] != form["item"]

    @pytest.mark.row("P14")
    def test_undo_brings_the_question_back_with_the_answer_and_restore_keeps_it(self, store: Store, clock: Clock) -> None:
        person = begun(store, clock, item(1), item(2))
        first = person.form()["item"]
        person.vote("cancelled")
        person.post("/undo", **person.form("/undo"))
        page = person.get("/task").text

        assert first in page
        assert "Twoja poprzednia odpowiedź: Mszy nie będzie" in page
        assert store.votes().empty
        person.post("/redo", **person.form("/redo"))
        assert list(store.votes()["answer"]) == ["cancelled"]

    def test_progress_tells_mine_and_all(self, store: Store, clock: Clock) -> None:
        store.add_items([item(1), item(2)], now=START)
        for voter in "abc":
            answer(store, voter, "c0001", "yes")
        person = Person(make_app(store, clock), headers={"Accept-Language": "en"}).begin()
        person.vote("no")
        clock.turn(seconds=10)

        assert "Your answers: 1. Whole campaign: 66 %" in person.get("/task").text

    def test_a_done_campaign_says_so_and_a_busy_one_says_come_back(self, store: Store, clock: Clock) -> None:
        store.add_items([item(1)], now=START)
        app = make_app(store, clock)
        person = Person(app).begin()
        person.vote("yes")

        assert "Na razie to wszystko" in person.get("/task").text
        for network in ("203.0.113.1", "192.0.2.1"):
            Person(app, network).begin().vote("yes")
        assert "Kampania zakończona" in person.get("/task").text


class TestList:
    def test_all_hours_of_a_block_are_answered_at_once_and_gaps_stay_open(self, store: Store, clock: Clock) -> None:
        hours = {4: "08:00", 5: "09:30", 6: "11:00"}
        person = begun(store, clock, *[item(n, parish_id="p", url="https://p.example/", time=time) for n, time in hours.items()])
        form = person.form("/list", "/list")
        chosen = {"answer:c0004": "yes", "answer:c0006": "no"}
        response = person.post("/list", **form, **chosen)

        assert response.status_code == 303
        assert {("c0004", "yes"), ("c0006", "no")} == set(
            store.votes()[["candidate_id", "answer"]].itertuples(index=False, name=None)
        )
        assert row_of(store, "c0005").n_votes == 0
        assert "c0005" in person.get("/list").text

    def test_the_tokens_of_a_list_belong_to_their_items(self, store: Store, clock: Clock) -> None:
        person = begun(store, clock, item(1), item(2))
        form = person.form("/list", "/list")
        mine = next(name.removeprefix("token:") for name in form if name.startswith("token:"))
        other = {"c0001": "c0002", "c0002": "c0001"}[mine]
        response = person.post("/list", **{f"answer:{other}": "yes", f"token:{other}": form[f"token:{mine}"]})

        assert response.status_code == 403
        assert store.votes().empty


class TestPrivacy:
    def test_a_person_can_erase_everything(self, store: Store, clock: Clock) -> None:
        person = begun(store, clock, item(1), item(2))
        person.vote("yes")
        response = person.post("/forget", **person.form("/forget", "/privacy"))

        assert "Usunięto Twoje odpowiedzi (1)" in response.text
        assert store.votes(with_withdrawn=True).empty
        assert person.get("/task").headers["location"] == "/instructions"


class TestTexts:
    def test_both_languages_have_the_same_words_and_places(self) -> None:
        import string

        places = [
            {key: {name for _, name, _, _ in string.Formatter().parse(text) if name} for key, text in texts(language).items()}
            for language in LANGUAGES
        ]

        assert places[0] == places[1]

    def test_the_language_can_be_changed(self, store: Store, clock: Clock) -> None:
        person = Person(make_app(store, clock))

        assert '<html lang="pl">' in person.get("/instructions").text
        person.post("/language", language="en")
        assert '<html lang="en">' in person.get("/instructions").text


class TestInvitation:
    """Hazard W12: trusted by signed invite; banned votes kept, not counted, the ban not shown."""

    def test_a_signed_invitation_makes_one_voter_trusted(self, store: Store, clock: Clock) -> None:
        app = make_app(store, clock)
        token = Signing(SECRET).invite(now=clock.now)
        guest, second = Person(app), Person(app, "203.0.113.1")

        assert "Zaproszenie" in guest.get(f"/invite/{token}").text
        assert guest.post("/invite", token=token).status_code == 303
        assert second.post("/invite", token=token).status_code == 403
        store.add_items([item(1)], now=START)
        guest.begin().vote("yes")
        assert list(store.votes()["standing"]) == ["trusted"]

    def test_it_works_once_whatever_becomes_of_its_voter(self, store: Store, clock: Clock) -> None:
        """F9: a banned voter un-banned himself with it, and forgetting freed it for another."""
        app = make_app(store, clock)
        token = Signing(SECRET).invite(now=clock.now)
        guest = Person(app)
        store.add_items([item(1)], now=START)
        assert guest.post("/invite", token=token).status_code == 303
        guest.begin().vote("yes")
        store.set_standing(store.votes()["voter_id"][0], "banned", by="operator", now=START)

        assert guest.post("/invite", token=token).status_code == 403
        assert guest.post("/invite", token=Signing(SECRET).invite(now=clock.now)).status_code == 403, "the ban stays"
        assert list(store.votes()["standing"]) == ["banned"]
        assert Person(app, "203.0.113.1").post("/invite", token=token).status_code == 403

    def test_of_many_who_use_it_at_once_one_is_taken(self, store: Store) -> None:
        with ThreadPoolExecutor(12) as threads:
            taken = list(threads.map(lambda n: store.accept_invitation(f"{n:032x}", "once", now=START), range(12)))

        assert sorted(taken) == [False] * 11 + [True]

    def test_two_people_of_a_parish_settle_its_rows_and_see_no_other(self, store: Store, clock: Clock) -> None:
        app, office = make_app(store, clock, gold_share=1.0, random_share=1.0), "3f1c22ab90d4e857"
        own = [row_item(n, row_id=f"own{n}", parish_id=office, reason="parish") for n in range(3)]
        others = [row_item(n, row_id=f"other{n}", gold="yes" if n else None) for n in range(3)]
        store.add_items([*own, *others, item(1)], now=START)
        for address in ("203.0.113.1", "203.0.113.2"):  # one network
            person = Person(app, address)
            assert person.post("/invite", token=Signing(SECRET).invite(now=clock.now, parish=office)).status_code == 303
            person.begin()
            for _ in own:
                person.vote("yes")
            assert "Znasz już wszystkie pytania o swoją parafię" in person.get("/task").text
            assert "Znasz już wszystkie pytania o swoją parafię" in person.get("/list").text

        assert set(store.votes()["candidate_id"]) == {one.candidate_id for one in own}
        assert list(store.settled().query("parish_id == @office")["verdict"]) == ["yes", "yes", "yes"]

    @pytest.mark.parametrize("token", ["x", "a|b.c", "0" * 600])
    def test_a_made_up_invitation_is_none(self, store: Store, clock: Clock, token: str) -> None:
        person = Person(make_app(store, clock))

        assert person.get(f"/invite/{token}").status_code == 404
        assert person.post("/invite", token=token).status_code in (403, 422)

    def test_an_old_invitation_is_none(self, store: Store, clock: Clock) -> None:
        token = Signing(SECRET).invite(now=clock.now)
        clock.turn(days=15)

        assert Person(make_app(store, clock)).post("/invite", token=token).status_code == 403

    def test_a_banned_voter_sees_the_same_pages_and_counts_for_nothing(self, store: Store, clock: Clock) -> None:
        person = begun(store, clock, *[item(n) for n in range(4)])
        person.vote("yes")
        store.set_standing(store.votes()["voter_id"][0], "banned", by="test", now=START)
        response = person.vote("yes")

        assert response.status_code == 303
        assert "Twoje odpowiedzi: 2." in person.get("/task").text
        assert len(store.votes()) == 2
        assert store.progress().n_votes == 0
