"""Which unknown names in a summary are those of people."""

from __future__ import annotations

import pytest

from profiles.standardization.skills import Vocabulary
from profiles.validation.claims import claim_faults
from profiles.validation.evidence import Evidence

VOCABULARY = Vocabulary.from_aliases(
    {
        "Kubernetes": ["K8s"],
        "Big Data": [],
        "Six Sigma": ["Lean Six Sigma"],
        "Agile": [],
        "Excel": ["MS Excel"],
    }
)
EVIDENCE = Evidence(
    "# Thea Quarles\nStaff Engineer at Quarry Labs\nPune, Maharashtra, India · 9 years\n\n"
    "## Summary\nEngineer who runs payment services on K8s.\n\n## Experience\n"
    "### Staff Engineer — Quarry Labs\n- Led a team of 14 engineers.\n\n"
    "## Languages\nEnglish, Hindi, Marathi, German\n"
)

STRANGERS = """
Uday J. Patwardhan is a staff engineer at Quarry Labs with nine years of experience.
With nine years of experience, Jignesh S works as Staff Engineer at Quarry Labs.
With nine years of experience, Uday J. Patwardhan works as Staff Engineer.
R. Narayanan brings nine years of practice.
Dr. Amara Okonkwo runs payment services.
Based in Pune, Amara Okonkwo runs payment services.
Amara Okonkwo, a staff engineer, runs payment services.
Amara’s team of 14 engineers runs payment services.
At Quarry Labs, Amara Okonkwo leads a team.
Currently, Amara Okonkwo leads a team.
As a staff engineer, Amara Okonkwo leads a team.
A staff engineer at Quarry Labs, Amara Okonkwo leads a team.
Amara is a staff engineer.
Amara has nine years of experience.
Amara leads a team of 14 engineers.
Amara works at Quarry Labs.
Amara currently leads a team.
Siobhán O'Dallery leads a team.
O'Dallery is a staff engineer.
McAllen brings nine years of practice.
D'Alençon works as a staff engineer.
D'Alençon's experience covers payments.
Ms. D'Alençon runs payment services.
The team led by Amara Okonkwo runs payments.
Summary: Amara Okonkwo is a staff engineer.
Jean-Pierre Dufresnoy is a staff engineer.
María-José Zubizarreta is a staff engineer.
Ahmad ibn Khalidun leads a team.
Pieter van den Broekhuis leads a team.
Pieter Van den Broekhuis leads a team.
Omar Al-Haddarin leads a team.
Omar al Haddarin leads a team.
Ngozi N. leads a team.
N. Okafor leads a team.
OKONKWO Amara leads a team.
Amara OKONKWO leads a team.
José María de la Vegarrieta leads a team.
Mr Patwardhan joined later.
The strengths of Mrs. Okonkwo are broad.
Okonkwo's team praised the result.
Okonkwo has nine years of experience.
李明华 leads a team.
Ольга Петренко leads a team.
""".strip().splitlines()

NOBODY = """
Thea Quarles is a staff engineer.
Thea Q. is a staff engineer.
T. Quarles is a staff engineer.
T. Q. is a staff engineer.
Ms. Quarles leads a team.
Ms Quarles's team leads payments.
Quarles's team leads payments.
Thea leads a team of 14 engineers.
Ms Excel and MS Word are used.
Phase I and Phase II trials were run.
Series B funding was won by the firm.
Plan B worked in the end.
Tier A customers were served first.
Team Alpha works on payments.
New York hosts the team.
Silicon Valley has been home to the firm.
South East Asia has been a focus.
The Middle East is a focus.
Agile Coach training was completed.
Six Sigma helps to cut waste.
Lean Six Sigma reduces waste.
Big Data plays a part.
Open Source is a passion.
In payments, Open Banking offers chances.
Remote Work suits the engineer.
Black Belt training was completed.
Known for Site Reliability, she keeps systems up.
Business English is spoken.
Business English supports daily work.
Native English and German skills are listed.
Kubernetes clusters run payments.
Platform Engineering remains a focus.
Payment Services remains a focus.
Quarry's payment services run on K8s.
Quarry Labs' payment services run on K8s.
Quarry Labs relies on the team.
The Quarles profile shows growth.
Dr. is not a title of hers.
In St. Petersburg the team met.
The U.S. market and the E.U. market were served.
The U.K. has been a market.
A.I. has been a focus.
E-commerce has been a focus.
Go-to-market plans were written.
B2B and B2C customers were served.
Q1 and Q2 targets were met.
C-level stakeholders rely on the reports.
R&D works with the team.
She speaks Hindi, English and Marathi.
Hindi is a native language.
Maharashtra is home.
In summary, Thea is calm.
Overall, Thea is calm.
Day-to-day operations are handled.
Customers' trust is valued.
Payments is an area of strength.
Reliability is a strength.
Patience is a strength.
Leadership brings results.
Mentorship has been a focus.
Honesty brings trust.
Curiosity brings ideas.
Work brings joy.
""".strip().splitlines()


@pytest.mark.parametrize("sentence", STRANGERS)
def test_unknown_name_of_a_person_is_a_fault(sentence):
    summary = f"The candidate works hard. {sentence}"
    assert claim_faults(summary, EVIDENCE, VOCABULARY).people >= 1


@pytest.mark.parametrize("sentence", NOBODY)
def test_own_name_and_other_capitals_are_none(sentence):
    summary = f"The candidate works hard. {sentence}"
    assert claim_faults(summary, EVIDENCE, VOCABULARY).people == 0
