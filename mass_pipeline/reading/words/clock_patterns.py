"""The shapes of times and of what looks like them. Only patterns and constants; the decisions are in `clock`.

Every alternative of `NUMBER` begins with a digit that no digit precedes and has bounded repetition, so a scan is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

LOOK_BACK: Final = 28  # characters before a number that may say what it is
HOUR_WORD_CHARACTERS: Final = 12
LOOK_AHEAD: Final = 16
EARLIEST_HOUR: Final = 5  # all standing Masses lie between 5:30 and 22:00

_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹oOоОº°", "0123456789000000")
_DAY: Final = r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH: Final = r"(?:0?[1-9]|1[0-2])"
_YEAR: Final = r"(?:19|20)\d\d"
_ROMAN: Final = r"(?:VIII|VII|VI|IV|IX|XII|XI|X|V|III|II|I)"
_LETTER: Final = r"(?=[^\W\d_])"  # looked at before dozens of words are tried: most numbers have a mark after them
_MONTH_NAME: Final = (
    rf"{_LETTER}(?i:stycz|lut(?:ego|y)|mar(?:ca|zec)|kwie(?:tnia|cień|cien)|maja|czerw(?:ca|iec)|lip(?:ca|iec)|sierp|wrze[śs]"
    r"|pa[źz]dz|listop|grud|Januar|Februar|März|April\b|Mai\b|Juni\b|Juli\b|August|September|Oktober|November|Dezember"
    r"|May\b|June\b|July\b|October|December|січн|лютого|берез|квітн|травн|червн|липн|серпн"
    r"|вересн|жовтн|листопад|грудн)\w{0,8}"
)
_DASH: Final = r"[-–—−‒]"
_MINUTE: Final = r"[0-5oOоО][0-9oOоО]"
_WEEKDAY: Final = r"(?i:niedz|pi[ąa]t|sob|czw|[śs]r\.|[śs]rod|wtor|ponied)"
_GODZ: Final = r"(?:godz\w{0,4}\.? ?|g\. ?)?"
_COMPACT: Final = r"(?:0?[5-9]|1\d|2[0-2])(?:00|15|30|45)"
_SPACED: Final = r"(?:0?[5-9]|1\d|2[0-3]) (?:00|15|30|45)"
_GLUED: Final = r"(?:0?[5-9]|1\d|2[0-3])[.:](?:00|15|30|45)"  # "9.3011.00": line breaks lost between hours; "9.30.11.00"
_LONE: Final = r"\d{1,2}\. (?:0?[5-9]|1\d|2[0-3])\.(?:00|15|30|45)(?!\d)"  # "10. 11.30" in a list of hours
_HALF: Final = r"(?: ?(?:[aApP][mM]\b|[aApP]\. ?[mM]\.))"  # am, p.m.
_LEAP: Final = rf"(?:28 ?(?:{_DASH}|/) ?(?=29))?"  # "28-29 lutego"
_CLOCK: Final = rf"\d{{1,2}}(?: ?: ?| ?\. ?(?=\d\d)|[.,;^](?={_MINUTE})){_MINUTE}"

_ALTERNATIVES: Final = {  # the first that matches counts
    "stamp": r"\d{1,2}:\d\d:\d\d(?!\d|:\d)",
    "glued": rf"{_GLUED}(?:\.?{_GLUED}){{1,11}}(?!\d|[.:]\d)",
    "date_1": rf"{_YEAR}[-./]\d\d[-./]\d\d",
    "time_B": r"(?:0?[5-9]|1\d|2[0-3])\.(?:00|15|30|45)\.00(?![\d.])",  # 11.30.00
    "date_2": (
        rf"(?!{_LONE}){_DAY} ?(?P<separator>[./-]) ?{_MONTH} ?(?P=separator) ?(?:{_YEAR}|\d\d(?![\d.:,]))(?!\d)(?: ?r\b\.?)?"
    ),
    "date_3": rf"{_LEAP}{_DAY}(?:\.|st|nd|rd|th)? {{0,2}}(?:of )?{_MONTH_NAME}(?: {_YEAR}(?: ?r\b\.?)?)?",
    "date_4": rf"{_DAY}(?:\.|\. | ){_ROMAN}\b(?!\.? ?{_WEEKDAY})(?:[. ]{{1,2}}{_YEAR}(?: ?r\b\.?)?)?",
    "date_5": rf"{_DAY}\.{_MONTH}\.?(?= ?{_DASH} ?{_DAY}\.(?:0[1-9]|1[12]|[1-9])\b(?![.:]?\d))",
    "account": r"\d{2}(?: ?\d{4}){4,6}(?!\d)",
    "spaced_1": rf"{_SPACED}(?= {_SPACED}(?!\d))",
    "phone_1": r"0?\d{2}[ /-]{1,2}\d{3}[ .-]\d{2}[ .-]?\d{2}(?!\d|[.:]\d)",
    "phone_2": r"\d{3}[ -]\d{3}[ -]\d{3}(?!\d)(?<!00 \d00)(?<!30 \d00)(?<!00 \d30)",
    "phone_3": r"\d{2,3}[ /-]{1,2}\d{2,3}[-. ]\d{2}[-. ]\d{2}(?![\d:,]|\.\d)",
    "phone_4": r"0?\d{2,3}[/ ]\d{6,7}(?!\d)",
    "phone_5": r"\d{7,11}(?!\d)",
    "postcode": rf"\d{{2}}(?: ?{_DASH} ?)\d{{3}}(?!\d|[ -]\d\d)",
    "price": r"\d{1,6}(?:[., ]\d{2,3}){0,2} ?(?=[^\W\d_]|[%€])(?i:zł|zl\b|PLN|EUR|euro|€|złot|%|km\b|ha\b|cm\b|m²|kg\b)",
    "number_4": r"\d{1,4},\d{1,2} ?m\b(?!\.)",  # the length of a building
    "number_1": r"\d{1,3}(?:\.\d{1,3}){3,6}(?!\d)",
    "range_5": rf"{_COMPACT} ?{_DASH} ?{_COMPACT}(?!\d)",
    "range_1": rf"{_CLOCK}{_HALF}? ?(?:{_DASH}{{1,2}}|(?:i )?do(?: ok\.?)?|to\b|bis\b|до\b) ?{_GODZ}{_LEAP}{_CLOCK}(?!\d)",
    "range_6": rf"(?:0?[1-9]|1[0-2]){_HALF}? ?(?:{_DASH}|to\b) ?(?:0?[1-9]|1[0-2])(?:[:.]{_MINUTE})?{_HALF}",
    "range_2": rf"{_CLOCK} ?(?:{_DASH}|do) ?{_GODZ}(?:[6-9]|1\d|2[0-3])(?![\d.:,]?\d| ?{_MONTH_NAME}| ?\w{{0,8}}dzie)",
    "range_3": rf"(?:[5-9]|1\d|2[0-3]) ?(?:{_DASH}|do) ?{_CLOCK}(?!\d)",
    "range_4": (
        rf"(?:[5-9]|1\d|2[0-3])(?:{_DASH}| {_DASH} | do {_GODZ})(?:[6-9]|1\d|2[0-4])"
        rf"(?![\d]|[.:,]\d| ?{_MONTH_NAME}|\.? ?lat|\.? ?osób)"
    ),
    "slip": r"(?:[5-9]|1\d|2[0-2])[.:](?:00|30|15|45)0(?!\d)",
    "slip_2": r"(?:1:\d|2:[0-2])(?:00|30|15|45)(?!\d)",  # "1:030": 10:30
    "time_1": rf"\d{{1,2}} ?: ?{_MINUTE}(?!\d){_HALF}?",
    "time_2": rf"\d{{1,2}}\.{_MINUTE}(?![\d])(?:(?!\.\d)|(?=\.\d\d?[.:]\d\d)){_HALF}?",
    "time_8": rf"(?:0?[1-9]|1[0-2])(?:{_HALF}| ?noon\b)",
    "time_9": r"(?:0?[5-9]|1\d|2[0-3]) (?:Uhr(?: (?:00|15|30|45)\b)?|hodin\b|hod\b\.?)",
    "time_0": r"(?:0?[5-9]|1\d|2[0-3]) ?h(?:[0-5]\d| (?:15|30|45)(?! ?(?:h\b|min|os|zł)))?(?![\w/]| (?:dzien|tyg|lek|kur|zaj))",
    "time_3": r"\d{1,2}[,;](?:00|15|20|30|40|45|oo|3o)(?!\d)",
    "time_4": r"\d{1,2} ?[⁰¹²³⁴⁵º°][⁰⁵º°]",
    "time_5": r"\d{1,2}(?:\^|\. )(?:00|15|30|45)(?!\d)",
    "time_11": r"(?:0?[5-9]|1\d|2[0-3]) \.(?:00|15|30|45)(?!\d)",  # 11 .30
    "time_7": r"[12][oO][.:][0-5oO][0-9oO](?![\doO])",
    "time_10": r"(?<!°)(?<!° )(?:0?[5-9]|1\d|2[0-2])['’´`](?:00|15|30|45)(?![\d'’´`\"″])",  # 8'30, no coordinates
    "time_6": r"\d{1,2},(?:10|25|35|50|55)(?!\d)",
    "bare_2": rf"(?:0?[5-9]|1\d|2[0-3])(?=,(?:0?[5-9]|1\d|2[0-3])[.:]{_MINUTE}(?!\d))",  # 8,9.30
    "number_2": r"\d{1,4}[.,/-]\d{1,4}(?:[.,/-]\d{1,4}){0,3}",
    "spaced": rf"{_SPACED}(?![\d:]|[.,]\d\d(?! (?:00|15|30|45)(?!\d)))",  # but "9 30,11 00"
    "compact": rf"{_COMPACT}(?!\d|[-‑]lec|[.,]\d)",
    "year": rf"{_YEAR}(?!\d)",
    "bare": r"(?:0?[5-9]|1\d|2[0-3])(?!\d)(?: ?-?(?:t?ej|t[aą]|sz[aą]|szej|m[aą]|mej)\b)?",  # "o 18-tej"
    "number_3": r"\d{1,12}",
}


def _one_of(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile(r"(?<!\d)(?=\d)(?:" + "|".join(f"(?P<{name}>{_ALTERNATIVES[name]})" for name in names) + ")")


NUMBER: Final[re.Pattern[str]] = _one_of(_ALTERNATIVES)
# Those that one or two digits before a full stop, or before a colon, can begin: the same answer from fewer attempts.
NUMBER_BEFORE_STOP: Final = _one_of(
    (
        "glued", "time_B", "date_2", "date_3", "date_4", "date_5", "price", "number_1", "range_1", "range_2", "slip", "time_2",
        "time_5",
        "number_2", "bare", "number_3",
    )
)  # fmt: skip
NUMBER_OF_FOUR_DIGITS: Final = _one_of(  # years, most of them
    ("date_1", "phone_4", "price", "number_4", "range_5", "number_2", "compact", "year", "number_3")
)
NUMBER_BEFORE_COLON: Final = _one_of(("stamp", "glued", "range_1", "range_2", "slip", "slip_2", "time_1", "bare", "number_3"))

DIGITS: Final = re.compile(r"\d+")
CLOCK: Final = re.compile(rf"(?<!\d)(?P<h>\d{{1,2}})(?:(?: ?: ?| ?\. ?|[.,;^]|(?=\d\d(?!\d)))(?P<m>{_MINUTE}))?(?!\d)")
DATE_RANGE: Final = re.compile(rf"{_DAY}\.{_MONTH}\.? ?(?:{_DASH}|do) ?{_LEAP}{_DAY}\.(?:0?[1-9]|1[12])")
GLUED_HOUR: Final = re.compile(_GLUED)
HOUR_MINUTE: Final = re.compile(rf"(?P<h>\d{{1,2}})(?P<sep> ?[:.,;^] ?)(?P<m>{_MINUTE})")
SHAPES: Final = {
    "time": re.compile(
        r"(?P<h>\d[\doO]?)(?: ?[:.,;^h'’´`]? ?(?:uhr )?(?P<m>[0-9oOоО⁰¹²³⁴⁵º°]{2}))?(?: ?(?P<half>[ap])\.? ?m)?", re.IGNORECASE
    ),
    "slip": re.compile(r"(?P<h>\d{1,2})[.:](?P<m>\d\d)0?"),
    "spaced": re.compile(r"(?P<h>\d{1,2}) (?P<m>\d\d)"),
    "compact": re.compile(r"(?P<h>\d{1,2})(?P<m>\d\d)"),
    "bare": re.compile(r"(?P<h>\d{1,2}).*"),
}
WHOLE_HOUR: Final = re.compile(r"\d{1,2}[.:](?:00|15|30|45)")
EARLY_COLON: Final = re.compile(r"(?P<first>\d):(?P<second>\d)(?P<m>\d\d)")
# Before the two hours of "zamiast 18.00 – 17.00", "zamiast o 10.00 i 18.00 – 20.00".
SWAPPED: Final = re.compile(r"\bzamiast(?:[\s.:\d]|\bmszy\b|\b[śs]w\b|\bgodz\w*|\boraz\b|\b[oi]\b)*$", re.IGNORECASE)
ONLY_DASH: Final = re.compile(rf" ?{_DASH} ?")

_ENGLISH_MONTH: Final = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.)"
)
ENDS_OF_MONTHS: Final = frozenset("yhletr.")  # last letters of their names
MONTH_BEFORE: Final = re.compile(rf"(?<!\bto )(?<!\btill )(?<!\buntil )(?<!\bthrough )(?<![-–] )\b{_ENGLISH_MONTH} $")
SEASON_AFTER: Final = re.compile(rf"(?:st|nd|rd|th)? ?(?:to|till|until|through|[-–]) ?(?:the )?{_ENGLISH_MONTH}", re.IGNORECASE)

HOUR_WORD_BEFORE: Final = re.compile(
    r"(?:\bgodz\w{0,6}[.:]{0,2}|\bgodz\.z|\bg\.|\bo|\bod|\bdo|\bum|\bat|\bok\.|\boko[lł]o|\bna godz\w*\.?) {0,2}$", re.IGNORECASE
)
DATE_WORD_BEFORE: Final = re.compile(
    r"(?:\bod|\bdo|\bdnia|\bdniu|\bdn\.|niedziel\w{1,3},?|pi[ąa]tek,?|sobota,?|[śs]roda,?|wtorek,?|czwartek,?|poniedzia[łl]ek,?"
    r"|ur\.?|urodz\.|†|im\.) ?\(?$",
    re.IGNORECASE,
)
YEAR_AFTER: Final = re.compile(rf"[. ]{{0,2}}{_YEAR}| ?r\.")
PHONE_BEFORE: Final = re.compile(
    r"(?:\b(?:tel|fax|faks|kom|telefon\w{0,3}|mobile?|tel/fax|phone)\b[.:/)]{0,3} ?[^\d\n]{0,6}|\+ ?\d{0,2} ?\(?)$", re.IGNORECASE
)
STAMP_BEFORE: Final = re.compile(rf"(?:\bat|{_YEAR}(?: r\.?)?,?|,? @|dodano:?|opublikowano:?|aktualizacja:?) ?$", re.IGNORECASE)
REFERENCE_BEFORE: Final = re.compile(
    r"(?:(?<!\w)(?:[1-3] ?)?(?:Mt|Mk|Łk|Lk|J|Rdz|Wj|Kpł|Kpl|Lb|Pwt|Joz|Sdz|Rt|Sm|Krl|Krn|Ezd|Ne|Tb|Jdt|Est|Mch|Hi|Ps|Prz"
    r"|Koh|Pnp|Mdr|Syr|Iz|Jr|Lm|Ba|Ez|Dn|Oz|Jl|Am|Ab|Jon|Mi|Na|Ha|Ag|Za|Ml|Dz|Rz|Kor|Ga|Gal|Ef|Flp|Kol|Tes|Tm|Tt|Flm|Hbr|Jk|P|Jud|Ap"
    r"|Joh|Lk|Ew)\.?,? ?(?:\d{1,3}(?:\(\d{1,3}\))?[,.:] ?[\d,.;: i–-]{0,14})?"
    r"|Ew(?:angeli\w{1,2}|\.)? (?:wg |według )?(?:[śs]w\.? )?(?:Mat|Mar|[ŁL]uk|Jan)\w{1,6} "
    r"|(?<!\w)(?:kan|KKK|KPK|pkt|ust|art|par|poz|rozdz|str|zob|por|s|t)\. ?(?:\d{1,4}[,.-] ?)?|§ ?)$"
)
NUMBER_BEFORE: Final = re.compile(
    r"(?:\b(?:nr|ul|os|al|pl|lok|m|klas\w{0,2}|kl|lat|wiek\w{0,2}|rok\w{0,2}|r|bud|dom|strona|licz\w{0,4}|n|sal[aią]|pok[oó]j|pi[eę]tro|covid)\b"
    r"[ .-]{0,2}(?:\w+ )?|(?:\bul|\bal|\bos|\bpl)\. ?(?:[^\W\d_]+\.? ){1,3}|[#№/×x*+_=~]|(?<![.:]\d)\d[.,:/-]|\w[-‑])$",
    re.IGNORECASE,
)
QUANTITY_AFTER: Final = re.compile(
    r"(?:\.? ?dnia\b|\. ?dzie[nń]\b| ?(?:%|lat\b|lec|lecie|os[óo]b|rodzin|dzieci\b|metr|m\b|min\b|minut"
    r"|wiern|mieszka|parafian|dusz\b|katolik|dni\b(?! ?(?:powsz|robocz|tygod))|tys"
    r"|zł|wiek|w\.|roku?\b|r\.|st\.|°|cm|mln|szt|‑?letni|-letni|-?osobow|godzin\w?|ks\.|bierzm|ministr|[./]\d{4}|[a-z]?/\d))",
    re.IGNORECASE,
)
LIKE_DATE: Final = re.compile(r"(?P<h>0?[5-9]|1\d|2[01])\.(?P<m>05)")
IN_LIST: Final = re.compile(
    r"(?: ?[(/][^()/\d]{1,40}[)/]| (?:[–—-] )?[^\W\d_][^\d,;()]{1,40})?(?: ?[,;] ?| | i | oraz )(?:godz\. ?)?"
)  # what stands between hours
GOES_ON_IN_LIST: Final = re.compile(r"(?: ?\([^()\d]{1,40}\))? ?[,;](?: [^\d.,;()]{2,60})? ")  # "; w razie potrzeby"
ENDS_LIST: Final = re.compile(r"\W*(?:\([^()\d]{1,40}\)\W*)?\Z")


def digits(minute: str) -> int:
    """Minutes as written, letters o for zeros and superscripts included.

    >>> digits("3o"), digits("³⁰")
    (30, 30)
    """
    return int(minute if minute.isascii() and minute.isdecimal() else minute.translate(_SUPERSCRIPTS))
