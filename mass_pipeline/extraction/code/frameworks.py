"""What frameworks give to a page by a name: contents, addresses, translations, what a loader of the page returns."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Final, Protocol

from mass_pipeline.extraction.code.contents import Contents
from mass_pipeline.extraction.code.exports import ALL
from mass_pipeline.extraction.code.site_files import SiteFiles, kind_of, stem_of
from mass_pipeline.extraction.code.translations import Translations
from mass_pipeline.extraction.code.values import NOTHING, UNKNOWN, Function, Imported, Markup, Native, Scope, Value, markup_of

_Known = Callable[[list[Value]], Value]
_FETCHING: Final = ("fetch", "$fetch", "ofetch", "$http.get", "this.$http.$get", "this.$axios.$get", "$axios.$get", "ky.get")
_ANSWERING: Final = (
    "axios.get", "axios", "this.$axios.get", "this.$http.get", "api.get", "http.get", "useSWR", "useFetch", "useLazyFetch",
)  # fmt: skip
_AT_START: Final = (
    "useEffect", "useLayoutEffect", "onMounted", "onBeforeMount", "onMount", "watchEffect", "createEffect", "$effect",
)  # fmt: skip
_SAME: Final = (
    "json", "NextResponse.json", "Response.json", "defineEventHandler", "eventHandler", "use", "unref", "toValue", "rt",
    "storeToRefs", "createI18n", "of", "toSignal",
)  # fmt: skip
_TRANSLATING: Final = (
    "t", "$t", "$tm", "tm", "$_", "_", "i18n.t", "i18next.t", "this.$t", "this.$tm", "this.$i18n.t", "intl.formatMessage",
)  # fmt: skip
_ASYNC: Final = ("useAsyncData", "useLazyAsyncData", "useQuery", "useRequest", "createResource")
_BASES: Final = frozenset({"import.meta.env.BASE_URL", "process.env.PUBLIC_URL", "import.meta.env.SITE"})
_PAGES: Final = frozenset({"+page.svelte", "+layout.svelte"})
_LOADERS: Final = tuple(
    f"+{name}{side}.{kind}" for name in ("layout", "page") for side in ("", ".server") for kind in ("ts", "js")
)


class Page(Protocol):
    """What frameworks need of the page that is worked out."""

    @property
    def site(self) -> SiteFiles: ...
    @property
    def used(self) -> set[str]: ...
    def imported(self, what: Imported) -> Value: ...
    def called(self, function: Value, arguments: list[Value]) -> Value: ...


class Frameworks:
    """Names that frameworks give."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._contents = Contents(page.site, page.used)
        self._texts = Translations(page.site, page.used, page.imported)
        contents, call = self._contents, page.called
        translator = self._texts.translator()
        self._known: dict[str, _Known] = {
            **dict.fromkeys(_FETCHING, self._fetched),
            **dict.fromkeys(_ANSWERING, lambda given: {"data": self._fetched(given), "pending": NOTHING, "isLoading": NOTHING}),
            **dict.fromkeys(_AT_START, lambda given: call(given[0], []) if given else NOTHING),
            **dict.fromkeys(_SAME, lambda given: given[0] if given else UNKNOWN),
            **dict.fromkeys(_TRANSLATING, translator.call),
            **dict.fromkeys(_ASYNC, self._async_data),
            **dict.fromkeys(("queryContent", "queryCollection", "$content", "this.$content"), contents.query),
            **dict.fromkeys(("getEntry", "getEntryBySlug", "getDataEntryById"), contents.entry),
            **dict.fromkeys(
                ("useTranslation", "useI18n", "getTranslations", "useTranslations", "serverTranslation"), self._translation
            ),
            "inject": lambda given: call(given[0], []) if given else UNKNOWN,
            "getCollection": self._collection,
            "defineStore": self._store,
            "create": self._state,
            "html": lambda given: Markup(markup_of(given[0])) if given else UNKNOWN,
        }

    def known(self, name: str, scope: Scope) -> Value:
        """What a name gives; unknown for what no framework is known to give."""
        if name in _BASES:
            return ""
        function = self._known.get(name)
        if function is not None:
            return Native(function)
        origin = scope.whole_file().file
        if name in ("import", "require"):
            return Native(lambda given: self._module(origin, given, name))
        if name in ("import.meta.glob", "import.meta.globEager"):
            return Native(self._globbed)
        if name == "Astro.glob":
            return Native(
                lambda given: [{"frontmatter": one, "default": one} for _, one in self._contents.matching(_patterns(given))]
            )
        if name in ("useLoaderData", "useRouteData"):
            return Native(lambda _: self._page.called(self._page.imported(Imported(origin, "loader")), []))
        return UNKNOWN

    def given_to(self, path: str) -> dict[str, Value]:
        """Properties that a page has of its loader: `load` beside a page of SvelteKit gives `data`."""
        data: dict[str, Value] = {}
        if path.rpartition("/")[2] in _PAGES:
            for name in _LOADERS:
                file = posixpath.join(posixpath.dirname(path), name)
                if file in self._page.site.texts:
                    found = self._page.called(self._page.imported(Imported(file, "load")), [])
                    data |= found if isinstance(found, dict) else {}
        return {"data": data} if data else {}

    def _fetched(self, given: list[Value]) -> Value:
        """What an address of the site itself answers: a file of data, or what a handler in its code returns."""
        address = given[0] if given else UNKNOWN
        found = self._contents.at_address(address)
        if found is not UNKNOWN or not isinstance(address, str) or not address.lstrip(".").startswith("/"):
            return found
        wanted = address.partition("?")[0].strip("/.")
        for path in self._page.site.texts:
            bare = path.rpartition("/")[0] + "/" + stem_of(path)
            for name, ending in (("default", wanted), ("GET", f"{wanted}/route"), ("GET", f"{wanted}/+server")):
                if kind_of(path) in ("ts", "js", "mjs") and f"/{bare}".endswith(f"/{ending}"):
                    return self._page.called(self._page.imported(Imported(path, name)), [])
        return UNKNOWN

    def _async_data(self, given: list[Value]) -> Value:
        """`useAsyncData(key, () => data)`, `useQuery({queryFn})`."""
        options = next((one for one in given if isinstance(one, dict)), {})
        function = next((one for one in given if isinstance(one, (Function, Native))), options.get("queryFn", UNKNOWN))
        return {"data": self._page.called(function, []), "pending": NOTHING, "isLoading": NOTHING, "error": NOTHING}

    def _translation(self, given: list[Value]) -> Value:
        """`const { t } = useTranslation("masses")` and `const t = useTranslations("masses")`: both forms of it."""
        first = given[0] if given else UNKNOWN
        if isinstance(first, dict):
            first = first.get("namespace", UNKNOWN)
        translator = self._texts.translator(first)
        prefixed = (
            self._texts.translator(first, first) if isinstance(first, str) else translator
        )  # next-intl: a part of the texts
        both = Native(lambda one: translator.call(one) if prefixed.call(one) is UNKNOWN else prefixed.call(one))
        return Native(both.call, {"t": both, "tm": both, "0": both, "rt": Native(lambda one: one[0] if one else UNKNOWN)})

    def _store(self, given: list[Value]) -> Value:
        """`defineStore(name, {state, getters})` of Pinia: a function that gives what the store holds."""
        described = given[-1] if given else UNKNOWN
        held = self._page.called(described, []) if isinstance(described, Function) else UNKNOWN
        if isinstance(described, dict):
            state, getters = self._page.called(described.get("state", UNKNOWN), []), described.get("getters", UNKNOWN)
            told = {name: self._page.called(one, [state]) for name, one in getters.items()} if isinstance(getters, dict) else {}
            held = {**(state if isinstance(state, dict) else {}), **told}
        return Native(lambda _: held)

    def _state(self, given: list[Value]) -> Value:
        """`create((set) => state)` of Zustand: a function that gives the state, or what a selector takes of it."""
        if not given:
            return Native(self._state)  # `create<Type>()(...)`
        state = self._page.called(given[0], [UNKNOWN])
        return Native(lambda selector: self._page.called(selector[0], [state]) if selector else state)

    def _collection(self, given: list[Value]) -> Value:
        name, test = given[0] if given else UNKNOWN, given[1] if len(given) > 1 else NOTHING
        entries: Value = list(self._contents.entries(name)) if isinstance(name, str) else UNKNOWN
        if isinstance(entries, list) and not entries:
            return UNKNOWN
        if isinstance(entries, list) and isinstance(test, Function):
            return [one for one in entries if self._page.called(test, [one]) not in (NOTHING, False)]
        return entries

    def _module(self, origin: str, given: list[Value], name: str) -> Value:
        file = self._page.site.imported(origin, given[0]) if given and isinstance(given[0], str) else None
        if file is None:
            return UNKNOWN
        is_data = kind_of(file) in ("json", "yml", "yaml")
        return self._page.imported(Imported(file, "default" if is_data and name == "require" else ALL))

    def _globbed(self, given: list[Value]) -> Value:
        """`import.meta.glob("./*.json", {eager: true})`: what each file gives, by its path."""
        found: dict[str, Value] = {}
        options = given[1] if len(given) > 1 and isinstance(given[1], dict) else {}
        for path, data in self._contents.matching(_patterns(given)):
            is_code = kind_of(path) in ("ts", "js", "mjs")
            module = (
                self._page.imported(Imported(path, ALL)) if is_code else {"default": data, "frontmatter": data, "metadata": data}
            )
            wanted = options.get("import", UNKNOWN)
            found[path] = module.get(wanted, UNKNOWN) if isinstance(wanted, str) and isinstance(module, dict) else module
        return found


def _patterns(given: list[Value]) -> list[str]:
    first = given[0] if given else UNKNOWN
    return [one for one in (first if isinstance(first, list) else [first]) if isinstance(one, str)]
