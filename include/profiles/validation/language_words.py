"""Small words of English and of other languages in Latin script, as closed lists. Pure.

Function words, and for languages that have few of them the words with which any summary of a
person is written: candidate, years, experience, work. A word that the English list has, too, counts
for neither side in a sentence of that language.
"""

from __future__ import annotations

__all__ = ["ENGLISH", "LOANS", "OTHERS"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH = _words(
    "the a an and or of to in on for with at by from as is are was were be been has have had his"
    " her their its it he she they who that which this these those across through into over under"
    " within while where also including more than between both not all other such using during"
    " about up team work working experience led built years will would can no any some many"
    " most several well then since when after before there one two three our we you but only each"
    " every without"
)
LOANS = _words("à café cafés cliché décor entrée façade fiancé naïve protégé résumé résumés vitæ")
"""English words with accents."""
OTHERS: dict[str, frozenset[str]] = {
    name: _words(words)
    for name, words in {
        "de": "der die das und mit für von zu im den des ein eine einer einem einen bei als ist auf"
        " sowie sich wurde hat dem nicht über durch nach sie er zum zur am aus wird sind seit ihre"
        " seine auch unter mehr",
        "fr": "le la les et des du de un une dans pour avec sur au aux par est qui que en ses son"
        " il elle ainsi plus ont été chez sa cette ce ces depuis comme leur lors",
        "es": "el la los las y de del en un una con por para que su sus al se como es más ha sido"
        " fue desde entre también lo donde años sobre",
        "pt": "o a os as e de do da dos das em um uma com por para que seu sua ao no na nos nas é"
        " foi mais como pela pelo também sobre desde anos",
        "it": "il lo la gli le e di del della in un una con per che su al è nel nella sono come da"
        " dei delle alla ha anche si anni presso degli dal dalla",
        "nl": "de het een en van in met voor op te zijn is aan door bij als ook naar die dat heeft"
        " om uit tot over haar hij zij wordt werd jaar sinds",
        "pl": "i w z na do się jest oraz dla od przez po jako że nie ze za o a ma pracy pracuje"
        " doświadczenie lat także który która które jego jej przy obecnie kandydat kandydatka"
        " firmie w zakresie pod to są był była",
        "cs": "a v na se je s z do že pro od jako který která které i o k ve po při za také byl"
        " byla má let práce kandidát společnosti zkušenosti jeho její ze či však svou své kde si"
        " oblasti pracuje jsou nebo",
        "sk": "a v na sa je s z do že pre od ako ktorý ktorá ktoré i o k vo po pri za tiež bol bola"
        " má rokov práca kandidát spoločnosti skúsenosti jeho jej zo či však svoju kde si oblasti"
        " pracuje sú alebo",
        "hu": "a az és egy hogy nem is van volt ezt azt mint meg több ami aki amely mellett"
        " valamint jelölt év éves évek tapasztalattal jelenleg során dolgozik tapasztalat"
        " rendelkezik cégnél munkája szerint által illetve ezen kiváló majd már pedig ahol",
        "ro": "și si de la în in cu pe pentru din este o un a al ale care mai sau prin ca fost are"
        " candidatul candidata ani experiență sale său sa lucrează lui ei cadrul unei unui acest"
        " către asupra după",
        "hr": "i u na je se s za od do kao koji koja koje da iz te kroz po pri godina kandidat ima"
        " rada radi iskustva iskustvo tvrtki tvrtke njegov njezin također svoje su bio bila ili"
        " uz sa",
        "sl": "in v na je se z za od do kot ki da iz ter pri let kandidat ima dela izkušnje so tudi"
        " svoje bil bila ali podjetju",
        "lt": "ir yra su į iš kaip kad per už apie savo metų kandidatas darbo patirtis įmonėje taip"
        " pat nuo iki dirba",
        "sv": "och i att det som en på är av för med till den har de inte om ett han hon vid sedan"
        " från samt hos också sin sina inom under år arbetar",
        "da": "og i at det som en på er af for med til den har de ikke om et han hun ved siden fra"
        " samt hos også sin sine inden år arbejder kandidaten erfaring blev være",
        "nb": "og i å at det som en på er av for med til den har de ikke om et han hun ved siden"
        " fra samt hos også sin sine innen år jobber kandidaten erfaring ble være arbeider",
        "fi": "ja on ei se että hän oli joka sekä myös kuin ovat olla mutta kanssa jossa vuoden"
        " vuotta hakija ehdokas hakijalla kokemus kokemusta työskentelee hänellä hänen yli lisäksi"
        " nykyinen tällä työn yrityksessä vuodesta avulla",
        "et": "ja on ei see et ta oli kes mis ning ka kui aasta aastat kandidaat kogemus kogemust"
        " töötab tema praegu üle",
        "tr": "ve bir ile için bu olarak da de en olan yıl yıllık deneyim aday adayın sahip"
        " şirketinde çalışmaktadır görev kadar daha gibi çok ayrıca alanında sonra üzerinde",
        "vi": "và của là có trong cho với được các một những này đã tại như về từ người làm năm"
        " kinh nghiệm ứng viên việc công ty",
        "id": "dan yang di dengan untuk pada dari dalam sebagai adalah ini itu telah oleh ke serta"
        " juga tahun kandidat bekerja pengalaman memiliki saat selama para lebih bidang kerja"
        " perusahaan mampu",
        "ca": "i el la els les de del dels amb per que un una en al als és ha seu seva com més"
        " també anys des candidat entre sobre on ser",
        "tl": "ang ng sa na mga at ay si ni para may kay niya siya nito bilang kanyang taon",
    }.items()
}
