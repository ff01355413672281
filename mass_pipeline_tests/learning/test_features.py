"""Features of an hour in its context."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from mass_pipeline.learning.features import feature_chunks, feature_matrix
from mass_pipeline.learning.schema import INPUT_COLUMNS
from mass_pipeline.learning.sparse_rows import WIDTH, Repeated, RowBuilder, places_of
from mass_pipeline.learning.tokens import TOKEN, Lexicon, fold_case
from mass_pipeline_tests.learning.corpus import Corpus


def hour(left: str = "", right: str = "", **cells: object) -> dict[str, object]:
    """One candidate hour."""
    row: dict[str, object] = dict.fromkeys(INPUT_COLUMNS)
    return {**row, "time": "18:00", "raw": "18:00", "block": "text/main", "list_index": 0, "left": left, "right": right, **cells}


def rows(*hours: dict[str, object]) -> np.ndarray:
    """Their features, dense, only the columns that any of them has."""
    matrix = feature_matrix(pd.DataFrame(hours))
    return matrix[:, np.unique(matrix.indices)].toarray()


# What is folded, glued, dropped or cut in an unusual way, so that pages of it repeat lines and break them anywhere.
ATOMS = [
    *"\n\n\n  a5,.:-/",
    "Niedziele: ",
    "8:00",
    "18.00 ",
    "12.05.2018 8",
    "61 123",
    "9:75",
    "Msza św.",
    "łŁ–„",
    "\x00",
    "\r\n",
    "\u00a0",
    "\u0301",
    "½",
    "\x1c",
    "\u2028",
]
pages = st.lists(st.sampled_from(ATOMS), max_size=40).map("".join)


class TestSharedWork:
    """Lines of a page are cut once for all its hours, and what repeats is hashed once: nobody may notice."""

    @given(st.lists(st.one_of(pages, st.text(max_size=40)), min_size=1, max_size=6))
    @settings(max_examples=200, deadline=None)
    def test_texts_cut_together_have_the_tokens_of_each_alone(self, texts: list[str]) -> None:
        lexicon = Lexicon()
        numbers, counts = lexicon.cut(texts)
        names = list(lexicon)
        pieces = [[names[number] for number in part] for part in np.split(numbers, np.cumsum(counts)[:-1])]

        assert pieces == [TOKEN.findall(fold_case(text.replace("\x00", " "))) for text in texts]

    @given(pages, st.lists(st.integers(0, 60), min_size=2, max_size=6), st.booleans())
    @settings(max_examples=100, deadline=None)
    def test_hours_of_one_page_have_the_features_of_each_alone(self, page: str, places: list[int], keeps_some: bool) -> None:
        frame = pd.DataFrame([hour(page[:place], page[place:], heading=page[:9], list_index=place) for place in places])
        keep = np.arange(0, WIDTH, 3) if keeps_some else None

        (together,) = feature_chunks(frame, keep)
        alone = [next(feature_chunks(frame.iloc[[n]], keep)) for n in range(len(frame))]

        assert together.indices.tolist() == [column for one in alone for column in one.indices.tolist()]
        assert together.data.tolist() == [weight for one in alone for weight in one.data.tolist()]

    @given(
        st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), max_size=30),
        st.lists(st.integers(0, 3), min_size=6, max_size=6),
    )
    def test_repeated_codes_and_bundles_of_them_are_those_added_one_by_one(
        self, entries: list[tuple[int, int]], sizes: list[int]
    ) -> None:
        row, key = np.array(sorted(entries), dtype=np.int64).reshape(-1, 2).T
        keys = Repeated.of(key, 6)
        shared, plain = (RowBuilder(5, places_of(np.arange(0, WIDTH, 2)), WIDTH // 2) for _ in range(2))
        shared.add_repeated(7, row, keys, keys.distinct * 31)
        plain.add(7, row, key * 31)
        bundles = [[10 * k + n for n in range(sizes[k])] for k in range(6)]
        size = np.array(sizes)[keys.distinct]
        shared.add_bundles(8, row, keys, size, np.array([c for k in keys.distinct for c in bundles[k]], dtype=np.int64))
        plain.add(8, np.repeat(row, np.array(sizes)[key]), np.array([c for k in key for c in bundles[k]], dtype=np.int64))

        one, other = shared.matrix(), plain.matrix()
        assert (one.indptr.tolist(), one.indices.tolist()) == (other.indptr.tolist(), other.indices.tolist())
        assert one.data.tolist() == other.data.tolist()


class TestWhatCounts:
    def test_which_of_two_hours_is_marked(self) -> None:
        """The weakness of 2018: both hours of this line gave the same bag of words."""
        mass, office = rows(
            hour("Msza św. o ", ", kancelaria od 18:00 do 19:00"), hour("Msza św. o 18:00, kancelaria od ", " do 19:00")
        )

        assert not np.array_equal(mass, office)

    def test_a_page_without_polish_letters_reads_like_the_others(self) -> None:
        one, other = rows(hour("Msze święte w Niedzielę: "), hour("msze swiete w niedziele: "))

        assert np.array_equal(one, other)

    def test_inflected_words_share_features(self) -> None:
        one, other, stranger = rows(hour("kancelaria "), hour("kancelarii "), hour("procesja "))

        assert (one * other).sum() > (one * stranger).sum()

    def test_the_hour_of_the_day_counts(self) -> None:
        morning, night = rows(hour(time="07:00"), hour(time="23:00"))

        assert not np.array_equal(morning, night)

    def test_on_either_side_the_word_beside_the_hour_is_the_nearest(self) -> None:
        for side in ("left", "right"):
            far_first = side == "left"
            one, same_neighbour, other = rows(
                *(hour(**{side: " ".join((far, near) if far_first else (near, far))}) for far, near in ("ab", "cb", "ba"))
            )

            assert (one * same_neighbour).sum() > (one * other).sum(), side

    def test_the_head_of_a_list_is_near_its_last_hour(self) -> None:
        """Hours between a word and the marked hour do not push the word away."""
        hours = "7:00, 8:00, 9:00, 10:00, "
        short, long, other = rows(hour("Niedziele: "), hour(f"Niedziele: {hours}"), hour(f"Kancelaria: {hours}"))

        assert (short * long).sum() > (short * other).sum() + 2


class TestWhatMustNotCount:
    def test_the_reading_of_the_rules_is_not_seen(self, corpus: Corpus) -> None:
        """Rule positives are labels: a model that sees the reading learns nothing else."""
        blind = corpus.candidates.assign(rule_reading=None, parish_id="x", url="y", candidate_id="z")

        assert (feature_matrix(corpus.candidates) != feature_matrix(blind)).nnz == 0


class TestShape:
    def test_no_hours_give_no_rows(self, corpus: Corpus) -> None:
        assert feature_matrix(corpus.candidates.iloc[:0]).shape == (0, WIDTH)

    def test_chunks_change_nothing(self, corpus: Corpus) -> None:
        some = corpus.candidates.iloc[:100]
        small = np.vstack([part.toarray().sum(axis=1, keepdims=True) for part in feature_chunks(some, chunk=7)])

        assert np.allclose(small, feature_matrix(some).toarray().sum(axis=1, keepdims=True), rtol=1e-5)

    def test_kept_columns_come_in_the_order_asked_for(self, corpus: Corpus) -> None:
        some = corpus.candidates.iloc[:50]
        everything = feature_matrix(some)
        keep = np.unique(everything.indices)[::-3].astype(np.int64)

        assert np.allclose(feature_matrix(some, keep).toarray(), everything[:, keep].toarray())

    @given(st.lists(st.tuples(st.text(max_size=80), st.text(max_size=80)), min_size=1, max_size=5))
    @settings(max_examples=60, deadline=None)
    def test_any_text_has_finite_features_and_one_row_each(self, contexts: list[tuple[str, str]]) -> None:
        matrix = feature_matrix(pd.DataFrame([hour(left, right, raw=left[:5], heading=right) for left, right in contexts]))

        assert matrix.shape == (len(contexts), WIDTH)
        assert np.isfinite(matrix.data).all()

    def test_a_row_does_not_depend_on_its_neighbours(self, corpus: Corpus) -> None:
        some = corpus.candidates.iloc[:40]
        together = feature_matrix(some)

        alone = feature_matrix(some.iloc[[17]])

        assert np.allclose(together[17].toarray(), alone.toarray())
