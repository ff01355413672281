"""The gate: nobody is contacted whose address is not public (hazards 4.2)."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import socket
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mass_pipeline.crawling.fetching import gate
from mass_pipeline.crawling.fetching.addresses import is_own, is_public
from mass_pipeline.crawling.fetching.gate import Gate, GateRefusal
from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize
from mass_pipeline_tests.crawling.loopback import Answer, Loopback, Page, links
from mass_pipeline_tests.crawling.made import INTERNAL, QUICK, crawled, fetch_once
from mass_pipeline_tests.shared import shared_folder


def table() -> dict[str, object]:
    found: dict[str, object] = json.loads(shared_folder("suites/own/iana_special_purpose.json").read_text())
    return found


def verdict(url: str, base: str | None, names: dict[str, list[str]], *, ports: bool = True) -> str:
    """What parser and gate together make of a target; "" when it passes."""

    async def resolve(host: str, port: int) -> list[str]:
        if host not in names:
            raise socket.gaierror(-2, "unknown name")
        return names[host]

    try:
        canonical = canonicalize(url, base)
    except BadUrl:
        return "bad_url"
    try:
        asyncio.run(Gate(resolve=resolve).approve(canonical))
    except GateRefusal as refusal:
        return refusal.outcome.value
    return ""


class TestAddresses:
    @pytest.mark.shared
    def test_no_address_of_the_iana_registries_is_taken_for_public(self) -> None:
        """G2: first, last and middle address of every special block; embedded ones may be denied."""
        suite = table()
        open_by_mistake = []
        for family in ("ipv4", "ipv6"):
            entries = suite[family]
            assert isinstance(entries, list)
            exceptions = [ipaddress.ip_network(block) for block, reachable in entries if reachable == 1]
            for block, reachable in entries:
                network = ipaddress.ip_network(block)
                if reachable == 1:
                    continue
                for address in (network[0], network[-1], network[network.num_addresses // 2]):
                    if is_public(address) and not any(address in other for other in exceptions):
                        open_by_mistake.append(str(address))

        assert open_by_mistake == []

    @pytest.mark.parametrize("text", ["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001:830::200e"])
    def test_ordinary_addresses_are_public(self, text: str) -> None:
        assert is_public(ipaddress.ip_address(text))

    @pytest.mark.parametrize(
        "text",
        ["64:ff9b::a9fe:a9fe", "2002:7f00:1::", "fec0::1", "3fff::1", "5f00::1", "192.0.0.8", "::ffff:8.8.8.8", "fe80::1%lo"],
    )
    def test_addresses_that_the_standard_library_lets_through_are_not(self, text: str) -> None:
        assert not is_public(ipaddress.ip_address(text))

    def test_what_a_cloud_answers_under_a_public_address_is_not(self) -> None:
        """F17: metadata of the machine the crawler runs on."""
        assert not is_public(ipaddress.ip_address("168.63.129.16"))
        assert is_public(ipaddress.ip_address("168.63.129.17"))

    def test_allowing_private_hosts_opens_no_metadata_service(self) -> None:
        assert not is_own(ipaddress.ip_address("169.254.169.254"))


@pytest.mark.shared
class TestTargets:
    def test_182_targets_end_as_the_suite_says(self) -> None:
        """G1, G5. Names of the suite resolve to what their category says."""
        names = {f"n{i}": ["127.0.0.1"] for i in range(3)}
        wrong = []
        cases = json.loads(shared_folder("suites/own/ssrf_targets.json").read_text())["cases"]
        for case in cases:
            expected = case["expect"]
            redirects = case["category"] == "redirect-to-private"  # the redirect itself: TestCarriers
            private = expected == "blocked_before_connect" and not redirects
            hosts = {host: ["127.0.0.1"] if private else ["93.184.216.34"] for host in _hosts(case)}
            got = verdict(case["url"], case["base"], {**names, **hosts})
            allowed = {
                "blocked_before_connect": got in ("blocked_address", "bad_url", "dns_error"),
                "rejected_scheme": got == "bad_url",
                "rejected_as_url": got == "bad_url",
                "blocked_port": got == "blocked_address",
                "allowed": got == "",
                "credentials_stripped_or_rejected": got in ("", "bad_url"),
                "same_host_validated_and_connected": True,  # one parser for gate and connection: nothing to differ
            }[expected]
            if not allowed and not (redirects and got == ""):
                wrong.append((case["url"], case["category"], expected, got))

        assert (len(cases), wrong) == (182, [])


def _hosts(case: dict[str, str]) -> list[str]:
    try:
        from mass_pipeline.crawling.fetching.urls import split

        return [split(canonicalize(case["url"], case["base"])).host]
    except BadUrl:
        return []


class TestResolution:
    def test_a_name_with_one_private_address_among_public_ones_is_refused(self) -> None:
        assert verdict("http://a.pl/", None, {"a.pl": ["93.184.216.34", "10.0.0.1"]}) == "blocked_address"

    def test_a_rebinding_resolver_never_gets_a_second_answer_between_check_and_connection(self) -> None:
        """G3: the addresses that were judged are the addresses that are handed out."""
        answers = [["93.184.216.34"], ["127.0.0.1"]] * 50

        async def resolve(host: str, port: int) -> list[str]:
            return answers.pop(0)

        async def rounds() -> set[tuple[str, int]]:
            gate = Gate(resolve=resolve)
            given = set()
            for _ in range(100):
                given.update(await gate.addresses("rebind.example", 80))
                gate._known.clear()  # as if the cache had expired
                try:
                    given.update(await gate.addresses("rebind.example", 80))
                except GateRefusal:
                    gate._known.clear()
                    if not answers:
                        break
            return given

        assert asyncio.run(rounds()) == {("93.184.216.34", 80)}

    @pytest.mark.parametrize("port", [22, 25, 6379, 3000, 8081])
    def test_odd_ports_of_public_hosts_are_refused(self, port: int) -> None:
        assert verdict(f"http://93.184.216.34:{port}/", None, {}) == "blocked_address"

    def test_connect_to_counts_for_nothing_without_allow_private_hosts(self) -> None:
        with Loopback({"a.example": {"/": Page("x")}}) as server:
            config = replace(QUICK, allow_private_hosts=False, no_delay=False, start_delay_seconds=0, host_gap_seconds=0)
            result = fetch_once("http://127.0.0.1/", config=config, connect_to=lambda host, port: ("127.0.0.1", server.port))

        assert result.outcome == "blocked_address"
        assert server.connections == 0

    def test_connect_to_may_only_name_loopback(self) -> None:
        result = fetch_once("http://a.example/", config=QUICK, connect_to=lambda host, port: ("93.184.216.34", 80))

        assert result.outcome == "blocked_address"


class TestCarriers:
    """G4: a public site leads to internal ones in every way a page can; nobody answers there, because nobody is asked."""

    @pytest.fixture
    def crawl_public(self, tmp_path: Path, no_loopback: str) -> Callable[[dict[str, Answer]], list[str]]:
        """`crawl_public(pages)`: outcomes and URLs."""

        def run(pages: dict[str, Answer]) -> list[str]:
            with Loopback({"a.example": pages}, address=no_loopback) as server:
                return [f"{page.outcome} {page.url}" for page in crawled(tmp_path / "s", server).pages]

        return run

    @pytest.mark.parametrize(
        ("status", "target"),
        [*((302, target) for target in INTERNAL), *((status, INTERNAL[0]) for status in (301, 303, 307, 308))],
    )
    def test_redirects(self, crawl_public: Callable[[dict[str, Answer]], list[str]], status: int, target: str) -> None:
        with Loopback({}) as canary:
            location = target.format(port=canary.port)
            outcomes = crawl_public({"/": Page("", status, headers={"Location": location})})

            assert canary.connections == 0
        assert not any(outcome.startswith("ok") for outcome in outcomes)

    @pytest.mark.parametrize("target", INTERNAL)
    def test_markup_headers_and_robots(self, crawl_public: Callable[[dict[str, Answer]], list[str]], target: str) -> None:
        with Loopback({}) as canary:
            url = target.format(port=canary.port)
            body = (
                f'<base href="{url}"><link rel=canonical href="{url}"><meta http-equiv=refresh content="0;url={url}">'
                f'<iframe src="{url}"></iframe><frame src="{url}"><a href="x">x</a>' + links(url)
            )
            pages: dict[str, Answer] = {
                "/robots.txt": Page("", 302, headers={"Location": url}),
                "/": Page(body, headers={"Refresh": f"0; url={url}", "Link": f"<{url}>; rel=next"}),
            }
            crawl_public(pages)
            crawl_public({"/": pages["/"]})

            assert canary.connections == 0


class TestEnvironment:
    def test_proxies_and_netrc_are_ignored(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """G8, S6."""
        netrc = tmp_path / "netrc"
        netrc.write_text("machine a.example login l password p")
        monkeypatch.setenv("NETRC", str(netrc))
        with Loopback({}) as proxy, Loopback({"a.example": {"/": Page("x", headers={"Set-Cookie": "a=b"})}}) as server:
            monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
            monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
            fetch_once("http://a.example/", config=QUICK, connect_to=server.connect_to)

            assert proxy.connections == 0
        assert len(server.requests) == 3
        for request in server.requests:
            assert not {"authorization", "cookie", "referer"} & set(request.headers)


class TestNames:
    """A name that nobody answers for costs its own request, and no other."""

    def test_a_silent_resolver_is_given_up_and_holds_no_other_work(self, monkeypatch: pytest.MonkeyPatch) -> None:
        answered = threading.Event()
        monkeypatch.setattr(gate, "_RESOLVER_SECONDS", 0.05)
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answered.wait(30))

        async def ask() -> tuple[list[str], str]:
            asked = [asyncio.create_task(Gate().approve(f"http://p{number}.example/")) for number in range(40)]
            beside = await asyncio.to_thread(lambda: "done")
            refusals = await asyncio.gather(*asked, return_exceptions=True)
            return [f"{one}" for one in refusals], beside

        try:
            refusals, beside = asyncio.run(ask())
        finally:
            answered.set()

        assert beside == "done"
        assert all("the resolver did not answer in 0.05 s" in one for one in refusals)

    def test_what_is_no_name_is_refused(self) -> None:
        async def resolve(host: str, port: int) -> list[str]:
            return [host.encode("idna").decode()]

        with pytest.raises(GateRefusal, match="is no name"):
            asyncio.run(Gate(resolve=resolve).approve(f"http://{'a' * 64}.example/"))
