"""Invented names, cities and phone shapes per locale, in native script and in Latin letters.

The combinations are made up; e-mail domains, phone exchanges and companies of the sample cannot
belong to anybody. Weights say how often a locale occurs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

NamePart = tuple[str, str]
"""Native spelling, Latin spelling."""
City = tuple[str, str, str]
"""City, region (may be empty), country."""


@dataclass(frozen=True, slots=True)
class Locale:
    """Where a person comes from.

    `language` is that of localised pages, `dial` makes an E.164 number from any integer.
    """

    weight: int
    country: str
    given: tuple[NamePart, ...]
    family: tuple[NamePart, ...]
    cities: tuple[City, ...]
    dial: Callable[[int], str]
    language: str
    family_first: bool = False


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _pairs(text: str) -> tuple[NamePart, ...]:
    """`native|latin` words as pairs."""
    return tuple((native, latin) for native, latin in (word.split("|") for word in text.split()))


def _cities(text: str) -> tuple[City, ...]:
    """One `city|region|country` per line."""
    rows = (line.strip().split("|") for line in text.strip().splitlines())
    return tuple((city, region, country) for city, region, country in rows)


_US_AREAS = _words(
    """
    201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239
    240 248 251 252 253 254 256 260 262 267 269 270 272 276 281 301 302 303 304 305 307 308 309 310
    312 313 314 315 316 317 318 319 320 321 323 325 330 331 334 336 337 339 346 347 351 352 360 361
    385 386 401 402 404 405 406 407 408 409 410 412 413 414 415 417 419 423 424 425 430 432 434 435
    440 442 443 458 469 470 475 478 479 480 484 501 502 503 504 505 507 508 509 510 512 513 515 516
    517 518 520 530 531 534 539 540 541 551 559 561 562 563 567 570 571 573 574 575 580 585 586 601
    602 603 605 606 607 608 609 610 612 614 615 616 617 618 619 620 623 626 628 629 630 631 636 641
    646 650 651 657 660 661 662 667 669 678 681 682
    """
)

LOCALES: dict[str, Locale] = {
    "us": Locale(
        weight=26,
        country="US",
        given=_pairs(
            """
            Avery|Avery Marlow|Marlow Jonah|Jonah Tessa|Tessa Corwin|Corwin Delia|Delia
            Emmett|Emmett Farrah|Farrah Graham|Graham Hollis|Hollis Imani|Imani Jasper|Jasper
            Kendra|Kendra Lowell|Lowell Maren|Maren Nolan|Nolan Opal|Opal Preston|Preston
            Quinn|Quinn Rosalind|Rosalind Silas|Silas Thea|Thea Ulysses|Ulysses Vivian|Vivian
            Wesley|Wesley Yvette|Yvette Malik|Malik Shanice|Shanice Diego|Diego Marisol|Marisol
            """
        ),
        family=_pairs(
            """
            Ashcombe|Ashcombe Bellweather|Bellweather Cartmill|Cartmill Dunmore|Dunmore
            Ellerby|Ellerby Fairbourne|Fairbourne Garrick|Garrick Hartsell|Hartsell
            Ibbotson|Ibbotson Jessop|Jessop Kettering|Kettering Lockridge|Lockridge
            Mansfield|Mansfield Norcross|Norcross Oakhurst|Oakhurst Pemberley|Pemberley
            Quarles|Quarles Ravenel|Ravenel Stannard|Stannard Thackery|Thackery Underhill|Underhill
            Vickers|Vickers Whitlock|Whitlock Yarrow|Yarrow O'Dell|O'Dell McAllen|McAllen
            Johnson-Reyes|Johnson-Reyes Vargas|Vargas Okafor|Okafor Washburn|Washburn
            """
        ),
        cities=_cities(
            """
            San Francisco|California|United States
            Austin|Texas|United States
            New York|New York|United States
            Seattle|Washington|United States
            Columbus|Ohio|United States
            Toronto|Ontario|Canada
            Atlanta|Georgia|United States
            """
        ),
        dial=lambda number: (
            f"+1{_US_AREAS[(number // 10000) % len(_US_AREAS)]}555{number % 10000:04d}"
        ),
        language="en",
    ),
    "uk": Locale(
        weight=8,
        country="GB",
        given=_pairs(
            """
            Alistair|Alistair Bronwyn|Bronwyn Callum|Callum Dervla|Dervla Eilidh|Eilidh
            Fergus|Fergus Gwen|Gwen Hamish|Hamish Isla|Isla Niamh|Niamh Siobhán|Siobhan Rhys|Rhys
            Zoë|Zoe Chloë|Chloe Seán|Sean
            """
        ),
        family=_pairs(
            """
            Ardingly|Ardingly Blackmoor|Blackmoor Cholmondale|Cholmondale Davenant|Davenant
            Entwhistle|Entwhistle Featherby|Featherby Gorsuch|Gorsuch Hebblethwaite|Hebblethwaite
            MacInnes|MacInnes Ní-Bhriain|Ni-Bhriain Penhallow|Penhallow Trevelyn|Trevelyn
            Wrexford|Wrexford O’Hara|O'Hara
            """
        ),
        cities=_cities(
            """
            London|England|United Kingdom
            Manchester|England|United Kingdom
            Edinburgh|Scotland|United Kingdom
            Dublin|County Dublin|Ireland
            """
        ),
        dial=lambda number: f"+4474{number % 100000000:08d}",
        language="en",
    ),
    "in": Locale(
        weight=34,
        country="IN",
        given=_pairs(
            """
            Aarav|Aarav Bhavna|Bhavna Chirag|Chirag Deepika|Deepika Eshwar|Eshwar Farhan|Farhan
            Gayatri|Gayatri Harsh|Harsh Ishita|Ishita Jignesh|Jignesh Kavya|Kavya Lakshman|Lakshman
            Meenal|Meenal Nikhil|Nikhil Omkar|Omkar Pallavi|Pallavi Rajat|Rajat Sneha|Sneha
            Tanvi|Tanvi Uday|Uday Vaishnavi|Vaishnavi Yash|Yash Zoya|Zoya Siddharth|Siddharth
            Anjali|Anjali Rohan|Rohan Priya|Priya Karthik|Karthik Divya|Divya Mohammed|Mohammed
            """
        ),
        family=_pairs(
            """
            Agarwal|Agarwal Bhattacharjee|Bhattacharjee Chaturvedi|Chaturvedi Deshmukh|Deshmukh
            Iyengar|Iyengar Jadhav|Jadhav Kulkarni|Kulkarni Mahapatra|Mahapatra Nambiar|Nambiar
            Patwardhan|Patwardhan Qureshi|Qureshi Raghunathan|Raghunathan Srinivasan|Srinivasan
            Thakkar|Thakkar Upadhyay|Upadhyay Venkataraman|Venkataraman Wadhwa|Wadhwa Kumar|Kumar
            Singh|Singh Sharma|Sharma Reddy|Reddy Gupta|Gupta Khan|Khan K|K S|S Das|Das Naidu|Naidu
            Pillai|Pillai
            """
        ),
        cities=_cities(
            """
            Bengaluru|Karnataka|India
            Mumbai|Maharashtra|India
            Pune|Maharashtra|India
            Hyderabad|Telangana|India
            Gurugram|Haryana|India
            Chennai|Tamil Nadu|India
            Noida|Uttar Pradesh|India
            """
        ),
        dial=lambda number: f"+91{7 + number % 3}{number % 1000000000:09d}",
        language="en",
    ),
    "de": Locale(
        weight=6,
        country="DE",
        given=_pairs(
            """
            Jörg|Joerg Käthe|Kaethe Matthias|Matthias Renée|Renee Sören|Soeren Ulrike|Ulrike
            Björn|Bjoern Annika|Annika Jürgen|Juergen Friederike|Friederike Lukas|Lukas
            Hannelore|Hannelore
            """
        ),
        family=_pairs(
            """
            Müllenbach|Muellenbach Großkopf|Grosskopf Weißhaupt|Weisshaupt Kühnert|Kuehnert
            Schönfelder|Schoenfelder Brandtner|Brandtner Dornhöfer|Dornhoefer Eichstätt|Eichstaett
            Lindqvist|Lindqvist Vogelsang|Vogelsang Zöllner|Zoellner
            """
        ),
        cities=_cities(
            """
            Berlin|Berlin|Germany
            München|Bayern|Germany
            Hamburg|Hamburg|Germany
            Zürich|Zürich|Switzerland
            Wien|Wien|Austria
            """
        ),
        dial=lambda number: f"+49151{10000000 + number % 89999999:08d}",
        language="de",
    ),
    "fr": Locale(
        weight=5,
        country="FR",
        given=_pairs(
            """
            Réda|Reda Hélène|Helene Benoît|Benoit Aurélie|Aurelie François|Francois Noémie|Noemie
            Théo|Theo Maël|Mael Clémence|Clemence Jérôme|Jerome
            """
        ),
        family=_pairs(
            """
            Beaugendre|Beaugendre Châtelain|Chatelain Duchêne|Duchene Lefèbvre|Lefebvre
            Montclair|Montclair Pélissier|Pelissier Rousselot|Rousselot Thibaudeau|Thibaudeau
            Ben-Othman|Ben-Othman D’Alençon|D'Alencon
            """
        ),
        cities=_cities(
            """
            Paris|Île-de-France|France
            Lyon|Auvergne-Rhône-Alpes|France
            Bruxelles|Région de Bruxelles-Capitale|Belgique
            """
        ),
        dial=lambda number: f"+3361{number % 10000000:07d}",
        language="fr",
    ),
    "es": Locale(
        weight=4,
        country="ES",
        given=_pairs(
            """
            Íñigo|Inigo Begoña|Begona Joaquín|Joaquin Núria|Nuria Álvaro|Alvaro Lucía|Lucia
            Martín|Martin Sofía|Sofia
            """
        ),
        family=_pairs(
            """
            Etxeberría|Etxeberria Núñez|Nunez Castañeda|Castaneda Güemes|Guemes Peñalver|Penalver
            Ordóñez|Ordonez Villacorta|Villacorta
            """
        ),
        cities=_cities(
            """
            Madrid|Comunidad de Madrid|España
            Barcelona|Cataluña|España
            Bogotá|Cundinamarca|Colombia
            Ciudad de México||México
            """
        ),
        dial=lambda number: f"+346{10000000 + number % 89999999:08d}",
        language="es",
    ),
    "pt": Locale(
        weight=3,
        country="BR",
        given=_pairs(
            """
            João|Joao Conceição|Conceicao Thaís|Thais André|Andre Luísa|Luisa Caio|Caio Inês|Ines
            """
        ),
        family=_pairs(
            """
            Gonçalves|Goncalves Araújo|Araujo Magalhães|Magalhaes Simões|Simoes Brandão|Brandao
            Quintela|Quintela
            """
        ),
        cities=_cities(
            """
            São Paulo|São Paulo|Brasil
            Florianópolis|Santa Catarina|Brasil
            Lisboa|Lisboa|Portugal
            """
        ),
        dial=lambda number: f"+55119{10000000 + number % 89999999:08d}",
        language="pt",
    ),
    "pl": Locale(
        weight=2,
        country="PL",
        given=_pairs(
            """
            Łukasz|Lukasz Zażółcia|Zazolcia Małgorzata|Malgorzata Błażej|Blazej Jędrzej|Jedrzej
            Żaneta|Zaneta
            """
        ),
        family=_pairs(
            """
            Wójtowicz|Wojtowicz Krzyżanek|Krzyzanek Śliwak|Sliwak Grzęda|Grzeda
            Brzozdowski|Brzozdowski
            """
        ),
        cities=_cities(
            """
            Warszawa|Mazowieckie|Polska
            Kraków|Małopolskie|Polska
            Wrocław|Dolnośląskie|Polska
            """
        ),
        dial=lambda number: f"+485{10000000 + number % 79999999:08d}",
        language="pl",
    ),
    "tr": Locale(
        weight=2,
        country="TR",
        given=_pairs(
            """
            Çağatay|Cagatay Şule|Sule İlker|Ilker Gülşen|Gulsen Ömer|Omer Ayşegül|Aysegul
            """
        ),
        family=_pairs(
            """
            Başerdem|Baserdem Yıldırımlı|Yildirimli Özgünay|Ozgunay Çelikel|Celikel Türkgil|Turkgil
            """
        ),
        cities=_cities(
            """
            İstanbul|İstanbul|Türkiye
            Ankara|Ankara|Türkiye
            """
        ),
        dial=lambda number: f"+9053{10000000 + number % 89999999:08d}",
        language="tr",
    ),
    "cn": Locale(
        weight=4,
        country="CN",
        given=_pairs(
            """
            思远|Siyuan 雨桐|Yutong 浩然|Haoran 静怡|Jingyi 子墨|Zimo
            欣妍|Xinyan 俊杰|Junjie 若曦|Ruoxi
            """
        ),
        family=_pairs(
            """
            王|Wang 李|Li 欧阳|Ouyang 陈|Chen 司马|Sima 赵|Zhao
            林|Lin 吴|Wu
            """
        ),
        cities=_cities(
            """
            上海|上海市|中国
            深圳|广东省|中国
            Singapore||Singapore
            Hong Kong||Hong Kong SAR
            """
        ),
        dial=lambda number: f"+86138{number % 100000000:08d}",
        language="zh",
        family_first=True,
    ),
    "jp": Locale(
        weight=2,
        country="JP",
        given=_pairs(
            """
            健太|Kenta 美咲|Misaki 翔|Sho 陽菜|Hina 大輔|Daisuke
            結衣|Yui
            """
        ),
        family=_pairs(
            """
            佐々木|Sasaki 高橋|Takahashi 中村|Nakamura 小野寺|Onodera
            渡邊|Watanabe
            """
        ),
        cities=_cities(
            """
            東京都||日本
            大阪市|大阪府|日本
            """
        ),
        dial=lambda number: f"+8190{10000000 + number % 89999999:08d}",
        language="ja",
        family_first=True,
    ),
    "kr": Locale(
        weight=1,
        country="KR",
        given=_pairs(
            """
            서연|Seoyeon 민준|Minjun 지우|Jiwoo 하은|Haeun
            """
        ),
        family=_pairs(
            """
            김|Kim 이|Lee 박|Park 최|Choi 남궁|Namgung
            """
        ),
        cities=_cities(
            """
            서울|서울특별시|대한민국
            """
        ),
        dial=lambda number: f"+8210{20000000 + number % 79999999:08d}",
        language="ko",
        family_first=True,
    ),
    "ar": Locale(
        weight=2,
        country="SA",
        given=_pairs(
            """
            خالد|Khaled نورة|Noura يوسف|Yousef ليلى|Layla عبدالرحمن|Abdulrahman
            """
        ),
        family=_pairs(
            """
            الحربي|Alharbi المنصوري|Almansoori القحطاني|Alqahtani النجار|Alnajjar
            """
        ),
        cities=_cities(
            """
            الرياض|الرياض|المملكة العربية السعودية
            Dubai|Dubai|United Arab Emirates
            """
        ),
        dial=lambda number: f"+96655{number % 10000000:07d}",
        language="en",
    ),
    "he": Locale(
        weight=1,
        country="IL",
        given=_pairs(
            """
            נועה|Noa איתי|Itay שירה|Shira עומר|Omer
            """
        ),
        family=_pairs(
            """
            בן-דרור|Ben-Dror אלמוג|Almog שגיא|Sagi
            """
        ),
        cities=_cities(
            """
            תל אביב|מחוז תל אביב|ישראל
            """
        ),
        dial=lambda number: f"+97252{2000000 + number % 7999999:07d}",
        language="en",
    ),
    "ru": Locale(
        weight=2,
        country="RU",
        given=_pairs(
            """
            Андрей|Andrey Ксения|Kseniya Святослав|Svyatoslav Юлия|Yulia
            """
        ),
        family=_pairs(
            """
            Щербаковский|Shcherbakovsky Ёлкина|Yolkina Журавлёв|Zhuravlev
            """
        ),
        cities=_cities(
            """
            Москва||Россия
            Алматы||Казахстан
            """
        ),
        dial=lambda number: f"+7916{number % 10000000:07d}",
        language="ru",
    ),
}

LOCALE_KEYS = tuple(LOCALES)
CUMULATIVE_WEIGHTS = tuple(accumulate(locale.weight for locale in LOCALES.values()))

MONTHS = _words("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")
LONG_MONTHS = _words(
    """
    January February March April May June July August September October November December
    """
)

LOCAL_MONTHS: dict[str, tuple[tuple[str, ...], str]] = {
    "fr": (_words("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."), "aujourd’hui"),
    "de": (_words("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."), "Heute"),
    "es": (_words("ene. feb. mar. abr. may. jun. jul. ago. sept. oct. nov. dic."), "actualidad"),
    "pt": (_words("jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez."), "o momento"),
    "pl": (_words("sty lut mar kwi maj cze lip sie wrz paź lis gru"), "obecnie"),
    "tr": (_words("Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara"), "halen"),
    "ru": (
        _words("янв. февр. март апр. май июнь июль авг. сент. окт. нояб. дек."),
        "настоящее время",
    ),
    "zh": (_words("1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月"), "至今"),
    "ja": (_words("1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月"), "現在"),
    "ko": (_words("1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월"), "현재"),
}
"""Months as LinkedIn's localised pages write them, and their word for present."""

ALTERNATIVE_CITIES: dict[str, list[str]] = {
    "Bengaluru": ["Bangalore", "Bangalore Urban", "Greater Bengaluru Area", "BLR"],
    "Gurugram": ["Gurgaon", "Gurgaon / NCR"],
    "Mumbai": ["Bombay", "Mumbai Metropolitan Region", "Navi Mumbai"],
    "New York": ["NYC", "New York City Metropolitan Area", "Greater New York City Area"],
    "San Francisco": ["San Francisco Bay Area", "SF Bay Area"],
    "München": ["Munich", "Munich Metropolitan Area"],
    "Wien": ["Vienna"],
    "Zürich": ["Zurich"],
    "上海": ["Shanghai"],
    "深圳": ["Shenzhen"],
    "東京都": ["Tokyo"],
    "서울": ["Seoul"],
    "الرياض": ["Riyadh"],
    "Москва": ["Moscow"],
    "Warszawa": ["Warsaw", "Warsaw Metropolitan Area"],
    "İstanbul": ["Istanbul", "Istanbul, Turkey"],
}
"""Other names under which a city is found."""
