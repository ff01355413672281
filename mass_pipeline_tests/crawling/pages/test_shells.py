"""Pages that show nothing before their scripts have run, as the crawl knows them."""

from __future__ import annotations

import pytest

from mass_pipeline.crawling.pages.links import read_links

APP = '<div id="app"></div><script src="/app.js"></script>'
FEED = '<link rel="alternate" type="application/rss+xml" title="Wpisy" href="/feed">'
TEXT = (
    "Parafia świętej Anny powstała w roku 1923 z podziału parafii świętego Jakuba, a kościół poświęcono siedem lat później w maju"
)


class TestShells:
    @pytest.mark.parametrize(
        "markup",
        [
            APP,
            f"<title>{TEXT}</title>{APP}",
            f"<body><noscript><p>{TEXT}</p></noscript>{APP}",
            f"<template>{TEXT}</template><style>{TEXT}</style>{APP}",
            f"<p>Wczytywanie…</p><script>const text = '{TEXT}'</script>",
            f"<nav>{'<a href=/><img src=a.png></a>' * 5}</nav>{APP}",
        ],
        ids=["empty", "title", "noscript", "template", "script", "menu of pictures"],
    )
    def test_a_page_with_scripts_and_next_to_no_visible_text_is_a_shell(self, markup: str) -> None:
        assert read_links(markup).is_shell

    @pytest.mark.parametrize(
        "markup",
        [
            f"<p>{TEXT}</p>{APP}",
            f"<p>{TEXT[:60]}</p><div><div><p>{TEXT[60:]}</p></div></div>{APP}",
            f"<p>Niedziela: 8:00, 10.30</p>{APP}",
            f"<div><template shadowrootmode='open'>{TEXT}</template></div>{APP}",
            f"{'<a href=/kontakt>Kontakt</a>' * 20}{APP}",
            "<p>W budowie</p>",
        ],
        ids=["text", "text in pieces", "a time of day", "shadow root", "menu", "no scripts"],
    )
    def test_other_pages_are_none(self, markup: str) -> None:
        assert not read_links(markup).is_shell

    def test_the_length_of_a_script_is_no_cost(self) -> None:
        """Megabytes of data in a page are common where scripts fill it."""
        assert read_links(f"{APP}<script>{'x' * 4_000_000}</script>").is_shell


class TestFeedsOfShells:
    def test_are_those_that_its_head_names(self) -> None:
        named = FEED + FEED.replace("/feed", "/atom").replace("rss", "atom") + FEED.replace("alternate", "me")
        read = read_links(f"{named}{APP}")

        assert [(link.href, link.text()) for link in read.feeds] == [("/feed", "Wpisy"), ("/atom", "Wpisy")]
        assert read.links == []

    def test_three_at_most(self) -> None:
        assert len(read_links(FEED * 5 + APP).feeds) == 3

    def test_no_others_are_named(self) -> None:
        assert read_links(f"{FEED}<p>{TEXT}</p>{APP}").feeds == ()
