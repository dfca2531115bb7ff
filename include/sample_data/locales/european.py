"""Locales of other Latin letters."""

from __future__ import annotations

from sample_data.locales.locale import Locale, cities_of, pairs

LOCALES: dict[str, Locale] = {
    "de": Locale(
        weight=6,
        country="DE",
        given=pairs(
            """
            Jörg|Joerg Käthe|Kaethe Matthias|Matthias Renée|Renee Sören|Soeren Ulrike|Ulrike
            Björn|Bjoern Annika|Annika Jürgen|Juergen Friederike|Friederike Lukas|Lukas
            Hannelore|Hannelore
            """
        ),
        family=pairs(
            """
            Müllenbach|Muellenbach Großkopf|Grosskopf Weißhaupt|Weisshaupt Kühnert|Kuehnert
            Schönfelder|Schoenfelder Brandtner|Brandtner Dornhöfer|Dornhoefer Eichstätt|Eichstaett
            Lindqvist|Lindqvist Vogelsang|Vogelsang Zöllner|Zoellner
            """
        ),
        cities=cities_of(
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
        given=pairs(
            """
            Réda|Reda Hélène|Helene Benoît|Benoit Aurélie|Aurelie François|Francois Noémie|Noemie
            Théo|Theo Maël|Mael Clémence|Clemence Jérôme|Jerome
            """
        ),
        family=pairs(
            """
            Beaugendre|Beaugendre Châtelain|Chatelain Duchêne|Duchene Lefèbvre|Lefebvre
            Montclair|Montclair Pélissier|Pelissier Rousselot|Rousselot Thibaudeau|Thibaudeau
            Ben-Othman|Ben-Othman D’Alençon|D'Alencon
            """
        ),
        cities=cities_of(
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
        given=pairs(
            """
            Íñigo|Inigo Begoña|Begona Joaquín|Joaquin Núria|Nuria Álvaro|Alvaro Lucía|Lucia
            Martín|Martin Sofía|Sofia
            """
        ),
        family=pairs(
            """
            Etxeberría|Etxeberria Núñez|Nunez Castañeda|Castaneda Güemes|Guemes Peñalver|Penalver
            Ordóñez|Ordonez Villacorta|Villacorta
            """
        ),
        cities=cities_of(
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
        given=pairs(
            """
            João|Joao Conceição|Conceicao Thaís|Thais André|Andre Luísa|Luisa Caio|Caio Inês|Ines
            """
        ),
        family=pairs(
            """
            Gonçalves|Goncalves Araújo|Araujo Magalhães|Magalhaes Simões|Simoes Brandão|Brandao
            Quintela|Quintela
            """
        ),
        cities=cities_of(
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
        given=pairs(
            """
            Łukasz|Lukasz Zażółcia|Zazolcia Małgorzata|Malgorzata Błażej|Blazej Jędrzej|Jedrzej
            Żaneta|Zaneta
            """
        ),
        family=pairs(
            """
            Wójtowicz|Wojtowicz Krzyżanek|Krzyzanek Śliwak|Sliwak Grzęda|Grzeda
            Brzozdowski|Brzozdowski
            """
        ),
        cities=cities_of(
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
        given=pairs(
            """
            Çağatay|Cagatay Şule|Sule İlker|Ilker Gülşen|Gulsen Ömer|Omer Ayşegül|Aysegul
            """
        ),
        family=pairs(
            """
            Başerdem|Baserdem Yıldırımlı|Yildirimli Özgünay|Ozgunay Çelikel|Celikel Türkgil|Turkgil
            """
        ),
        cities=cities_of(
            """
            İstanbul|İstanbul|Türkiye
            Ankara|Ankara|Türkiye
            """
        ),
        dial=lambda number: f"+9053{10000000 + number % 89999999:08d}",
        language="tr",
    ),
}
