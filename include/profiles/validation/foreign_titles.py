"""Titles of other languages, and the occupations that they are in English. Pure.

A document in another language has its titles in that language. Where each of them is understood by
a root of the lists below, an occupation of another field is told from a translated title; where one
is not, hardly anything is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from profiles.validation.occupation_fields import GENERAL, OWN_FAMILIES
from profiles.validation.occupation_nouns import TRADES

__all__ = ["english_of"]

# A root in folded titles (German, French, Spanish, Portuguese, Italian, Dutch, Polish, and those of
# Scandinavia), and what English names for such work hold.
_ROOTS: tuple[tuple[str, str], ...] = tuple(
    (foreign, english)
    for foreign, english in (
        (
            r"\b(?:ober)?bau(?!er)|chantier|\bobras?\b|cantier|budow|travaux|bygg|bouw|edil"
            r"|construc",
            "site|construct|build|project|civil|works|foreman|structur",
        ),
        (
            "zeichner|dessinat|delineant|disegnator|kreslar|tekenaar|projeteur",
            "draught|draft|cad\\b|technical",
        ),
        (
            "vertrieb|verkauf|\\bventas?\\b|\\bventes?\\b|vendas|vendit|commercial|comercial"
            "|verkoop|sprzeda"
            "|handlow|salg|forsalj|saljare",
            "sales|sell|account|business|commercial|revenue|territor|market",
        ),
        ("gebiet|secteur|regional|terenow", "area|region|territor|district|field"),
        (
            "einkauf|achat|compras?|acquisti|inkoop|zakup|inkop|innkjop",
            "purchas|procure|buy|sourc|supply",
        ),
        (
            "aduana|\\bzoll|douan|dogan|celn|toll(?:deklar|er)|alfandeg",
            "customs|clear|import|export|trade|declar|compliance|forward|broker",
        ),
        (
            "donnee|\\bdaten|\\bdatos|\\bdados|\\bdati\\b|danych|\\bdata\\b",
            "data|analy|statist|machine|business|intelligence|etl\\b|warehous|software|pipeline"
            "|platform",
        ),
        (
            "entwickl|developp|desarroll|desenvolv|sviluppat|ontwikkel|programist|programm"
            "|utveckl|utvikl"
            "|informati|software|systemu",
            "software|develop|program|engineer|cod|back|front|full|application|web|it\\b|computer",
        ),
        (
            "kaufm|kauffr",
            "clerk|commercial|business|sales|office|merchant|admin|trade|account|assist",
        ),
        (
            "estagi|stagiair|praktik|pasant|becari|tirocin|leerling|referendar|auszubild|azubi"
            "|lehrling|apprenti|aprendiz|stazyst",
            "intern|trainee|apprentice|student|junior",
        ),
        ("integrat", "integrat|develop|front|web|engineer|software"),
        ("ingeni|inzynier|ingegn|muhendis", "engineer|technical|technolog"),
        (
            "pfleg|stationsleit|krankenschw|infirmi|enfermer|infermier|verpleeg|pielegn|sjuksk"
            "|sykepl|sygepl"
            "|hemsire",
            "nurs|care\\b|health|clinic|ward|medical|matron",
        ),
        (
            "\\barzt|arzt\\b|arztin|medecin|medic[oa]\\b|lekar|\\blege\\b|lakare",
            "doctor|physician|medic|clinic|surg|specialist|practitioner|consultant|resident"
            "|registrar",
        ),
        ("apothek|pharmaci|farmac|aptek", "pharm|dispens|chemist|medic"),
        (
            "lehrer|lehrkraft|enseign|profess|docent|maestr|insegnant|nauczyc|larare|laerer|leraar",
            "teach|lectur|profess|educat|tutor|instruct|school|train|academ",
        ),
        (
            "buchhalt|compta|contab|contador|ksiegow|boekhoud|regnskap|redovis|rechnungsw",
            "account|bookkeep|ledger|financ|audit|payroll|control",
        ),
        (
            "finan[zc]|control(?:ler|ling)|kontroll|tesor|treso",
            "financ|control|account|treasur|budget|analy",
        ),
        ("wirtschaftspruf|revis|auditor|auditeur", "audit|account|assur|financ|tax"),
        ("steuer|fiscal|podatk|impost|belasting|skatte", "tax|account|fiscal|financ"),
        (
            "personal(?!ref)|\\brh\\b|\\brrhh\\b|recursos humanos|ressources humaines"
            "|risorse umane|kadr"
            "|recruit|reclut|recrut|rekrut",
            "hr\\b|human|people|talent|recruit|personnel|hiring|sourc",
        ),
        (
            "marketing|mercadot|werb|publici|reklam|communicat|comunica|kommunikat",
            "market|brand|communic|advert|content|media|public|growth|digital|pr\\b",
        ),
        (
            "logisti|lager|almacen|magazyn|entrepot|magazzin|spediti|spedyt|dispon|transport"
            "|trafico|vervoer",
            "logist|warehous|transport|supply|store|dispatch|ship|freight|forward|stock|traffic"
            "|inventor",
        ),
        (
            "administrativ|verwalt|secretari|sekretar|assistenz|buro|oficin|segret|asystent",
            "admin|secretar|assist|office|clerk|clerical|document|record",
        ),
        (
            "architekt|architect|arquitect|arquitet|architett",
            "architect|design|building|plann",
        ),
        (
            "mechan|mecan|schlosser|mecc|monteur|techniker|technicien|tecnico|technik\\b|montor",
            "mechan|techni|fit|mainten|install|service|repair|machin|engineer",
        ),
        ("elektri|electri|elettri", "electri|engineer|install|techni|mainten"),
        (
            "produktion|fertigung|produccion|produzione|produkcj|fabrica|usine",
            "produc|manufactur|plant|operat|factory|process|assembl",
        ),
        ("qualit|calidad|jakosc|kwaliteit|kvalit", "quality|test|qa\\b|inspect|assur|compliance"),
        (
            "gestalt|design|disen|grafi|graphi|projektant",
            "design|graphic|creativ|ux\\b|ui\\b|visual|art\\b|illustrat|brand|user|product",
        ),
        (
            "jurist|anwalt|avocat|abogad|avvocat|adwokat|prawni|advogad|advocaat|advokat|recht",
            "law\\b|legal|attorney|solicit|counsel|barrister|advocate|contract",
        ),
        (
            "forsch|cherch|investigad|ricercator|naukow|onderzoek|forsk|wissenschaft|pesquisad",
            "research|scien|academ|fellow|postdoc|analy",
        ),
        (
            "koch\\b|kochin|kuche|cuisin|cociner|cuoc|kuchar|\\bkok\\b|kokk|cozinh",
            "cook|chef|kitchen|culinar|cater|restaurant",
        ),
        (
            "kellner|serveu|camarer|camerier|kelner|restaur|hotel",
            "wait|serv|restaurant|hotel|hospital|host\\b|guest",
        ),
        ("projekt|projet|proyecto|progetto|projeto", "project|program|deliver|plan|coordinat"),
        ("kunden|client|klient|klant|kund", "customer|client|account|service|support|success"),
        ("berat|conseil|asesor|consult|doradc|radgiv|adviseur", "consult|advis|analy|manage"),
        ("ubersetz|traduct|tradutt|tlumacz|vertaler", "translat|interpret|linguist|locali"),
        (
            "redakt|redact|journalist|periodist|giornalist|dziennikar",
            "journal|edit|report|writ|content|media",
        ),
        ("bank|banqu|banc", "bank|financ|credit|loan|invest|teller"),
        (
            "versicher|assuranc|seguros|assicura|ubezpiecz|forsikring",
            "insur|underwrit|claim|broker|actuar|risk\\b",
        ),
        (
            "fahrer|chauffeur|conductor de|kierowca|autist|motorista",
            "driv|chauffeur|courier|transport|deliver",
        ),
        (
            "schreiner|tischler|menuisier|carpinter|falegnam|stolarz|snekker",
            "carpent|join|cabinet|wood\\b|furnit",
        ),
        ("gartner|jardin|giardin|ogrodnik|landschaft", "garden|landscap|horticult|grounds"),
        ("therap|physio|fisio|kine", "therap|physio|rehab\\b"),
        ("chemi|chimi|quimic|labor", "chem|lab\\b|scien|analy|techni|pharm"),
        ("biolog|biotech", "biolog|scien|research|lab\\b|biotech"),
        (
            "sozial|travail social|trabajador social|assistente sociale|socjaln",
            "social|case\\b|care\\b|support|youth|commun",
        ),
        (
            "erzieh|educat|educad|przedszkol|puericult",
            "educat|teach|nurser|child\\b|care\\b|kindergarten|school",
        ),
        ("immobil|inmobil|nieruchom|makler", "estate|propert|real\\b|letting|broker|sales"),
        ("sicher|securit|segurid|bezpiecz|cyber", "secur|safety|risk\\b|cyber"),
        ("empfang|accueil|recepc|recepcion|rezep", "recept|front|office|guest|admin"),
        ("produkt|produit|producto|prodotto|produto", "product|design|owner"),
        (
            "energie|umwelt|environnement|medio ambiente|ambient",
            "energy|environment|sustain|engineer",
        ),
    )
)
_COMPILED = tuple((re.compile(foreign), english) for foreign, english in _ROOTS)
_ENGLISH = GENERAL | OWN_FAMILIES | TRADES


_NOTHING = re.compile(r"(?!)")


@lru_cache(maxsize=64)
def english_of(titles: tuple[str, ...]) -> re.Pattern[str] | None:
    """What words of English names of these folded titles begin with; None if one is not understood.

    Titles that are English have no other names.
    """
    found: set[str] = set()
    for title in titles:
        known = {english for foreign, english in _COMPILED if foreign.search(title)}
        if not known and _ENGLISH.isdisjoint(title.split()):
            return None
        found |= known
    if not titles:
        return None
    return re.compile("|".join(sorted(found))) if found else _NOTHING
