"""What people settle about rows of some parishes publishes rows of others: real pages, read again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from mass_pipeline.learning.bundled import load_model
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.rows import BY_RULES
from mass_pipeline.model.columns import ANNOUNCEMENTS, CRAWLED_PAGES, MASS_SCHEDULES, PARISHES
from mass_pipeline.publishing.orders import Upstream, publish_diocese
from mass_pipeline.publishing.taught import AnsweredRows, answered_rows, published_of, with_answers_learnt
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.schedules.config import FreshnessConfig
from mass_pipeline.site_reading.pages import SiteReader
from mass_pipeline_tests.publishing.test_decided_rows import ORDER, Diocese

WORDS = (
    "flecistami harfistami trębaczami bębniarzami skrzypkami gitarzystami lirnikami dudziarzami puzonistami",
    "klarnecistami wiolonczelistami perkusistami tubistami oboistami fagocistami altowiolistami cymbalistami",
)
PLAYERS = " ".join(WORDS).split()
WAITING = "<h3>{word}</h3><p>Niedziela: 9.15</p>"
LAST, GUITARISTS = f"p{len(PLAYERS)}", f"p{PLAYERS.index('gitarzystami')}"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Diocese:
    """Parishes with a row each that rests on a name of its own, which no list knows; people settled those of all but the last."""
    made = Diocese(tmp_path_factory.mktemp("diocese"))
    words = (*PLAYERS, "kobziarzami")
    made.crawl(**{f"p{at}": ORDER + WAITING.format(word=word.capitalize()) for at, word in enumerate(words)})
    made.build()
    settle_all(made, "yes")
    return made


@pytest.fixture
def diocese(built: Diocese) -> Iterator[Diocese]:
    """The same for each test, whatever another answered."""
    answers = list(built.answers)
    yield built
    built.answers = answers


def settle_all(made: Diocese, verdict: str) -> None:
    """Ask about rows that wait, as many at a time as the queue takes, until none is left but that of the last parish."""
    while asked := [one for one in made.questions() if one.parish_id != LAST]:
        for question in asked:
            made.settle(question, verdict)


@pytest.fixture
def network() -> Trained:
    """The shipped network of hours, without what was learnt of rows."""
    model = load_model(None)
    assert model is not None
    return model


def reader() -> SiteReader:
    return SiteReader(lambda: date(2026, 11, 26))


def tables(made: Diocese) -> tuple[TableReader, TableReader]:
    """Its pages and its directory."""
    return made.lake.reader(CRAWLED_PAGES, ["lodzka"]), made.lake.reader(PARISHES)


def taught(made: Diocese, model: Trained) -> AnsweredRows:
    return answered_rows(*tables(made), reader(), made.answers, model)


def published(made: Diocese, model: Trained, parish: str) -> set[str]:
    """Times that a build publishes of a parish without anybody's decision."""
    pages, parishes = tables(made)
    others = (made.lake.published(one, ["lodzka"]) for one in (ANNOUNCEMENTS, MASS_SCHEDULES))
    rows = publish_diocese(Upstream("lodzka", parishes, pages, *others), reader(), model, made.log, FreshnessConfig(), []).rows
    return {str(row["time"]) for row in rows if row["parish_id"] == parish}


class TestAnswers:
    def test_are_found_again_on_the_pages_of_their_parishes(self, diocese: Diocese, network: Trained) -> None:
        rows = taught(diocese, network)

        assert len(diocese.answers) >= len(PLAYERS) - 2  # the queue leaves one or the other for later
        assert rows.lost == 0
        assert LAST not in rows.known.parishes

    def test_about_a_line_left_out_of_an_order_are_asked_for_and_teach_nothing(self, diocese: Diocese, network: Trained) -> None:
        """What lists of guitarists begin with may be lessons: the line waits, and its words are no evidence of a row."""
        asked = {one.parish_id for one in diocese.answers}

        assert asked - set(taught(diocese, network).known.parishes) == {GUITARISTS}

    def test_publish_the_row_of_a_parish_that_nobody_answered_about(self, diocese: Diocese, network: Trained) -> None:
        rows = taught(diocese, network)
        model, curve = with_answers_learnt(network, rows)

        assert "09:15" in published(diocese, model, LAST)
        assert curve[-1].precision >= curve[0].precision
        assert model.card["row_model"]["answers"] == len(rows.answers)  # type: ignore[index,call-overload]

    def test_of_no_keep_it_waiting(self, diocese: Diocese, network: Trained) -> None:
        diocese.answers = [replace(one, verdict="no_mass") for one in diocese.answers]
        model, _ = with_answers_learnt(network, taught(diocese, network))

        assert "09:15" not in published(diocese, model, LAST)

    def test_whose_lines_changed_teach_nothing(self, diocese: Diocese, network: Trained) -> None:
        diocese.answers = [replace(one, row_id=one.row_id[::-1]) for one in diocese.answers]

        rows = taught(diocese, network)
        assert (len(rows.answers), rows.lost) == (0, len(diocese.answers))

    def test_none_leave_the_model_as_it_is_shipped(self, diocese: Diocese, network: Trained) -> None:
        diocese.answers = []
        rows = taught(diocese, network)
        model, curve = with_answers_learnt(network, rows)

        assert curve == ()
        assert model.rows.weights.tolist() == (network.rows if network else BY_RULES).weights.tolist()


class TestWhatIsPublished:
    def test_is_counted_for_the_comparison_of_models(self, diocese: Diocese, network: Trained) -> None:
        rows = taught(diocese, network)
        model, _ = with_answers_learnt(network, rows)

        mine = published_of(model, rows)
        assert (mine.right, mine.wrong, mine.wanted) == (len(rows.answers), 0, len(rows.answers))
