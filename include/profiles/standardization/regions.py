"""Country and city names that decide a phone number's region. Pure data, keys folded.

Sources: ISO 3166 names in English and in the country's own language, plus the largest cities that
profiles name without a country. Cities that exist in several large countries are left out
(Birmingham, Hyderabad is in), because a wrong region joins strangers and none does not.
"""

from __future__ import annotations

from typing import Final

from profiles.standardization.text import fold

__all__ = ["CITY_REGIONS", "COUNTRY_REGIONS"]

_COUNTRIES: Final = """
US united states|united states of america|usa|u.s.a.|u.s.|america|estados unidos|états-unis
US vereinigte staaten|stany zjednoczone|сша|美国|アメリカ
CA canada|kanada|加拿大
MX mexico|méxico|mexique
BR brazil|brasil|brésil|brasilien
AR argentina|argentine
CL chile
CO colombia
PE peru|perú
UY uruguay
VE venezuela
EC ecuador
CR costa rica
GB united kingdom|uk|u.k.|great britain|england|scotland|wales|northern ireland|royaume-uni
GB vereinigtes königreich|reino unido
IE ireland|éire|republic of ireland|irland
IN india|bharat|भारत|inde|indien
PK pakistan|پاکستان
BD bangladesh|বাংলাদেশ
LK sri lanka
NP nepal
DE germany|deutschland|allemagne|alemania|alemanha|niemcy|германия|德国
AT austria|österreich|autriche
CH switzerland|schweiz|suisse|svizzera|suiza
FR france|frankreich|francia|frança|франция|法国
BE belgium|belgique|belgië|belgien
NL netherlands|the netherlands|nederland|holland|pays-bas|niederlande
LU luxembourg|luxemburg
ES spain|españa|espagne|spanien|espanha
PT portugal
IT italy|italia|italie|italien
PL poland|polska|polen|pologne
CZ czech republic|czechia|česko|česká republika
SK slovakia|slovensko
HU hungary|magyarország
RO romania|românia
BG bulgaria|българия
GR greece|ελλάδα|hellas
HR croatia|hrvatska
RS serbia|srbija|србија
SI slovenia|slovenija
SE sweden|sverige|schweden
NO norway|norge
DK denmark|danmark
FI finland|suomi
IS iceland
EE estonia|eesti
LV latvia|latvija
LT lithuania|lietuva
UA ukraine|україна|украина
BY belarus|беларусь
RU russia|russian federation|россия|российская федерация|russland
KZ kazakhstan|казахстан
GE georgia republic|საქართველო
AM armenia
TR turkey|türkiye|turkiye|turquie|türkei
IL israel|ישראל
SA saudi arabia|ksa|kingdom of saudi arabia|المملكة العربية السعودية|السعودية
AE united arab emirates|uae|u.a.e.|الإمارات|الإمارات العربية المتحدة
QA qatar|قطر
KW kuwait|الكويت
BH bahrain|البحرين
OM oman|عمان
JO jordan|الأردن
LB lebanon|لبنان
EG egypt|مصر
MA morocco|maroc|المغرب
TN tunisia|tunisie|تونس
DZ algeria|algérie
NG nigeria
KE kenya
GH ghana
ZA south africa
ET ethiopia
UG uganda
TZ tanzania
CN china|中国|people's republic of china|prc|china mainland
HK hong kong|hong kong sar|香港
TW taiwan|台灣|台湾
SG singapore|新加坡
MY malaysia
ID indonesia
TH thailand|ประเทศไทย
VN vietnam|việt nam|viet nam
PH philippines|the philippines
JP japan|日本|japon
KR south korea|korea|republic of korea|대한민국|한국
AU australia|australien
NZ new zealand
"""

_CITIES: Final = """
IN bengaluru|bangalore|mumbai|bombay|navi mumbai|pune|hyderabad|gurugram|gurgaon|chennai|noida
IN delhi|new delhi|kolkata|ahmedabad|jaipur|kochi|coimbatore|indore|chandigarh|lucknow|nagpur
IN thiruvananthapuram|blr|ncr|delhi ncr|greater noida|thane|vadodara|surat|bhopal|visakhapatnam
IN mysuru|mangalore
US san francisco|sf bay|new york|nyc|new york city|seattle|austin|chicago|los angeles|boston
US atlanta|dallas|houston|denver|philadelphia|phoenix|san diego|san jose california|miami
US california|texas|washington dc|columbus ohio
GB london|manchester|edinburgh|glasgow|leeds|bristol|liverpool|sheffield|belfast|cardiff
IE dublin
DE berlin|münchen|munich|hamburg|frankfurt|köln|cologne|stuttgart|düsseldorf|leipzig|nürnberg
CH zürich|zurich|genève|geneva|basel|bern|lausanne
AT wien|vienna|graz|salzburg
FR paris|lyon|marseille|toulouse|nantes|lille|bordeaux
BE bruxelles|brussels|brussel|antwerp|antwerpen|gent|ghent
NL amsterdam|rotterdam|utrecht|eindhoven|den haag|the hague
ES madrid|barcelona|valencia|sevilla|seville|bilbao|málaga
PT lisboa|lisbon|porto
IT milano|milan|roma|rome|torino|turin
BR são paulo|sao paulo|rio de janeiro|florianópolis|belo horizonte|curitiba|porto alegre|brasília
MX ciudad de méxico|mexico city|cdmx|guadalajara|monterrey
CO bogotá|medellín
AR buenos aires
CL santiago de chile
PE lima
PL warszawa|warsaw|kraków|krakow|wrocław|gdańsk|poznań|łódź|katowice
CZ praha|prague|brno
HU budapest
RO bucharest|bucurești|cluj napoca
SE stockholm|göteborg|gothenburg|malmö
NO oslo
DK copenhagen|københavn
FI helsinki
EE tallinn
UA kyiv|kiev|київ|lviv
RU москва|moscow|saint petersburg|санкт петербург
KZ алматы|almaty|astana
TR istanbul|ankara|izmir
IL tel aviv|תל אביב|jerusalem|haifa
SA riyadh|الرياض|jeddah|dammam
AE dubai|abu dhabi|دبي|sharjah
QA doha
EG cairo|القاهرة
NG lagos|abuja
KE nairobi
ZA johannesburg|cape town
CN 上海|shanghai|深圳|shenzhen|北京|beijing|广州|guangzhou|杭州|hangzhou|上海市|北京市
TW taipei|台北
JP 東京都|東京|tokyo|大阪市|大阪|osaka|yokohama|kyoto
KR 서울|seoul|busan
SG singapore
MY kuala lumpur
ID jakarta
TH bangkok
VN hanoi|ho chi minh
PH manila
AU sydney|melbourne|brisbane
NZ auckland|wellington
CA toronto|montréal|montreal|vancouver|ottawa|calgary
PK karachi|lahore|islamabad
BD dhaka
LK colombo
"""


def _table(text: str) -> dict[str, str]:
    table: dict[str, str] = {}
    for line in text.strip().splitlines():
        code, names = line.split(" ", 1)
        for name in names.split("|"):
            table[fold(name)] = code
    return table


COUNTRY_REGIONS: Final = _table(_COUNTRIES)
CITY_REGIONS: Final = _table(_CITIES)
