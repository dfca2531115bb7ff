"""Who is named, ranked and employed, in sentences of many writers, against one document."""

from __future__ import annotations

import pytest

from profiles.storage.taxonomy import load_vocabulary
from profiles.validation.claims import claim_faults
from profiles.validation.evidence import Evidence

VOCABULARY = load_vocabulary()
EVIDENCE = Evidence("""\
# Thea Quarles
Data Engineer at Quarry Labs
Pune, Maharashtra, India · 9 years of experience

## Experience
### Data Engineer — Quarry Labs
Jan 2020 – Present (4 yrs)
- Built pipelines in Airflow and dbt for 14 internal teams.
- Works with Ragnar Holmquist on data contracts.
- Presented results to the board and the leadership team.
### Data Analyst — Osprey Retail
Jan 2015 – Dec 2019 (5 yrs)
- Wrote reports in SQL and Tableau.

## Education
- B.Tech, Computer Science — Umbra Institute of Technology (2010–2014)

## Skills
Airflow, dbt, SQL, Tableau, Python
""")
STRANGERS = (
    "Much of this was done hand in hand with Benedetta Crowlie.",
    "Siobhan Trevanion has built pipelines in Airflow for fourteen teams.",
    "Her line manager, Ottokar Brandl, signs off the plans.",
    "Asked by Winifred Oyelowo, the candidate moved to Quarry Labs.",
    "We recommend Marguerite for this post.",
    "The work of Jaroslav Pokorný shows care.",
    "Pipelines were built by Ferdinand Aske and Thea Quarles.",
    "Quarry Labs hired Lorcan Whelan as Data Engineer.",
    "Lorcan Whelan: data engineer with nine years of experience.",
    "Meet Lorcan Whelan, a data engineer from Pune.",
    "Lorcan builds pipelines in dbt.",
    "Whelan, a data engineer, writes SQL.",
    "As a data engineer, Lorcan Whelan writes SQL.",
    "Kudos go to Lorcan Whelan for the pipelines.",
    "Ragnar Holmquist builds pipelines at Quarry Labs.",
    "Ragnar Holmquist is a data engineer with nine years of experience.",
    "Her supervisor Whelan praised the results.",
    "The candidate shares duties with Mr. Whelan.",
    "The candidate succeeded Ines Tavarro at Quarry Labs.",
    "The candidate, mentored by Ines Tavarro, writes SQL.",
    "Ines Tavarro and Thea Quarles built the pipelines.",
    "According to Ines Tavarro, the pipelines run well.",
    "The candidate replaced Tavarro in the team.",
    "Few know SQL as well as Ines Tavarro.",
    "Like her colleague Tavarro, the candidate writes SQL.",
    "Anyone who hires Ines Tavarro gets a careful engineer.",
    "With nine years behind him, Pieter Osterhaus knows data.",
    "Pieter's pipelines are stable.",
    "Data pipelines are what Pieter Osterhaus does best.",
    "Data Engineer Pieter Osterhaus works in Pune.",
    "Alongside Pieter O. Osterhaus the candidate wrote reports.",
    "It is hard to imagine the team without Pieter Osterhaus.",
    "PIETER OSTERHAUS writes reports in SQL.",
    "Osterhaus wrote reports in Tableau.",
    "Dr. Osterhaus wrote reports in Tableau.",
    "At Quarry Labs, Osterhaus wrote reports in Tableau.",
    "Reports were checked by Osterhaus, the senior analyst.",
    "Jun'ichi Watarai's reports were read widely.",
    "The candidate was coached by Aoife Ní Bhraonáin.",
    "She learned SQL from Aoife Brannagh.",
    "The person described here is Aoife Brannagh.",
    "The candidate's name is Aoife Brannagh.",
    "Aoife Brannagh, born in Pune, writes SQL.",
    "At Osprey Retail it was Aoife Brannagh's reports that counted.",
    "Both Aoife Brannagh and the candidate write SQL.",
    "Employers describe Brannagh as careful.",
    "Colleague Aoife Brannagh helped with the reports.",
    "The candidate and Benedikt Straumann co-wrote most reports.",
    "Few engineers match Benedikt Straumann in SQL.",
    "Straumann was responsible for the pipelines.",
    "Quarry Labs employs Calixta Moreau as Data Engineer.",
    "In Pune, Auberon Fitch and Thea Quarles share an office.",
    "Nobody would replace Auberon Fitch.",
)
NO_STRANGERS = (
    "They've built a legacy monolith into services.",
    "They’ve managed to turn a vague problem into something that works.",
    "It's grown into a habit. That's made a difference.",
    "She'd led the work. He'll manage more of it. Who's worked longer?",
    "Thea works in Pune.",
    "Quarles builds pipelines in Airflow.",
    "T. Quarles writes SQL reports.",
    "Pune is home to Quarry Labs.",
    "Works with Ragnar Holmquist on data contracts.",
    "Together with Ragnar Holmquist, Thea Quarles works on data contracts.",
    "Known for Data Governance and Change Management, the candidate is calm.",
    "Experienced in Extract Transform Load and Data Lineage work.",
    "The candidate presents to Senior Management and the Steering Committee.",
    "Familiar with Master Data and Golden Records.",
    "The stack is run by Platform Operations.",
    "Reports go to Finance and Human Resources.",
    "Data Contracts are a focus; Data Quality follows.",
    "The work serves Sales, Marketing and Customer Care.",
    "Bachelor of Technology in Computer Science.",
    "Studies in Computer Science were followed by work for Osprey Retail.",
    "The candidate works with Product Owners and Business Analysts.",
    "Osprey has used the reports for years.",
    "Umbra Institute of Technology awarded the degree.",
    "Well regarded for SQL, the candidate helps others.",
    "Airflow pipelines run every night.",
    "Tableau reports reach the Board.",
    "Monthly and Quarterly Reports were written for Management.",
    "Reports for Top Management were written in Tableau.",
    "Maharashtra has been home since 2010.",
    "Data has been the focus since Osprey Retail.",
    "SQL remains central; Tableau comes second.",
    "Nine years of Business Intelligence work stand behind this.",
    "The candidate moved from Osprey Retail to Quarry Labs.",
    "The candidate supports Internal Teams with Root Cause work.",
    "Trained in Computer Science at Umbra, Thea knows SQL.",
    "Consistency marks the work. Accuracy matters here.",
    "Analysts value the reports. Engineers trust the pipelines.",
    "The team follows Best Practice and Continuous Improvement.",
    "Thea Quarles, Data Engineer at Quarry Labs, builds pipelines.",
    "Fluent English and Hindi help in daily work.",
    "Today Quarles works for Quarry Labs; Osprey Retail came before.",
    "From Data Analyst to Data Engineer, growth was steady.",
    "Indian clients and European partners use the reports.",
    "With Airflow, Thea Quarles runs pipelines for fourteen teams.",
    "Working under Agile principles, the candidate delivers.",
    "Under Scrum, work is planned in short cycles.",
    "By Design, the pipelines are simple.",
    "Each Monday the reports go out.",
    "In January the candidate joined Quarry Labs.",
    "Solid knowledge of Relational Databases and Query Tuning is shown.",
    "The candidate brings Critical Thinking and Team Spirit.",
    "Quality Gates are part of each pipeline.",
    "The candidate follows Clean Code and Test Driven habits.",
)
INVENTED_RANKS = (
    "The company made the candidate its Chief Risk Officer.",
    "The candidate enjoys the standing of a Managing Director.",
    "Of the posts held, Director of Strategy is the one that stands out.",
    "Today the title on the door reads SVP Customer Success.",
    "Starting at the bottom, the candidate made it to Chief Operating Officer.",
    "The title of Supervising Data Engineer crowns the career.",
    "As the superior of a dozen people, the candidate sets the pace.",
    "Two years on, the candidate was appointed Head of Department.",
    "The candidate has worn the mantle of Director of Transformation.",
    "The candidate has sat in the chair of Regional Director.",
    "The CV shows a clear path, ending in the office of Chief Technology Officer.",
    "Nine people report directly to the candidate.",
    "The candidate looks after a team of nine engineers.",
    "A team of twelve is led by the candidate.",
    "The candidate conducts appraisals for the team.",
    "The candidate delegates work to junior staff.",
    "The candidate has worked up to the level of Chief Business Officer.",
    "The candidate rose through the ranks to become National Head.",
    "The candidate advanced to Lead UI/UX Designer.",
    "Now a Principal Data Engineer, the candidate is trusted with decisions.",
    "The candidate was hired as Data Engineer Team Lead.",
    "In the current capacity of programme manager, the candidate sets priorities.",
    "The candidate progressed to the position of Delivery Manager.",
    "Having served as Senior Lead, the candidate understands the picture.",
    "The candidate took on the role of Lead Associate.",
    "The candidate brings experience as practice lead.",
    "The candidate has risen to staff engineer.",
    "The candidate has line-managed colleagues for years.",
    "The candidate runs a team at Quarry Labs.",
    "The candidate is responsible for a staff of specialists.",
    "Last year the candidate became managing director.",
    "Quarry Labs put the candidate in charge of a team of five analysts.",
    "Five analysts answer to the candidate.",
    "The candidate is one of the founders of Quarry Labs.",
    "The candidate has a seat on the board of directors.",
    "Now director of data at Quarry Labs, Thea builds pipelines.",
    "Acting head of data, she plans budgets.",
    "She was named chief data officer.",
    "Thea Quarles, vice president of data, builds pipelines.",
    "As Head of Data Engineering, Thea plans budgets.",
    "The candidate's position is that of a senior data engineer.",
    "A senior data engineer with nine years of experience, Thea writes SQL.",
    "Senior data engineer with a calm manner.",
    "Lead data engineer at Quarry Labs.",
    "The candidate was made partner at Osprey Retail.",
    "The candidate carries the title Principal Data Engineer.",
    "The candidate chairs the data council.",
    "The candidate heads data engineering at Quarry Labs.",
    "The candidate leads a group of six engineers.",
    "The candidate has led several teams.",
    "A team of six works under the candidate.",
    "Staff management is part of the role.",
    "The candidate holds people responsibility for eight analysts.",
    "The candidate set up her own consultancy.",
    "As co-owner of a small agency, the candidate knows sales.",
    "The candidate was elected chairwoman of the association.",
    "The candidate was director of analytics at Osprey Retail.",
    "The candidate has been team leader since last year.",
    "The candidate rose through the ranks to become head of analytics.",
    "The data engineering manager builds pipelines.",
    "The candidate's career peaked as chief analytics officer.",
    "The candidate deputises as CTO.",
    "Former CEO of a start-up, the candidate knows data.",
    "The candidate manages eight data engineers.",
    "The candidate supervises junior analysts.",
    "In her capacity as president, Thea speaks often.",
    "The post of general manager was taken on in spring.",
    "The candidate commands a department of thirty.",
    "The candidate is dean of the data school.",
    "The candidate ended up as plant manager.",
    "The candidate took charge of a team of analysts.",
    "The candidate ran the whole company for a year.",
)
NO_RANKS = (
    "The candidate presented results to Head of Finance Mira Holt.",
    "The candidate supports Senior Engineers.",
    "The candidate worked with the support of Senior Director Holt.",
    "The candidate is well suited to Lead Data Engineer positions.",
    "The candidate has supported hiring managers.",
    "The candidate is able to lead and wants to lead.",
    "Lead generation and lead time were measured.",
    "The candidate presented to the board.",
    "The leadership team learned of the results.",
    "The candidate supports the head of finance with reports.",
    "The work is led by data.",
    "SQL leads the list; Tableau comes next.",
    "Lead times fell thanks to the reports.",
    "The chief strength is SQL.",
    "Reports to the director are written weekly.",
    "The director of the firm uses the reports.",
    "The candidate presents results to senior managers.",
    "Senior leadership reads the reports.",
    "A partner portal was fed by the pipelines.",
    "The candidate manages pipelines and reports.",
    "The candidate manages data for fourteen internal teams.",
    "The candidate leads by example.",
    "Principal tools are Airflow and dbt.",
    "The candidate is on board with new tools.",
    "Managers of internal teams rely on the reports.",
    "The candidate heads for larger tasks.",
    "Headcount reports were written in Tableau.",
    "Work was presented to the board and the leadership team.",
    "The candidate owns the pipelines and their quality.",
    "The candidate takes ownership of data.",
    "A senior-level audience reads the reports.",
    "The candidate works with product managers and team leads.",
    "The candidate answered questions of the chief executive.",
    "The candidate was hired by the head of data.",
    "The CEO praised the results.",
    "Fourteen internal teams are supported.",
    "The candidate assists the general manager with figures.",
    "The candidate guides users through dashboards.",
    "The candidate directs attention to quality.",
)
INVENTED_TRADES = (
    "Before data, the candidate spent a decade as a plumber.",
    "The candidate earned a living as a taxi driver.",
    "Thea Quarles, formerly a nurse, writes SQL.",
    "The candidate is a notary public.",
    "Her calling is that of a violinist.",
    "She has a second career as a novelist.",
    "The candidate doubles as a yoga teacher.",
    "On weekends the candidate is a wedding photographer.",
    "The candidate is a trained optician.",
    "A carpenter before, the candidate turned to data.",
    "The candidate made a name as a pastry chef.",
    "The candidate's last job was tour guide.",
    "The candidate is presently a museum curator.",
    "Her profession: midwife.",
    "The candidate built a reputation as a locksmith.",
    "For ten years the candidate was a policeman.",
    "The candidate entered working life as a bricklayer.",
    "The candidate is licensed as a pharmacist.",
    "The candidate gave up nursing and was a florist next.",
    "The candidate is an insurance underwriter and actuary.",
    "Brief work as a ski instructor followed.",
    "The candidate took a post as court interpreter.",
    "A lawyer by education, the candidate writes SQL.",
    "Employed as warehouse worker at first, the candidate studied later.",
    "The candidate is first and foremost a teacher.",
    "The candidate signed on as a ship's cook.",
    "The candidate has been active as a translator.",
    "The candidate acts as an estate agent.",
    "The candidate found work as a crane operator.",
)


def _faults(sentence):
    return claim_faults(f"The profile shows much work in data. {sentence}", EVIDENCE, VOCABULARY)


@pytest.mark.parametrize("sentence", STRANGERS)
def test_somebody_of_whom_the_document_tells_nothing_is_a_fault(sentence):
    assert _faults(sentence).people


@pytest.mark.parametrize("sentence", NO_STRANGERS)
def test_own_name_and_other_capitals_name_nobody_else(sentence):
    assert not _faults(sentence).people


@pytest.mark.parametrize("sentence", INVENTED_RANKS)
def test_rank_that_no_title_bears_out_is_a_fault(sentence):
    assert _faults(sentence).ranks


@pytest.mark.parametrize("sentence", NO_RANKS)
def test_word_of_rank_that_ranks_nobody_is_none(sentence):
    assert not _faults(sentence).ranks


@pytest.mark.parametrize("sentence", INVENTED_TRADES)
def test_occupation_that_the_document_does_not_have_is_a_fault(sentence):
    assert _faults(sentence).titles


def test_abbreviation_of_two_letters_does_not_excuse_a_name():
    evidence = Evidence(EVIDENCE.document + "Skilled in GD&T drawings.\n")
    sentence = "The candidate took over the post from Gayatri Deshmukh."
    assert claim_faults(sentence, evidence, VOCABULARY).people


def test_heading_a_team_is_leading_it():
    sentence = "Having grown from analyst to engineer, she now heads a five-person team."
    leads = Evidence(EVIDENCE.document + "Led a team of 5 engineers.\n")
    assert not claim_faults(sentence, leads, VOCABULARY).ranks
    assert _faults(sentence).ranks
    assert claim_faults("She now heads the department of data.", leads, VOCABULARY).ranks


@pytest.mark.parametrize(
    ("line", "sentence", "is_borne_out"),
    [
        ("Led the migration project.", "The candidate acted as project lead.", True),
        ("Led the migration project.", "The candidate acted as design lead.", False),
        ("Managed the audit programme.", "The candidate was the programme manager.", True),
        ("Managed the audit programme.", "The candidate was a Programme Manager.", False),
        ("Hired structured interviews for 12 teams.", "The candidate manages a team.", False),
        ("Hired 12 people.", "The candidate manages a team.", True),
        ("Supervised maintenance plans.", "The candidate manages a team.", False),
        ("Outside work I mentor juniors.", "The candidate is a Lead Data Engineer.", False),
        ("I like building a team that stays.", "The candidate has built a team that stays.", True),
        ("Knows project management.", "The candidate is a Senior Data Engineer.", False),
    ],
)
def test_deed_bears_out_a_rank_of_its_own_kind(line, sentence, is_borne_out):
    evidence = Evidence(EVIDENCE.document.replace("- Wrote reports", f"- {line}\n- Wrote reports"))
    assert (claim_faults(sentence, evidence, VOCABULARY).ranks == 0) is is_borne_out


def test_title_as_high_bears_a_rank_out():
    evidence = Evidence(EVIDENCE.document.replace("### Data Analyst", "### Head of Analytics"))
    sentence = "The candidate was director of analytics at Osprey Retail."
    assert not claim_faults(sentence, evidence, VOCABULARY).ranks
