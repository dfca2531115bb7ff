"""Month names and words for "until now" of about fifteen languages. Pure data.

Names follow what LinkedIn, resume parsers and resumes print; keys are folded with
`profiles.standardization.text.fold`, so accents, dots and case do not matter.
"""

from __future__ import annotations

from typing import Final

from profiles.standardization.text import fold

__all__ = ["MONTHS", "PRESENT", "SINCE", "UNTIL"]

_NAMES: Final = (
    # January: en de fr es pt it nl pl tr ru sv cs id ar he
    "jan january januar janner janvier janv ene enero janeiro gen gennaio januari sty styczen "
    "stycznia oca ocak янв январь января leden ledna يناير كانون ינואר",
    "feb february febr februar feber fevrier fevr fev febrero fevereiro febbraio februari lut luty "
    "lutego sub subat фев февр февраль февраля unor unora فبراير شباط פברואר",
    "mar march marz maerz mars marzo marco mrt maart marzec marca mart мар март марта brezen "
    "brezna maret مارس آذار מרץ מרס",
    "apr april avril avr abr abril aprile kwi kwiecien kwietnia nis nisan апр апрель апреля duben "
    "dubna أبريل ابريل نيسان אפריל",
    "may mai mayo maio mag maggio mei maj maja mayis май мая kveten kvetna مايو أيار מאי",
    "jun june juni juin junio junho giu giugno cze czerwiec czerwca haz haziran июн июнь июня "
    "cerven cervna يونيو حزيران יוני",
    "jul july juli juil juillet julio julho lug luglio lip lipiec lipca tem temmuz июл июль июля "
    "cervenec cervence يوليو تموز יולי",
    "aug august aout ago agosto augustus sie sierpien sierpnia agu agustos авг август августа "
    "srpen srpna augusti agustus أغسطس اغسطس آب אוגוסט",
    "sep sept september septembre septiembre set setembro setiembre sett settembre wrz wrzesien "
    "wrzesnia eyl eylul сен сент сентябрь сентября zari سبتمبر أيلول ספטמבר",
    "oct october okt oktober octobre octubre out outubro ott ottobre paz pazdziernik pazdziernika "
    "eki ekim окт октябрь октября rijen rijna أكتوبر اكتوبر אוקטובר",
    "nov november novembre noviembre novembro lis listopad listopada kas kasim ноя нояб ноябрь "
    "ноября нов نوفمبر נובמבר",
    "dec december dez dezember decembre dic diciembre dezembro dicembre gru grudzien grudnia ara "
    "aralik дек декабрь декабря prosinec prosince desember ديسمبر דצמבר",
)

MONTHS: dict[str, int] = {
    fold(name): number for number, names in enumerate(_NAMES, 1) for name in names.split()
}

PRESENT: Final = frozenset(
    map(
        fold,
        (
            "present", "presently", "the present", "to present", "until present", "till present",
            "current", "currently", "current job", "current position", "now", "until now",
            "till now", "today", "till today", "until today", "to date", "till date",
            "until date", "up to date", "date", "ongoing", "on going", "in progress", "continuing",
            "still working", "aujourd hui", "aujourdhui", "à aujourd'hui", "à ce jour", "ce jour",
            "présent", "actuel", "actuellement", "en cours", "maintenant", "heute", "bis heute",
            "jetzt", "aktuell", "gegenwärtig", "laufend", "derzeit", "bis dato", "actualidad",
            "la actualidad", "actual", "actualmente", "presente", "hasta la fecha", "hoy",
            "al presente", "o momento", "até o momento", "momento", "atual", "atualmente",
            "até hoje", "hoje", "obecnie", "do teraz", "teraz", "nadal", "halen", "devam ediyor",
            "günümüz", "şu an", "bugün", "настоящее время", "по настоящее время", "по н в", "н в",
            "настоящее", "сейчас", "至今", "现在", "目前", "迄今", "現在", "現在に至る", "在职",
            "至現在", "현재", "재직중", "재직 중", "oggi", "ad oggi", "attuale", "attualmente",
            "in corso", "heden", "nu", "tot heden", "nuvarande", "pågående", "i dag", "idag",
            "nyní", "současnost", "sekarang", "الآن", "حتى الآن", "الحاضر", "حاليا", "حالياً",
            "היום", "כיום", "עד היום", "הווה",
        ),
    )
)  # fmt: skip

SINCE: Final = frozenset(
    map(fold, ("since", "from", "seit", "ab", "depuis", "desde", "dal", "od", "с"))
)
UNTIL: Final = frozenset(
    map(fold, ("until", "till", "upto", "up to", "to", "bis", "jusqu'à", "hasta", "до"))
)
