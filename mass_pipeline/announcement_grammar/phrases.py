"""The words by which announcements speak of Masses, of other services, and of what changes. Folded text (`identifiers.fold`).

Patterns, and the words that one found; what follows from them is decided in reading and hours.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from mass_pipeline.language.day_words import (
    AFTERNOON,
    AT_NOON,
    BEFORE_NOON,
    EVENING,
    EVERY_DAY_BUT_SUNDAY,
    FRIDAY,
    IN_THE_AFTERNOON,
    IN_THE_EVENING,
    IN_THE_MORNING,
    MONDAY,
    MONTH,
    MORNING,
    OF_EVENING,
    OF_PART,
    SATURDAY,
    SUNDAY,
    THURSDAY,
    TUESDAY,
    WEDNESDAY,
    WEEKDAY,
)

Change = Literal["cancelled", "moved", "added", "order", "as_sunday", "as_weekday", "new_order", "no_roraty"]
Part = Literal["", "morning", "evening"]

MASS: Final = re.compile(
    r"\bmsz(?!aln)\w+|\bms\. sw|eucharysti\w*|pasterk\w*|\brorat\w*|\bsum[aeyi]\b|liturgi\w+ (?:wieczerzy|wigilii)|rezurekc\w*"
    r"|wigili\w+ paschaln\w+"
)
OTHER: Final = re.compile(
    r"\b(?:przed|po) (?:\w+ )?sum(?:a|ie)\b|"
    r"nieszpor\w*|roza\w+|nowenn\w*|koronk\w*|adoracj\w*|wystawieni\w*|spowied\w*|spowiad\w*|godzinki?\b|majow\w+|czerwcow\w+"
    r"|gorzki\w*|drog\w+ krzyzow\w+|spotkani\w*|zebrani\w*|zbiork\w*|prob\w+ |katechez\w*|nauk\w+|kancelari\w*|biuro|procesj\w*"
    r"|koncert\w*|festyn\w*|wypominki?|wypominkow|apel\w*|nabozenstw\w*|swiecon\w*|pokarm\w*|poswieceni\w*|blogoslawie\w*|konferencj\w*"
    r"|wyjazd\w*|wyrusz\w*|wyjezdz\w*|zapis\w*|spotyka\w*|sklepik\w*|autokar\w*|wizyt\w*|koled\w*|uwielbieni\w*|modlitw\w*|spiew\w*|film\w*"
    r"|transmisj\w*|\bprzed (?!nim|niej|nich)(?:\w+ )?msz\w+|\bpo (?!nim|niej|nich)(?:\w+ )?msz(?:y|ach)\b"
    r"|czuwani\w*|litani\w*|swieceni\w*|godzin\w+ (?:laski|milosierdzia|swiet\w+)"
    r"|schol\w*|\bintencj[ae]\b(?! mszaln)"
    r"|powitani\w*|przywitani\w*|poczestun\w*|agap\w*|kawiarenk\w*|konferencj\w*|wyklad\w*|prelekcj\w*|swiadectw\w*|ognisk\w*|grill\w*"
    r"|piknik\w*|zwiedzani\w*|zawiazani\w*|rejestracj\w*|obiad\w*|kolacj\w*|sniadani\w*|wymarsz\w*|wyprowadzeni\w*|wyjsci\w*|zabaw\w*|warsztat\w*"
    r"|zakonczeni\w+ (?=ok\b|okolo|o \d|godz)|dyzur\w*"
    r"|akademi\w*|przemarsz\w*|zlozeni\w+ (?:kwiat|wienc)\w+|konkurs\w*|turniej\w*|kiermasz\w*"
    r"|loteri\w*|przedstawieni\w*|spektakl\w*"
    r"|jasel\w*|orszak\w*|misteri\w*|liturgi\w+ (?:meki|godzin)|jutrzni\w*|komplet[aya]\b|exodus|kurs\w*"
)
# "Dzieci zapraszamy na godzinę 18.00." after a sentence about roraty.
INVITES_TO_HOUR: Final = re.compile(r"\bzaprasz\w+ (?:\w+ ){0,3}na (?:godz\w*\.? )?\d")
LAST_RORATY: Final = re.compile(r"\bostatni\w* rorat\w* [^.]{0,80}wigili|\brorat\w* [^.]{0,80}\b(?:do wigili|przez caly adwent)")
NO_RORATY: Final = re.compile(
    r"\brorat\w* (?:o (?:godz\w*\.? )?\d{1,2}[.:]\d\d )?(?:(?!msz)[a-z]+ ){0,3}nie (?:ma|bedzie|odprawi\w+|odbed\w+)\b(?! msz)"
    r"|\bnie (?:ma|bedzie|odprawi\w+) (?:(?!msz)[a-z]+ ){0,3}rorat|\bbez rorat"
)
RORATY: Final = re.compile(r"\brorat")
REFERENCE: Final = re.compile(r"\b(?:na (?!dodatkow)(?:\w+ )?msz(?:y|ach)\b|(?:podczas|w czasie|w trakcie) (?:\w+ )?msz\w+)")
# Masses of another parish.
ELSEWHERE: Final = re.compile(r"\bsasiedni\w+ parafi\w+|\bw parafii (?:pw\.|sw\.|(?:w|na) [a-z]+)|\bjasn\w+ gor\w+")
# "W związku z pielgrzymką na Jasną Górę, w sobotę ...": why something is changed here.
REASON: Final = re.compile(
    r"\b(?:z powodu|ze wzgledu na|w zwiazku z|z racji|z okazji|z uwagi na) [^,;]*[,;]|^(?:poniewaz|skoro|jako ze|gdy) [^,;]*[,;]"
)
# The Masses that stay are no news: "nie będzie Mszy wieczornej; zapraszamy na poranną o 7.00".
FROM_THEN: Final = re.compile(rf"\bod (?:tego|tej) (?:dnia|{SUNDAY}i|pory|chwili)\b|\bodtad\b")
INVITES_TO_REST: Final = re.compile(
    rf"zaprasz\w+ (?:\w+ )?na (?:msz\w+ (?:sw\. |swiet\w+ )?)?(?:{OF_PART}|pozostal|inne"
    rf"|godz(?!\w*\.? \d{{1,2}}(?:[.:]\d\d)?,? na msz))"
)
# What takes several days: weekdays named after its first day are days of it.
SEVERAL_DAYS: Final = re.compile(
    r"rekolekcj|misj[aei]\b|rozpocz[eny]|triduum|\bswiat\b|\bwigili|pasterk|2[45] grudnia|wielkanocn|zmartwychwst"
)
NOT_THAT_PART: Final = re.compile(
    r"\b(?:a nie|zamiast) (?:mszy (?:sw\. |swietej )?)?"
    rf"({IN_THE_EVENING}|{IN_THE_MORNING}|{IN_THE_AFTERNOON}|{OF_PART}\w+)(?! o (?:godz|\d))\b"
)
# "Pogrzeb o 12.00 w kaplicy (bez Mszy św.)": said of another service.
WITHOUT_MASS: Final = re.compile(rf"(?:^|(?:{OTHER.pattern})[^.,;:\d]{{0,20}}? )\(?bez (?:\w+ )?msz\w+(?: sw\.?| swiet\w+)?\W*$")
CONSEQUENCE: Final = re.compile(r"^(?:z tego powodu|w zwiazku z tym|dlatego|zatem|stad)\b")
# "O 9.00 nie ma." after a sentence about the Masses of the day.
HOUR_FALLS_OUT: Final = re.compile(r"o (?:godz\. ?)?\d{1,2}[.:]\d\d(?: i (?:o )?\d{1,2}[.:]\d\d)* nie (?:ma|bedzie)\.?")
PART_FALLS_OUT: Final = re.compile(
    rf"{OF_PART}\w+ (?:o (?:godz\w*\.? ?)?\d{{1,2}}[.:]\d\d )?(?:tego dnia |w tym dniu |we? \w+ |juz |tez )?nie\b"
)
# "dla tych, co nie mogli rano": said of people
FOR_THOSE: Final = re.compile(
    r"\bdla (?:tych|os[oó]b|wszystkich|nieobecnych)(?: \w+)?,? (?:co|kt[oó]r\w+)\b[^.;,\d]*", re.I
)  # with accents or without
BECAUSE: Final = re.compile(r"\b(?:bo|gdyz|poniewaz)\b.*$")  # "Mszy o 8.00 nie ma, bo była Pasterka"
REMARK_BEHIND_HOUR: Final = re.compile(r"\d[.:]?[\doº°⁰]{2} ?\([^()\d]*$")  # "24.00 (" of "24.00 (Pasterka)"
# "Dni powszednie (pon.-sob.)": a bracket that tells which days these are.
DEFINES_WORKING_DAYS: Final = re.compile(r"\bdni\w* (?:powszedni|robocz)\w+ \((?:od )?(?:[a-z]+\.? ?[–-] ?|[a-z]+ do )?$")
MIDNIGHT_MASS: Final = re.compile(r"\bpasterk\w+")
# "Nie będzie Mszy o 11.00, zamiast niej o 12.15": the hour after it is that of another Mass.
IN_EXCHANGE: Final = r"(?:w zamian|zamiast (?:niej|nich)|w (?:jej|ich) miejsce)"
INSTEAD: Final = r"zamiast(?! (?:niej|nich)\b)"
EXCEPTIONALLY: Final = re.compile(r"wyjatkowo|dopiero|wczesniej\b|pozniej\b")
SAID: Final = re.compile(
    r"\b(?:odprawi\w+|sprawowan\w+|celebrowan\w+)\b|\bbeda o (?:godz\w*\.? ?)?\d"
    rf"|^{IN_EXCHANGE} (?:zaprasz\w+ )?(?:na|o) (?:godz\w*\.? ?)?\d"
)
RECURRING: Final = re.compile(
    r"(?<!\bna )\bkazd\w+(?! (?:z nich|z tych|msz|eucharyst))"
    r"|bialy tydzien|codzienn\w+|(?<!jak )\bzawsze|co tydzien"
    r"|(?<!konca )(?<!koniec )(?<!zakonczenie )(?<!zakonczenia )wakacj\w+|\blatem|\bzima\b|zimow\w+ porzad"
    rf"|ostatni\w+ (?:{SUNDAY}|{SATURDAY})\w+ miesiac"
)
HOLIDAYS: Final = re.compile(r"\bwakac\w+")  # given as months
REPORT: Final = re.compile(
    r"odbyl\w+|odprawion\w+ (?:zostal\w+|byl\w+)|\bzostal\w+ (?:\w+ )?(?:odprawi|sprawowan|celebrowan)\w+"
    r"|\bmogl[iy]\b|przewodniczyl|\bdziekuj(?:e|em\w+)\b|uczestniczyl|zgromadzil|miala miejsce"
    r"|\bbyl[ao]?\b|\bbyly\b|ubiegl\w+|(?<!\bza )minion\w+|\b(?:foto)?relacj[aei]\b|\bgaleri[ai]\b"
)
PAST: Final = re.compile(
    r"\b(?!chwał|cał|ciał|biał|mał|stał|pozostał|sił|udział|dział|oddział|materiał|kapitał|został|zostali|michał|rafał|chwili|sali|czyli)"
    r"\w{2,}(?:[aiyą]ł[aoy]?|[aiy]li|ęli|ęł[aoy]|liśmy|łyśmy)\b",
    re.I,
)
AHEAD: Final = re.compile(r"\bnie (?:bedzie|beda|ma\b|odpraw)|\bbed\w+|zostan\w+|zostaj\w+|zaprasz\w+|odbedzie")
NEGATION: Final = re.compile(
    r"\bnie (?:bedzie(?:my)?|beda|ma\b|zostan\w+|odprawi\w*|odprawia\w*|odbed\w+|sprawuj\w*|celebruj\w*"
    r"|(?:jest|sa) (?:odpraw|sprawow|celebrow)\w+)|odwolan(?!ia\b)\w+|odwolujemy"
    rf"|zawieszon\w+|zawieszamy|likwiduj\w+|\bznosimy\b|rezygnuj\w+ ze? (?:\w+ )?msz\w+|\bbez {OF_PART}\w+"
    r"|\bbez (?:\w+ )?msz\w+|\bbrak (?:\w+ )?msz\w+|\bwypada(?:ja)?\b"
    rf"|{OF_PART}\w+ brak\b|\bodpada(?:ja)?\b"
)
# "Obowiązku uczestnictwa nie ma": what does not take place is no Mass.
_OTHER_THINGS = (
    r"(?:obowiazku|przymusu|postu|wstrzemiezliwosci|dyspensy|zmian|miejsca|mozliwosci|potrzeby|kazania|homilii|przerwy)"
)
NOT_OF_MASS: Final = re.compile(
    rf"\b{_OTHER_THINGS} (?:\w+ ){{0,3}}nie (?:ma|bedzie)\b|\bnie (?:ma|bedzie) (?:\w+ )?{_OTHER_THINGS}\b"
)
# "Nie ma dodatkowej Mszy": those that are usual stay.
NO_MORE: Final = re.compile(r"^(?: [a-z]+){0,2} (?:dodatkow|osobn|oddzieln)\w+ (?:\w+ )?(?:msz|eucharysti)")
# "Nie będzie transmitowana": the Mass is said.
STILL_SAID: Final = re.compile(r"^(?: \w+)? (?!odpraw|sprawow|celebrow)\w+(?:ana|ane|ona|one|eta|ete)\b")
MOVED: Final = re.compile(
    rf"przenies\w+|przenosi\w*|przesun\w+|przesuwa\w*|przelozon\w+|zmian\w+ godzin\w+|{INSTEAD}"
    rf"|\b(?:a )?nie(?:(?:,| [–-])? jak \w+(?:,| [–-])?)? o (?:godz\w*\.? ?)?\d|\ba nie (?:{IN_THE_EVENING}|{IN_THE_MORNING})\b"
    r"|\bmsz\w+[^,;]* z(?: godz\w*\.?)? \d[\d.:]* [^,;]*(?:, \w+)? o \d"
)
RESUMED: Final = re.compile(r"\b(?:po)?wraca(?:my|ja)?\b|przywraca\w*|przywroc\w*|wznawia\w*|wznowi\w*")
ONLY: Final = re.compile(
    r"\btylko\b|jedynie|\bjedyn[aey]\b|wylacznie|\braz dziennie"
    r"|(?<!jeszcze )\bjedna msza\b|\b(?:dwie|trzy|cztery) msze\b"
)
AS_SUNDAY: Final = re.compile(
    rf"(?:tak )?jak w (?:kazda )?(?:zwykla )?{SUNDAY}e|(?:tak )?jak w (?:kazde )?{SUNDAY}e"
    rf"|porzad\w+ (?:mszy )?(?:swietych |sw\. )?(?:jest )?(?:{SUNDAY}n|swiateczn)(?!ych)\w+|{SUNDAY}n\w+ porzad\w+"
)
# After "jak w niedzielę": the hours are named all the same, and count.
NAMED_HOURS: Final = re.compile(
    r"^(?: mszy? (?:sw\.|swiet\w+))?[\s,:;(–-]*(?:(?:tj|tzn)\.?|to jest|to znaczy|czyli)?[\s,:]*(?:o )?(?:godz\w*\.? ?)*\d"
)
AS_WEEKDAY: Final = re.compile(
    r"jak w (?:dni|dzien) (?:powszedni\w*|zwykl\w*|robocz\w*)|porzad\w+ (?:mszy )?(?:swietych |sw\. )?(?:dni[a]? )?powszedn\w+"
)
NEW_ORDER: Final = re.compile(
    r"now[yae]\w* (?:porzad|godzin|rozklad)\w*|zmienia\w* sie (?:godzin\w+|porzad\w+)"
    r"|zmian\w* (?:godzin|porzad|rozklad)\w*|(?:letni|zimowy|nowy|zmieniony|wakacyjny) (?:porzadek|rozklad)"
    r"|(?:porzadek|rozklad) (?:mszy (?:sw\. |swietych )?)?(?:letni|zimowy|wakacyjny)"
)
FROM_DATE: Final = re.compile(rf"od(?: dnia)? (?:(?:{WEEKDAY})\w+,? )?\d{{1,2}}[. ]")
LASTING: Final = re.compile(
    rf"\b(?:od|od dnia|z dniem|poczawszy od|poczynajac od)\s+(?:(?:najblizsz|przyszl|nastepn)\w+ )?(?:{SUNDAY}i \()?"
    r"(?:(?:pierwsz|drug|ostatni)\w+ \w+ (?:\w+ )?\()?"
    rf"(?:(?:{SUNDAY}i|uroczystosci|swieta) (?:\w+ ){{0,2}}\w+, |\w+,?\s+)?(?:czyli (?:od )?)?$"
)
ORDER: Final = re.compile(r"\bmsze\b|porzad\w+|\bmszy (?:sw\.|swietych)[^.]*:")
UNCHANGED: Final = re.compile(
    r"\bjak (?:zwykle|zawsze|dotychczas|dotad|codziennie|co (?:tydzien|dzien|niedziele|sobote))|bez zmian"
    r"|o (?:zwyklej|stalej) (?:porze|godzinie)"
    r"|\b(?:zwyczajnie|po staremu|normalnie|standardowo)\b"
    r"|\bw (?:pozostal|inn)\w+ dni"
)
REST: Final = re.compile(r"\bpozostal\w+|\binn(?:e|ych) msz\w+|\btych msz\w+|\bw innych dniach|\bw inne dni")
# A list of the whole week, where "w niedzielę" means every Sunday.
WHOLE_WEEK: Final = re.compile(rf"\bdni\w* powszedni\w+|\bw tygodniu\b|\bw {SATURDAY}y\b")
# "Innych Mszy tego dnia nie będzie": the hours named before are all.
NO_OTHERS: Final = re.compile(
    r"\b(?:innych|pozostalych|inne|pozostale) msz[eya]?(?: sw\.)?[^.;:]{1,60}?\b"
    r"(?:nie (?:bed\w+|ma\b|odprawi\w*)|(?:sa |zostaja )?odwolan\w+)"
)
OTHER_MASSES: Final = re.compile(r"\b(?:inn(?:e|ych)|pozostal\w+) msz")
# "To jedyna Msza św. w tym dniu", after the sentence with its hour.
ONLY_MASS: Final = re.compile(r"\bjedyn[aey] (?:\w+ ){0,3}(?:msz|eucharyst)\w+")
# "Młodzież zapraszamy na Mszę św. o 18.00": one that is there anyway, unless the hour is unusual.
INVITES: Final = re.compile(
    rf"\bzaprasz\w+ (?:(?!dodatk|wyjatk)[\w▒]+ ){{0,4}}na msz[ae] (?:sw\. |swieta )?(?:{OF_PART}\w+ )?"
    r"o (?:godz\w*\.? ?)?\d{1,2}[.:]\d\d(?=[.;]|,? (?:po niej|potem|nastepnie|a po)|$)"
)
# "tylko jedna Msza św., Wieczerzy Pańskiej, o 18.00": all that is said that day
ONLY_ONE: Final = re.compile(r"\b(?:tylko|jedynie) (?:ta )?jedn[ae](?: msz[ae]\b|!?\)?$|!?\))")
THOSE_DAYS: Final = r"\bw tych (?:\w+ )?dniach|\bw te (?:\w+ )?dni\b"
THOSE_WEEKS: Final = r"\b(?:w|przez) (?:tych|te|ten) (?:\w+ )?tygod(?:niach|nie)\b"
SAME_DAYS: Final = re.compile(
    rf"{THOSE_DAYS}|{THOSE_WEEKS}|\bw (?:dniach|dni|czasie) (?:koled\w+|triduum|rekolekc\w+|misji|odpustu)\b"
)
MEANWHILE: Final = re.compile(rf"\bw (?:tym|owym) (?:czasie|okresie)\b(?: od (?:{WEEKDAY})\w* do (?:{WEEKDAY})\w*)?")
# "Dodatkowe Msze św. o 9.30 i 11.30": said besides the usual ones, however many they are.
BESIDE_USUAL: Final = re.compile(
    r"\bdodatkow\w+ (?:\w+ ){0,2}(?:msz|eucharyst)|\bmsz\w+ (?:sw\. |swiet\w+ )?(?:dodatkow|wiecej\b)"
    r"|\b(?:dodatkowo|jeszcze) (?:\w+ ){0,2}msz|\bdodatkowo,? (?:o |godz)"
    r"|(?<!\bi )(?<!oraz )\bdodatkow[ae]:? (?:o |godz\w*\.? ?)*\d"
    r"|\b(?:dokladamy|dolozy\w+|dochodz[ai]|dojd\w+|dodajemy|dodamy|dodan\w+|dolacz\w+|przybed\w+) (?:\w+ ){0,3}msz"
    r"|\b(?:ponadto|nadto|procz tego|oprocz tego|poza tym) (?:\w+ ){0,2}msz"
)
# "Wieczorem o godz. 17.00 i 19.00." after a list of hours.
LIST_GOES_ON: Final = re.compile(
    rf"^(?:(?:natomiast|a|oraz|i|jeszcze|takze|rowniez) )*"
    rf"(?:(?:jedna|dwie|trzy) )?(?:{EVENING}\w*|{IN_THE_AFTERNOON}|{AFTERNOON}\w+|{IN_THE_MORNING}|{AT_NOON}|{BEFORE_NOON}"
    r"|ostatni\w+|nastepn\w+|kolejn\w+|druga|trzecia|czwarta)"
    r"(?: natomiast| zas| jeszcze| takze| rowniez)?(?: jedna| dwie| trzy)?(?: msz\w+(?: sw\.| swiet\w+)?)?"
    r"(?: bed\w+| jest| sa| zostan\w+)?(?: odprawion\w+| sprawowan\w+)?"
    r" ?[:,–-]? ?(?:o |godz\w*\.? ?)*\d"
)
AT_CEMETERY: Final = re.compile(r"\bcmentarz")
OUTSIDE: Final = re.compile(r"\bna cmentarz\w*|\bw kaplic\w+|\bprzy (?:krzyz|kaplicz)\w+")
# "Msze dla dwóch grup o 9.00 i 11.00": said besides those of everybody.
FOR_SOME: Final = re.compile(
    r"\bmsze (?:sw\. |swiete )?(?:(?:komunijn|prymicyjn|pogrzebow|slubn|szkoln|dziekczynn)\w+"
    r"|dla (?:\w+ )?grup\w*|z okazji [^:]*:[^:]*klas)"
)
THOSE: Final = re.compile(
    rf"\bw (?:te|obie)(?: te| dwie| trzy| cztery)? (?:{SUNDAY}e|{SATURDAY}y|{FRIDAY}ki|{THURSDAY}ki|{WEDNESDAY}y"
    rf"|{TUESDAY}ki|{MONDAY}ki)\b"
)
# "Sobota, 28 września: ... W tę sobotę nie ma Mszy": the one named before.
THAT_WEEKDAY: Final = re.compile(
    rf"\b(?:w (?:te|ten|ta)|tej|tego) ((?:{MONDAY}|{TUESDAY}|{WEDNESDAY}|{THURSDAY}|{FRIDAY}|{SATURDAY}|{SUNDAY})\w*)"
)
SAME_DAY: Final = re.compile(
    rf"\bw (?:tym|ten) dni\w+|{THOSE_DAYS}|\btego dnia"
    r"|\bw (?:tym|owym) (?:czasie|okresie)|^wowczas|^wtedy"
)
# "Po procesji o 15.00 Msza św.": goes on with the day of what went before.
AFTER_IT: Final = re.compile(r"^po (?:\w+ )?\w+ o (?:godz\w*\.? ?)?\d{1,2}[.:]\d\d (?:\w+ )?msz\w+")
# "Uroczystość rozpocznie się o 10.00 Mszą św." after a sentence that names its day.
BEGINS_WITH_MASS: Final = re.compile(
    r"\b(?:rozpocz(?:ni|yna)|zaczn|zaczyna|poprzedz)\w* (?!.*\bpo msz)[^;]{0,60}\b(?:msz(?:a|e)\b|eucharysti\w*)"
)
ONE_MORE: Final = re.compile(r"\b(?:dodatkow\w+|jeszcze jedn\w+|druga|kolejna) msz\w+|" rf"^{IN_EXCHANGE}\b")
OPENS_WITH_MASS: Final = re.compile(
    r"^(?:(?:w|na|u) (?!kazd|dni|tygod)\w+ (?:parafialnym )?)?"
    r"(?:\w+ )?(?:msz(?!aln)\w+|porzad\w+|sum[aeyi]\b|eucharysti\w+|rorat\w+)"
)
NAMES_AN_OCCASION: Final = re.compile(
    rf"swiet[oa]|uroczyst|odpust|rekolekc|wspomnieni|\bdzien\b|popielc|{SUNDAY}a|jubileusz|pogrzeb|boze cialo|bozego ciala"
    r"|bierzmowani|pozegna|fatimsk|i komuni|wizytacj|prymicj|dozynk|triduum|wigili|pielgrzymk"
    r"|(?:zakonczeni|rozpoczeci|inauguracj|poczat|konie?c)\w* (?:nowego )?roku|rocznic|swiecen|biskup|sylwest|imienin"
    r"|niepokalan|wniebowziec|narodzeni\w+ (?:pansk|nmp)|zwiastowan|zmartwychwst"
    rf"|(?:wielk\w+|pierwsz\w+|\bi) (?:{THURSDAY}|{FRIDAY}|{SATURDAY})|trzech kroli|nowy rok"
    r"|pasterk|sw\. \w+|wszystkich swiet|zadusz"
)
WEEKLY: Final = re.compile(
    r"\bw (?:adwencie|wielkim poscie)\b"
    rf"|\bw (?:kazd\w+|dni powszedni\w+|{SUNDAY}e i swieta|{SATURDAY}y|{WEDNESDAY}y|tygodniu)\b"
    rf"|\bwe (?:{TUESDAY}ki|{WEDNESDAY}y)\b|\bw (?:{MONDAY}ki|{THURSDAY}ki|{FRIDAY}ki)\b|powszedni\w*:|\b{SUNDAY}e:|{SUNDAY}n\w+:"
)
NAMES_DAYS: Final = re.compile(
    rf"\b(?:{MONDAY}|{TUESDAY}|{WEDNESDAY}[aeyi]\b|{THURSDAY}|{FRIDAY}(?:ek|ku)|{SATURDAY}|{SUNDAY}[aei]\b)"
    rf"|\d\.? (?:{MONTH})"
)
# Days of the week within a period: "od 1 lipca do 31 sierpnia w dni powszednie o 19.00, w niedziele o 8.00".
DAYS_OF_WEEK: Final = re.compile(
    rf"\b(?:dni powszedni\w+|dni robocz\w+|w tygodniu|{SUNDAY}e|{EVERY_DAY_BUT_SUNDAY}"
    rf"|{SUNDAY}n\w+ msz\w+|od {MONDAY}ku do (?:{FRIDAY}ku|{SATURDAY}y))\b"
)
PLURAL_DAYS: Final = re.compile(rf"\bwe? (?:{EVERY_DAY_BUT_SUNDAY})\b|\bkazd\w+")
# "codziennie oprócz niedziel": on weekdays.
BUT_SUNDAYS: Final = re.compile(rf"\b(?:z wyjatkiem|za wyjatkiem|oprocz|procz|poza|bez) {SUNDAY}(?:[iea]|ami)?\b(?! *\d)")
BESIDES: Final = re.compile(
    r"\b(?:oprocz|procz|poza|obok) (?:zwykl\w+ |stal\w+ )?msz\w+(?: sw\.| swiet\w+)?(?: o)?(?: godz\.)? \d{1,2}(?:[.:]\d\d)?\b"
    r"(?:(?:,| i| oraz)+ \d{1,2}(?:[.:]\d\d)?\b)*|\boprocz powyzszych"
    r"|\b(?:oprocz|procz|poza|obok) (?:zwykl\w+ |stal\w+ )?msz\w+(?: sw\.| swiet\w+)?"
    rf"(?: (?:{OF_PART}|zwykl|stal|{SUNDAY}n)\w+)?"
    r"(?=[^\d]*(?:dodatkow|\b(?:takze|rowniez|jeszcze|bedzie|odprawimy)\b))"
    rf"|\b(?:oprocz|procz|poza|obok) {OF_PART}\w+(?=[^\d;]*(?:dodatkow|\b(?:takze|rowniez|jeszcze|tez)\b))"
)
# Hours within a reason are those of what hinders the Mass: "ponieważ o 18.00 wraca pielgrzymka".
OPENS_WITH_REASON: Final = re.compile(
    r"(?:a |i )?(?:to )?(?:z powodu|ze wzgledu|w zwiazku|z racji|z uwagi|poniewaz|gdyz|bo|bowiem)\b(?! (?:o|na) msz)"
)
EXCEPT: Final = re.compile(r"\b(?:z wyjatkiem|za wyjatkiem|oprocz|poza|bez|procz)\b")
# "Wyjątkiem jest środa 2 lutego." after what is said of several days.
NAMES_EXCEPTION: Final = re.compile(r"^wyjat(?:kiem (?:jest|sa|bed\w+)|ek(?: stanowi)?|ki)\b")
PARTS: Final[tuple[tuple[Part, re.Pattern[str]], ...]] = (
    ("morning", re.compile(rf"{MORNING}\w+|\b{IN_THE_MORNING}\b")),
    ("evening", re.compile(rf"{OF_EVENING}\w+|\b{IN_THE_EVENING}\b|\b{IN_THE_AFTERNOON}\b|{AFTERNOON}ow\w+")),
)
_DAYS_WITH_WORD: Final = re.compile(rf"(?:\bwe? )?{DAYS_OF_WEEK.pattern}")


def days_with_words(folded: str) -> str:
    """The words for days of the week within a period, each with its preposition.

    >>> days_with_words("od 1 lipca w dni powszednie o 19.00, w niedziele o 8.00")
    'w dni powszednie w niedziele'
    """
    return " ".join(match[0] for match in _DAYS_WITH_WORD.finditer(folded))
