"""The shapes of times and of what looks like them (field guide A). Only patterns and constants; the decisions are in `clock`.

Every alternative of `NUMBER` begins with a digit that no digit precedes and has bounded repetition, so a scan is linear.
"""

from __future__ import annotations

import re
from typing import Final

LOOK_BACK: Final = 28  # characters before a number that may say what it is
HOUR_WORD_CHARACTERS: Final = 12
LOOK_AHEAD: Final = 16
EARLIEST_HOUR: Final = 5  # field guide A: all standing Masses lie between 5:30 and 22:00

_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹oOоОº°", "0123456789000000")
_DAY: Final = r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH: Final = r"(?:0?[1-9]|1[0-2])"
_YEAR: Final = r"(?:19|20)\d\d"
_ROMAN: Final = r"(?:VIII|VII|VI|IV|IX|XII|XI|X|V|III|II|I)"
_MONTH_NAME: Final = (
    r"(?i:stycz|lut(?:ego|y)|mar(?:ca|zec)|kwie(?:tnia|cień|cien)|maja|czerw(?:ca|iec)|lip(?:ca|iec)|sierp|wrze[śs]"
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
_HALF: Final = r"(?: ?(?:[aApP][mM]\b|[aApP]\. ?[mM]\.))"  # am, p.m.
_CLOCK: Final = rf"\d{{1,2}}(?: ?: ?| ?\. ?(?=\d\d)|[.,;^](?={_MINUTE})){_MINUTE}"

NUMBER: Final = re.compile(
    r"(?<!\d)(?=\d)(?:"
    r"(?P<stamp>\d{1,2}:\d\d:\d\d)"
    rf"|(?P<date_1>{_YEAR}[-./]\d\d[-./]\d\d)"
    rf"|(?P<date_2>{_DAY} ?(?P<separator>[./-]) ?{_MONTH} ?(?P=separator) ?(?:{_YEAR}|\d\d(?![\d.:,]))(?!\d)(?: ?r\b\.?)?)"
    rf"|(?P<date_3>{_DAY}(?:\.|st|nd|rd|th)? {{0,2}}(?:of )?{_MONTH_NAME}(?: {_YEAR}(?: ?r\b\.?)?)?)"
    rf"|(?P<date_4>{_DAY}(?:\.|\. | ){_ROMAN}\b(?!\.? ?{_WEEKDAY})(?:[. ]{{1,2}}{_YEAR}(?: ?r\b\.?)?)?)"
    rf"|(?P<date_5>{_DAY}\.{_MONTH}\.?(?= ?{_DASH} ?{_DAY}\.(?:0[1-9]|1[12]|[1-9])\b(?![.:]?\d)))"
    r"|(?P<account>\d{2}(?: ?\d{4}){4,6}(?!\d))"
    rf"|(?P<spaced_1>{_SPACED}(?= {_SPACED}(?!\d)))"
    rf"|(?P<phone_1>0?\d{{2}}[ /-]{{1,2}}\d{{3}}[ .-]\d{{2}}[ .-]?\d{{2}}(?!\d|[.:]\d))"
    r"|(?P<phone_2>\d{3}[ -]\d{3}[ -]\d{3}(?!\d)(?<!00 \d00)(?<!30 \d00)(?<!00 \d30))"
    r"|(?P<phone_3>\d{2,3}[ /-]{1,2}\d{2,3}[-. ]\d{2}[-. ]\d{2}(?![\d:,]|\.\d))"
    r"|(?P<phone_4>0?\d{2,3}[/ ]\d{6,7}(?!\d))"
    r"|(?P<phone_5>\d{7,11}(?!\d))"
    rf"|(?P<postcode>\d{{2}}(?: ?{_DASH} ?)\d{{3}}(?!\d|[ -]\d\d))"
    r"|(?P<price>\d{1,6}(?:[., ]\d{2,3}){0,2} ?(?i:zł|zl\b|PLN|EUR|euro|€|złot|%|km\b|ha\b|cm\b|m²|kg\b))"
    r"|(?P<number_4>\d{1,4},\d{1,2} ?m\b(?!\.))"  # the length of a building
    r"|(?P<number_1>\d{1,3}(?:\.\d{1,3}){3,6}(?!\d))"
    rf"|(?P<range_5>{_COMPACT} ?{_DASH} ?{_COMPACT}(?!\d))"
    rf"|(?P<range_1>{_CLOCK}{_HALF}? ?(?:{_DASH}{{1,2}}|(?:i )?do(?: ok\.?)?|to\b|bis\b|до\b) ?{_GODZ}{_CLOCK}(?!\d))"
    rf"|(?P<range_6>(?:0?[1-9]|1[0-2]){_HALF}? ?(?:{_DASH}|to\b) ?(?:0?[1-9]|1[0-2])(?:[:.]{_MINUTE})?{_HALF})"
    rf"|(?P<range_2>{_CLOCK} ?(?:{_DASH}|do) ?{_GODZ}(?:[6-9]|1\d|2[0-3])(?![\d.:,]?\d| ?{_MONTH_NAME}| ?\w{{0,8}}dzie))"
    rf"|(?P<range_3>(?:[5-9]|1\d|2[0-3]) ?(?:{_DASH}|do) ?{_CLOCK}(?!\d))"
    rf"|(?P<range_4>(?:[5-9]|1\d|2[0-3])(?:{_DASH}| {_DASH} | do {_GODZ})(?:[6-9]|1\d|2[0-4])"
    rf"(?![\d]|[.:,]\d| ?{_MONTH_NAME}|\.? ?lat|\.? ?osób))"
    r"|(?P<slip>(?:[5-9]|1\d|2[0-2])[.:](?:00|30|15|45)0(?!\d))"
    rf"|(?P<time_1>\d{{1,2}} ?: ?{_MINUTE}(?!\d){_HALF}?)"
    rf"|(?P<time_2>\d{{1,2}}\.{_MINUTE}(?![\d])(?:(?!\.\d)|(?=\.\d\d?[.:]\d\d)){_HALF}?)"
    rf"|(?P<time_8>(?:0?[1-9]|1[0-2])(?:{_HALF}| ?noon\b))"
    rf"|(?P<time_9>(?:0?[5-9]|1\d|2[0-3]) Uhr(?: (?:00|15|30|45)\b)?)"
    r"|(?P<time_3>\d{1,2}[,;](?:00|15|20|30|40|45|oo|3o)(?!\d))"
    r"|(?P<time_4>\d{1,2} ?[⁰¹²³⁴⁵º°][⁰⁵º°])"
    r"|(?P<time_5>\d{1,2}(?:\^|\. )(?:00|15|30|45)(?!\d))"
    r"|(?P<time_7>[12][oO][.:][0-5oO][0-9oO](?![\doO]))"
    r"|(?P<time_6>\d{1,2},(?:10|25|35|50|55)(?!\d))"
    r"|(?P<number_2>\d{1,4}[.,/-]\d{1,4}(?:[.,/-]\d{1,4}){0,3})"
    rf"|(?P<spaced>{_SPACED}(?![\d:]|[.,]\d\d))"
    rf"|(?P<compact>{_COMPACT}(?!\d|[-‑]lec|[.,]\d))"
    rf"|(?P<year>{_YEAR}(?!\d))"
    r"|(?P<bare>(?:0?[5-9]|1\d|2[0-3])(?!\d))"
    r"|(?P<number_3>\d{1,12})"
    r")"
)

DIGITS: Final = re.compile(r"\d+")
CLOCK: Final = re.compile(rf"(?<!\d)(?P<h>\d{{1,2}})(?:(?: ?: ?| ?\. ?|[.,;^]|(?=\d\d(?!\d)))(?P<m>{_MINUTE}))?(?!\d)")
DATE_RANGE: Final = re.compile(rf"{_DAY}\.{_MONTH}\.? ?(?:{_DASH}|do) ?{_DAY}\.(?:0?[1-9]|1[12])")
HOUR_MINUTE: Final = re.compile(rf"(?P<h>\d{{1,2}})(?P<sep> ?[:.,;^] ?)(?P<m>{_MINUTE})")
SHAPES: Final = {
    "time": re.compile(
        r"(?P<h>\d[\doO]?)(?: ?[:.,;^]? ?(?:uhr )?(?P<m>[0-9oOоО⁰¹²³⁴⁵º°]{2}))?(?: ?(?P<half>[ap])\.? ?m)?", re.IGNORECASE
    ),
    "slip": re.compile(r"(?P<h>\d{1,2})[.:](?P<m>\d\d)0"),
    "spaced": re.compile(r"(?P<h>\d{1,2}) (?P<m>\d\d)"),
    "compact": re.compile(r"(?P<h>\d{1,2})(?P<m>\d\d)"),
    "bare": re.compile(r"(?P<h>\d{1,2})"),
}
WHOLE_HOUR: Final = re.compile(r"\d{1,2}[.:](?:00|15|30|45)")
ONLY_DASH: Final = re.compile(rf" ?{_DASH} ?")

_ENGLISH_MONTH: Final = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.)"
)
ENDS_OF_MONTHS: Final = frozenset("yhletr.")  # last letters of their names
MONTH_BEFORE: Final = re.compile(rf"(?<!\bto )(?<!\btill )(?<!\buntil )(?<!\bthrough )(?<![-–] )\b{_ENGLISH_MONTH} $")
SEASON_AFTER: Final = re.compile(rf"(?:st|nd|rd|th)? ?(?:to|till|until|through|[-–]) ?(?:the )?{_ENGLISH_MONTH}", re.IGNORECASE)

HOUR_WORD_BEFORE: Final = re.compile(
    r"(?:\bgodz\w{0,6}[.:]{0,2}|\bgodz\.z|\bg\.|\bo|\bod|\bdo|\bum|\bat|\bok\.|\bokoło|\bna godz\w*\.?) {0,2}$", re.IGNORECASE
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
    r"(?:\b(?:nr|ul|os|al|pl|lok|m|klas\w{0,2}|kl|lat|wiek\w{0,2}|rok\w{0,2}|r|bud|dom|strona|licz\w{0,4}|n)\b"
    r"\.? ?(?:\w+ )?|[#№/×x*+_=~]|\d[.,:/-]|\w[-‑])$",
    re.IGNORECASE,
)
QUANTITY_AFTER: Final = re.compile(
    r"(?:\.? ?dnia\b|\. ?dzie[nń]\b| ?(?:%|lat\b|lec|lecie|os[óo]b|rodzin|dzieci\b|metr|m\b|min\b|minut|dni\b|tys"
    r"|zł|wiek|w\.|roku?\b|r\.|st\.|°|cm|mln|szt|‑?letni|-letni|-?osobow|godzin\w?|ks\.|bierzm|ministr|[./]\d{4}|[a-z]?/\d))",
    re.IGNORECASE,
)


def digits(minute: str) -> int:
    """Minutes as written, letters o for zeros and superscripts included.

    >>> digits("3o"), digits("³⁰")
    (30, 30)
    """
    return int(minute if minute.isascii() and minute.isdecimal() else minute.translate(_SUPERSCRIPTS))
