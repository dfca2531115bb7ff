"""Common nouns with which a sentence of a summary may begin, and which name nobody. Pure.

Left out are those that end as nouns of qualities and activities do (see `persons`), and those that
are given names, too ("grace", "summer").
"""

from __future__ import annotations

__all__ = ["COMMON_NOUNS"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


COMMON_NOUNS = _words("""
    accuracy advice agenda air appetite approach area army asset audience audit award backlog
    balance bank bar base beauty benefit board body bonus book brand breadth budget build
    business bulk cargo case cash cause charm choice churn city class client clients climate
    code college comfort common company contact content context contract control core cost costs
    country courage course craft credit crew crowd culture customer daily data day days deadline
    deal debt deeds defence delay demand depth design desk detail diet discipline discount
    document downtime drive duty ease east economy edge effort email empathy end energy error
    europe exam example excellence excess exercise exit exposure eye face fact factory facts
    failure fame family farm feedback figures film fire fleet flair flow folks food force form
    foundation freight friend front fuel fun fund future gain game gap gear geography germany
    goal gold good goods great ground group growth guest half hall hand hardware headcount
    health heart height heat help history home hospital hotel house hour humour idea impact
    income index india industry input insight interest interface inventory investor invoice
    issue item job journey judgement kind kitchen knowhow label labour land landscape language
    latency law layer lead league ledger legacy length level life light line list load logic
    london long loss love luck lunch machine mail majority many margin mass material matter
    media medicine meeting memory merit method metal middle milestone mind minority mix mobile
    mode model moment money month morale more morning motto music nature need needs network news
    night nine none north note nothing number nurse object ocean office oil one order outcome
    output outreach overall overhead pace pain panel paper part partner passion past path
    patient pay payroll peace peer peers people phase phone physics picture pipeline place plan
    plant play plenty plot policy pool post power practice pragmatism praise present press
    pressure price pride print privacy problem process product profile profit program programme
    progress project promise proof purpose quarter quote rank rate rather reach reason record
    red rely release relief report research rest result results return revenue review reward
    rework rigour risk road role roll room root route rule safe salary sale sample scale school
    science scope score scrap screen sea search season seat second sector self sense service
    shape share shift ship shop show side sight sign silence site size skill sleep small social
    software soil solid some sort sound source south space span speed spirit spoken sport spot
    staff stage stamina standard start state station status steel step stock store stories story
    strain strategy strength stress structure struggle student study style success such sum
    supply support surplus system tact talent target task tax teamwork tech technique tempo ten
    tenure term test text theme theory thing thought throughput time title tone tool top topic
    touch tour track trade traffic travel trend trial trip trouble trust truth turnover twelve
    two type unit uptime usage use user value variety vehicle vendor view vigour vision visit
    voice volume wage warehouse warmth waste water wealth web week west whatever whoever wisdom
    word words work workload world yield youth zeal asia tomorrow perhaps eight seven eleven
    twenty thirty forty fifty
""")
