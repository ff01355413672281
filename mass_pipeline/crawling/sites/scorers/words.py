"""Links whose words speak of Masses first: a list of words, no memory. The default scorer."""

from __future__ import annotations

import re
from typing import Final

from mass_pipeline.crawling.fetching.urls import is_dated
from mass_pipeline.crawling.sites.scorers.ports import Link
from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.words.weekday_patterns import SUNDAY

_SCHEDULE_WORDS: Final = re.compile(
    rf"msz[eay]?\b|msze|mszy|porzadek|nabozenst|liturgi|godzin|{SUNDAY}|swieta|plan|rozklad|kosciol|parafi|kontakt|ogloszen|intencj|"
    r"informacj|aktualn|duszpaster|sakrament|kaplic|mass|schedule"
)
_SURE_WORDS: Final = re.compile(r"msz[eay]|mszal|nabozenst|porzadek|godzin")


class ScheduleWords:
    """Links whose words speak of Masses first, calendars last."""

    def score(self, link: Link) -> float:
        """2 for words of Mass times, 1 for words of parish life, 0 otherwise, -1 for a date.

        >>> ScheduleWords().score(Link("http://a.pl/x", "Porządek Mszy św.", 1, "", "p"))
        2.0
        """
        words = f"{fold(link.text)} {link.url[link.url.find('/', 8) :].lower()}"
        if _SURE_WORDS.search(words):
            return 2.0
        if is_dated(link.url):
            return -1.0
        return 1.0 if _SCHEDULE_WORDS.search(words) else 0.0
