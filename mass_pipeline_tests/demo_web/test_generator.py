"""Generated sites: as many as wanted, of the same kind, with a truth that stands on their pages."""

from __future__ import annotations

from mass_pipeline.demo_web.generator import generate_sites
from mass_pipeline.demo_web.web import DemoWeb


class TestGenerator:
    def test_the_bundled_sites_come_first_then_generated_ones(self, demo: DemoWeb) -> None:
        web = DemoWeb(sites=len(demo.parishes) + 5)

        assert [p.key for p in web.parishes[: len(demo.parishes)]] == [p.key for p in demo.parishes]
        assert len(web.parishes) == len(demo.parishes) + 5

    def test_fewer_sites_than_bundled_are_the_first_ones(self, demo: DemoWeb) -> None:
        assert [p.key for p in DemoWeb(sites=3).parishes] == [p.key for p in demo.parishes[:3]]

    def test_another_seed_gives_other_sites(self) -> None:
        assert generate_sites(20, 1) != generate_sites(20, 2)

    def test_hosts_are_never_shared(self) -> None:
        sites = generate_sites(500, 1)

        assert len({site.host for site in sites}) == len({site.town for site in sites}) == 500

    def test_truth_and_marked_hours_agree_on_every_generated_site(self) -> None:
        web = DemoWeb(sites=120, seed=3)
        for parish in (p for p in web.parishes if p.key.startswith("z")):
            marked = {h.time for page in parish.pages for h in page.hours if h.kind == "m"}

            assert marked == {mass.time for mass in parish.site.truth}, parish.key
