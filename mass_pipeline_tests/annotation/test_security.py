"""Hazards W2 and W4 to W9 (ASVS 5.0), through real requests; W1 and W3 need a browser: test_browser."""

from __future__ import annotations

import random
from dataclasses import replace
from http.cookies import SimpleCookie
from typing import Any

import pytest
from starlette.responses import Response

from mass_pipeline.annotation.operators import add_operator
from mass_pipeline.annotation.store import Store
from mass_pipeline.annotation.web.app import HEADERS, create_app
from mass_pipeline.annotation.web.tokens import VOTER_COOKIE, Signing, VoterCookie
from mass_pipeline_tests.annotation.support import PASSWORD, SECRET, START, Clock, Person, item, make_app


@pytest.fixture
def app(store: Store, clock: Clock) -> Any:
    store.add_items([item(n) for n in range(80)], now=START)
    return make_app(store, clock)


class TestHeaders:
    """W2: on every route and every status."""

    @pytest.mark.parametrize(
        ("method", "path", "status"),
        [
            ("GET", "/", 303), ("GET", "/task", 303), ("GET", "/instructions", 200), ("GET", "/privacy", 200),
            ("GET", "/list", 303),
            ("GET", "/operator", 401), ("GET", "/operator/login", 200), ("GET", "/nothing", 404), ("DELETE", "/task", 403),
            ("GET", "/vote", 405), ("POST", "/vote", 422), ("GET", "/static/app.css", 200), ("GET", "/static/../app.py", 404),
            ("GET", "/health", 200), ("GET", "/robots.txt", 200), ("GET", "/explode", 500), ("GET", "/invite/x", 404),
        ],
    )  # fmt: skip
    def test_are_on_every_answer(self, app: Any, method: str, path: str, status: int) -> None:
        def explode() -> Response:
            raise RuntimeError("a secret detail")

        app.add_api_route("/explode", explode)
        headers = {"Sec-Fetch-Site": "cross-site"} if method == "DELETE" else {}
        content = {"data": {"x": "y"}} if method == "POST" else {}
        response = Person(app, headers=headers).client.request(method, path, **content)

        assert status == response.status_code
        assert {name: response.headers[name] for name in HEADERS} == HEADERS
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert "secret detail" not in response.text
        assert "Traceback" not in response.text

    def test_no_documentation_and_no_server_name_is_public(self, app: Any) -> None:
        """W9."""
        person = Person(app)

        assert {404} == {person.get(path).status_code for path in ("/docs", "/redoc", "/openapi.json", "/metrics", "/admin")}


class TestCrossSiteRequests:
    """W4: refused before anything is read, nothing stored."""

    @pytest.mark.parametrize(
        "headers",
        [
            {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": ""}, {"Origin": "https://localhost.evil.example"},
                        {"Origin": "https://localhost", "Sec-Fetch-Site": "cross-site"},
            {"Origin": "https://localhost", "Sec-Fetch-Site": "same-site"},
            {"Origin": "https://localhost:444"}, {"Origin": "https://[::1"},
        ],
    )  # fmt: skip
    def test_a_form_of_another_site_is_refused(self, app: Any, store: Store, headers: dict[str, str]) -> None:
        person = Person(app).begin()
        form = person.form()
        response = person.client.post("/vote", data={"answer": "yes", **form}, headers=headers)

        assert response.status_code == 403
        assert store.votes().empty

    def test_a_form_without_origin_is_refused(self, app: Any, store: Store) -> None:
        person = Person(app).begin()
        form = person.form()
        del person.client.headers["Origin"]

        assert person.post("/vote", answer="yes", **form).status_code == 403
        assert store.votes().empty

    def test_text_plain_and_get_store_nothing(self, app: Any, store: Store) -> None:
        person = Person(app).begin()
        form = person.form()
        body = f"item={form['item']}&answer=yes&token={form['token']}"

        assert person.client.post("/vote", content=body, headers={"Content-Type": "text/plain"}).status_code == 415
        assert person.get(f"/vote?{body}").status_code == 405
        assert store.votes().empty

    def test_a_foreign_host_name_is_refused(self, app: Any) -> None:
        """DNS rebinding: the browser sends the attacker's name."""
        assert Person(app).get("/task", headers={"Host": "rebind.evil.example"}).status_code == 421


class TestVoterCookie:
    """W5."""

    def test_is_host_bound_secure_and_out_of_reach_of_scripts(self, app: Any) -> None:
        header = Person(app).post("/instructions").headers["set-cookie"]
        cookie = SimpleCookie(header)[VOTER_COOKIE]

        assert VOTER_COOKIE.startswith("__Host-")
        assert (
            cookie["secure"], cookie["httponly"], cookie["samesite"].lower(), cookie["path"], cookie["domain"],
        ) == (True, True, "lax", "/", "")  # fmt: skip
        assert len(cookie.value.split("|")[0]) == 32

    def test_the_cookie_of_one_person_cannot_be_made_into_anothers(self, app: Any, store: Store, clock: Clock) -> None:
        victim = Signing(SECRET).voter_cookie(VoterCookie("a" * 32, clock.now))
        forged = [
            "trusted", "banned", "a" * 32, "x" * 10_000, victim[:-1] + ("A" if victim[-1] != "A" else "B"),
            victim.replace("a" * 32, "b" * 32),
            Signing("another secret of sufficient length!!").voter_cookie(VoterCookie("a" * 32, clock.now)), "ą|ę.ó", "",
        ]  # fmt: skip
        for text in forged:
            person = Person(app)
            response = person.client.get("/task", headers={"Cookie": f"{VOTER_COOKIE}={text}".encode()})
            assert (response.status_code, response.headers["location"]) == (303, "/instructions"), text

    def test_a_cookie_that_is_too_old_is_none(self, app: Any, store: Store, clock: Clock) -> None:
        person = Person(app).begin()
        form = person.form()
        clock.turn(days=91)

        assert person.post("/vote", answer="yes", **form).status_code == 403
        assert store.votes().empty


class TestForwardedHeaders:
    """W6."""

    def test_are_ignored_from_whoever_is_no_configured_proxy(self, app: Any, store: Store) -> None:
        for number in range(3):
            headers = {
                "X-Forwarded-For": f"203.0.{number}.1",
                "X-Real-IP": f"203.0.{number}.1",
                "Forwarded": f"for=203.0.{number}.1",
            }
            Person(app, headers=headers).begin().vote("yes")

        assert store.votes()["origin"].nunique() == 1

    def test_are_believed_from_the_proxy_up_to_the_first_foreign_hop(self, store: Store, clock: Clock) -> None:
        store.add_items([item(n) for n in range(20)], now=START)
        app = make_app(store, clock, trusted_proxies=("198.51.100.0/24",))
        chains = ["203.0.113.5", "9.9.9.9, 203.0.113.77", "1.1.1.1, 203.0.113.8, 198.51.100.3", "203.0.114.5"]
        for chain in chains:
            Person(app, headers={"X-Forwarded-For": chain}).begin().vote("yes")
        origins = list(store.votes()["origin"])

        assert origins[0] == origins[1] == origins[2] != origins[3]


class TestRateLimits:
    """W7."""

    @pytest.mark.row("P14")
    def test_one_voter_gets_30_answers_a_minute_through(self, app: Any, store: Store, clock: Clock) -> None:
        person = Person(app).begin()
        statuses = []
        for _ in range(60):
            statuses.append(person.post("/vote", answer="yes", **form).status_code if (form := self._form(person)) else 429)
            clock.turn(seconds=0.06)

        assert statuses.count(303) == 30
        assert set(statuses) == {303, 429}
        assert len(store.votes()) == 30

    @staticmethod
    def _form(person: Person) -> dict[str, str] | None:
        page = person.get("/task")
        return person.form() if page.status_code == 200 else None

    def test_the_refusal_says_when_to_come_back_and_keeps_its_word(self, app: Any, store: Store, clock: Clock) -> None:
        person = Person(app).begin()
        for _ in range(30):
            person.vote("no")
        refused = person.vote("no")
        wait = int(refused.headers["retry-after"])

        assert refused.status_code == 429
        assert f'content="{wait}; url=/task"' in refused.text
        clock.turn(seconds=wait)
        assert person.vote("no").status_code == 303

    @pytest.mark.parametrize("network", ["198.51.100.{}", "2001:db8:7:{:x}::1"])
    def test_one_address_prefix_gets_120_answers_a_minute_through(self, app: Any, store: Store, network: str) -> None:
        people = [Person(app, network.format(number + 1)).begin() for number in range(10)]
        statuses = [person.vote("yes").status_code for _ in range(13) for person in people]

        assert (statuses.count(303), statuses.count(429)) == (120, 10)
        assert len(store.votes()) == 120

    def test_a_school_behind_one_address_still_works(self, app: Any, store: Store, clock: Clock) -> None:
        """Thirty pupils, four answers a minute each, ten minutes: nobody is refused."""
        store.add_items([item(n) for n in range(80, 700)], now=START)
        pupils = [Person(app, "192.0.2.77").begin() for _ in range(30)]
        statuses = set()
        for _ in range(6):
            for pupil in pupils:
                statuses.add(pupil.vote("yes").status_code)
                clock.turn(seconds=0.5)

        assert statuses == {303}
        assert len(store.votes()) == 180

    def test_another_network_is_not_touched(self, app: Any) -> None:
        people = [Person(app, f"198.51.100.{number + 1}").begin() for number in range(5)]
        for person in people:
            for _ in range(25):
                person.vote("yes")

        assert Person(app, "203.0.113.1").begin().vote("yes").status_code == 303

    def test_new_cookies_from_one_prefix_are_limited(self, app: Any) -> None:
        statuses = [Person(app).post("/instructions").status_code for _ in range(65)]

        assert (statuses.count(303), statuses.count(429)) == (60, 5)

    def test_passwords_cannot_be_tried_fast(self, app: Any, store: Store) -> None:
        add_operator(store, "anna", PASSWORD, now=START)
        statuses = [Person(app).post("/operator/login", name="anna", password="wrong" * 3).status_code for _ in range(7)]

        assert statuses == [403] * 5 + [429] * 2


class TestItemsNeverShown:
    """W8: 4xx, nothing stored."""

    @pytest.mark.parametrize(
        "name", ["c0042", "-1", str(2**63), "' OR 1=1 --", "", "\x00", "ą" * 64, "x" * 5000, "../../etc/passwd"]
    )
    def test_cannot_be_answered(self, app: Any, store: Store, name: str) -> None:
        person = Person(app).begin()
        form = person.form()
        answers = [
            person.post("/vote", item=name, answer="yes", token=form["token"]),
            person.post("/vote", item=form["item"], answer=name, token=form["token"]),
            person.post("/vote", item=form["item"], answer="yes", token=name),
            person.post("/list", **{f"answer:{name}": "yes", f"token:{name}": form["token"]}),
            person.post("/undo", token=name),
            person.post("/forget", token=name),
        ]
        if form["item"] == name:
            answers = answers[1:]

        assert {4} == {response.status_code // 100 for response in answers}
        assert store.votes(with_withdrawn=True).empty

    def test_the_form_of_one_person_is_no_form_of_another(self, app: Any, store: Store) -> None:
        form = Person(app).begin().form()

        assert Person(app, "203.0.113.4").begin().post("/vote", answer="yes", **form).status_code == 403
        assert store.votes().empty

    def test_a_form_expires(self, app: Any, store: Store, clock: Clock) -> None:
        person = Person(app).begin()
        form = person.form()
        clock.turn(hours=12)

        assert person.post("/vote", answer="yes", **form).status_code == 403
        assert store.votes().empty

    def test_a_large_body_is_refused_with_and_without_its_length(self, app: Any, store: Store) -> None:
        person = Person(app).begin()

        def chunks() -> Any:
            for _ in range(20):
                yield b"item=" + b"x" * 10_000

        form = {"Content-Type": "application/x-www-form-urlencoded"}
        assert person.client.post("/vote", content=b"x" * 70_000, headers=form).status_code == 413
        assert person.client.post("/vote", content=chunks(), headers=form).status_code == 413


class TestDatabaseContent:
    """Hazards section 5, Q4: nothing that leads back to an address."""

    def test_no_address_and_no_hash_of_one_is_in_a_full_dump(self, app: Any, store: Store, clock: Clock) -> None:
        import hashlib
        import hmac

        from mass_pipeline.annotation.schema import metadata

        for last in (7, 9):
            Person(app, f"198.51.100.{last}").begin().vote("yes")
        clock.turn(days=4)
        with store.engine.connect() as connection:
            dump = " ".join(str(row) for table in metadata.sorted_tables for row in connection.execute(table.select()))
        guesses = ["198.51.100.7", "198.51.100.9", "198.51.100.0/24", "198.51.100.0", "198.51.100"]
        hashes = [
            made(guess.encode()).hexdigest()[:32]
            for guess in guesses
            for made in (hashlib.md5, hashlib.sha1, hashlib.sha256, lambda text: hmac.new(SECRET.encode(), text, hashlib.sha256))
        ]

        assert "198.51" not in dump
        assert not [digest for digest in hashes if digest in dump]


class TestClockSetBack:
    def test_limits_do_not_feel_it(self, store: Store) -> None:
        """F20: a clock set back a day made everybody wait a day."""
        clock = Clock()
        steady = [0.0]
        config = replace(store.config, votes_per_minute=2, gold_share=0.0, random_share=0.0)
        app = create_app(Store(store.engine, config), secret=SECRET, clock=clock, steady=lambda: steady[0], rng=random.Random(1))
        store.add_items([item(n) for n in range(9)], now=START)
        person = Person(app).begin()
        statuses = [person.vote("yes").status_code for _ in range(3)]
        clock.turn(days=-1)
        steady[0] = 61.0
        again = Person(app).begin()

        assert statuses == [303, 303, 429]
        assert again.vote("yes").status_code == 303


class TestOriginOverHttp:
    @pytest.mark.parametrize(("host", "origin", "status"), [
        ("votes.example", "http://votes.example", 403), ("votes.example", "https://votes.example", 303),
        ("localhost", "http://localhost", 303), ("localhost", "ftp://localhost", 403),
    ])  # fmt: skip
    def test_the_scheme_counts(self, store: Store, clock: Clock, host: str, origin: str, status: int) -> None:
        """F23: an http page of our own name is somebody between us and the visitor."""
        app = make_app(store, clock, public_hosts=("votes.example", "localhost"))

        assert Person(app, headers={"Host": host, "Origin": origin}).post("/instructions").status_code == status
