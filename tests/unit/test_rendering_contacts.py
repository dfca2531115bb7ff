"""Contact data is found at the wanted rates, and never reaches the lines of a document."""

import json
import time
from pathlib import Path

import pytest
from benchmarks.contacts import PRECISION, RECALL, measure

from profiles.rendering.sentences import lines_by_text
from profiles.standardization.contacts import private_spans, redact_contacts
from profiles.standardization.words import word_set

LABELLED = Path(__file__).parents[1] / "quality"
ORDINARY = (
    "Cut invoice errors by 40% and set compensation bands for 7: 3 pay runs, 2 payment services."
)


@pytest.mark.parametrize("name", ["contacts", "contacts_second"])
def test_labelled_contact_data_is_found_and_look_alikes_stay(name):
    lines = (LABELLED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]

    recall, precision = measure(rows)

    assert recall >= RECALL
    assert precision >= PRECISION


@pytest.mark.parametrize("name", ["contacts", "contacts_second"])
def test_searches_spared_for_lack_of_a_word_would_have_found_nothing(name):
    lines = (LABELLED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    of_all = word_set("\n".join(texts))

    assert [private_spans(text) for text in texts] == [
        private_spans(text, None, of_all) for text in texts
    ]


def test_an_address_is_sought_once_however_many_stand_beside_it():
    started = time.process_time()

    assert len(private_spans("Calle Mayor 12 " * 4_000)) == 4_000
    assert time.process_time() - started < 2


def test_contact_data_in_one_text_leaves_the_others_of_the_person_alone():
    ours = "Reach me on 98450 12345. Call us. Ran 12 sites.", ORDINARY, ""
    both = lines_by_text(ours)

    assert [line.text for line in both[ours[0]]] == ["Call us.", "Ran 12 sites."]
    assert both == {text: lines_by_text([text])[text] for text in ours}
    assert both[""] == ()


@pytest.mark.parametrize(
    "text",
    ["Paid 12 LPA.", "Reach www.example-site.net", "ada@mail-example.com", "CTC: 12", "skype:ada",
     "see veltrix-example.io", "ada at mail dot com", "01.23.45.67.89", "ring 06 12 34 56 78",
     "name [at] host-example [dot] de", "t.me/ada_b", "WeChat ID lin_wei88", "Hauptstr. 12",
     "wa.me/4915112345678", "12 bis rue des Tanneurs", "PO Box 1234", "LINE ID: hana.k",
     "Line: hana_k", "Skype live:ada.b", "Skype ada_b1", "微信 ada_b1", "Find me: @ada_b1",
     "via dei Gelsi 18/B",
     "ada.b(ät)quayhaven.de", "Tel. 0 89 / 99 99 82 - 14",
     "Salary: $98,000 (now step 7: $94,310)", "เงินเดือนที่คาดหวัง 45,000 บาท",
     "Expected salary: PHP 28,000", "expects EUR 115k", "Gehaltsvorstellung 62.000 EUR brutto p.a.",
     "Prétentions : 68 k€", "Pretensão salarial: R$ 19.500", "Oczekiwania finansowe: 12 000 zł",
     "з/п: 4200 USD net", "الراتب المتوقع: 32,000 ريال", "希望年収 1,150万円",
     "年収550万円以上を希望", "期望薪资 45-55K", "희망연봉: 8,200만원", "CPF 555.123.987-00",
     "License No. 0734418",
     "CURP TEST860912MJCLRM04", "Passport no: Z1234567", "вул. Кам'янецька 8"],
)  # fmt: skip
def test_contact_data_alone_leaves_nothing_of_itself(text):
    assert not any(map(str.isdigit, redact_contacts(text)))
    assert redact_contacts(text) != text


@pytest.mark.parametrize(
    "text",
    ["Deployed via Docker 20 on AWS", "Order 4500123456 closed", "EN 10204-3.1 and RFC 2616",
     "Used Vue.js/React, TCP/IP and S/4HANA", "Edited main.py and deploy.sh",
     "the team.in addition",
     "Worked at Booking.com and Amazon.co.uk", "@Override and @pytest.fixture", "Route 66, Area 51",
     "12 345 678 rows in 2019-03 – 2021-04", "ISBN 978-3-16-148410-0", "Passage de Python 2 à 3",
     "Skype: daily calls with clients", "Instagram: 45.000 followers", "Line: assembly, 12 people",
     "Led the 12 Step Drive", "12 Step Drive", "US Patent 10,555,012", "Patents EP 3 512 777 B1",
     "Payments for 12 banks, packaged 40 apps",
     "Marks: @Override, @Bean", "Ran snake_case at Skype", "npm package 2.0 with 12 AWS modules",
     "Lohnabrechnung für 1.400 Leute", "Budget rémunération de 4 M€", "給与計算 1,200名",
     "Compensation and benefits 2019", "Salaire : 2019", "Passport automation: 2,400 files",
     "Pay: 3 runs", "Payroll: 30 USD tables", "RFC 2616, driving licence B"],
)  # fmt: skip
def test_what_looks_like_contact_data_stays(text):
    assert redact_contacts(text, "FR") == text


def test_a_number_is_found_behind_a_label_that_ends_like_a_sentence():
    text = "Trained 12 nurses in two wards. Céd. Prof. 7741902 Céd. Esp. 10233871."
    assert [line.text for line in lines_by_text([text])[text]] == [
        "Trained 12 nurses in two wards."
    ]


def test_a_national_number_is_read_with_the_region_of_the_person():
    assert redact_contacts("Ran sites, 601 555 012", "PL") == "Ran sites"
    assert redact_contacts("Ran sites, 601 555 012", None) == "Ran sites, 601 555 012"
