"""The wordings of benchmarks/gate_seen.py for seniority and repetition; none served tuning."""

from __future__ import annotations

__all__ = [
    "AGAIN",
    "ALIKE",
    "DOUBTED_BY_TITLE",
    "IN_CHARGE",
    "LOOPS",
    "PADDED_WITH",
    "PADDING",
    "RANKS",
    "RANKS_BORNE_OUT",
    "RECITALS",
    "RETOLD",
    "SAID_OF_RANK",
    "SKILLS_RANKED",
]

# What the document must have, and a true sentence with a word of rank in it.
RANKS_BORNE_OUT = (
    ("### Head of Marketing", "The marketing function has had the candidate as its head."),
    ("### Head of Design", "Design is a function that the candidate has headed."),
    ("### Head of Data", "The candidate has stood at the head of a data function."),
    ("### Head of Operations", "The candidate has headed operations."),
    ("### Chief Marketing Officer", "The candidate has held the post of CMO."),
    ("### Chief Revenue Officer", "The candidate has held the post of CRO."),
    ("### Chief People Officer", "Chief for people matters is one of the posts."),
    ("### VP Operations", "Vice president for operations is one of the titles held."),
    ("### VP Finance", "One of the titles is vice president for finance."),
    ("### Director of Engineering", "The title of engineering director has been reached."),
    ("### HR Director", "One of the posts is that of a director for human resources."),
    ("### Sales Director", "Director of sales is among the titles."),
    ("### Medical Affairs Director", "Medical affairs have been directed by the candidate."),
    ("### Senior ", "At least one of the titles carries the word senior."),
    ("### Senior ", "A post at senior level is on the record."),
    ("### Staff Software Engineer", "Staff level among software engineers has been reached."),
    ("### Principal Engineer", "Principal level as an engineer has been reached."),
    ("### Lead Product Designer", "The candidate has been a lead in product design."),
    ("### Engineering Lead", "The candidate has been a lead in engineering."),
    ("### Growth Lead", "The candidate has been the lead for growth."),
    ("### Plant Head", "The candidate has headed a plant."),
    ("### Warehouse Supervisor", "The candidate has been the supervisor of a warehouse."),
    ("### .*Manager", "A manager's title is on the record."),
    (
        "presented the outcome to the leadership team",
        "The people who lead the company were shown the outcome.",
    ),
    ("presented the outcome to the leadership team", "The leadership team learned of the outcome."),
    ("reported progress to the steering committee", "Progress was told to a steering committee."),
    ("two product managers", "Two product managers were among the colleagues."),
    (r"\d+ hiring managers", "Managers with posts to fill took part in the hiring."),
    (r"## Skills\n.*\bLead Generation\b", "Lead generation is one of the skills."),
    ("Led the design of ", "The candidate led the design of some of this."),
    ("within a fixed headcount plan", "Headcount stayed within a fixed plan."),
    ("dashboards for operations staff", "Dashboards for staff in operations were in scope."),
    (r"Coached a team of \d+ account executives", "Account executives were coached."),
)
# The skill is the one that the document lists first; rank words that rank no one.
SKILLS_RANKED = (
    "{} heads the list of skills.",
    "{} leads the list of skills.",
    "At the head of the skills stands {}.",
    "The lead entry among the skills is {}.",
    "The list of skills is led by {}.",
)

# What in a document would make the rank doubtful, and names of the rank.
RANKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "top": (
        r"\bchief\b|\bC[A-Z]{1,2}O\b|president|found|\bowner\b|\bpartner\b|\bboard\b|chair",
        (
            "COO", "chief product officer", "Chief Strategy Officer", "Chief Legal Officer",
            "CIO", "deputy chief executive", "executive chairman", "senior partner",
            "chair of the supervisory board", "non-executive board member", "equity partner",
            "sole proprietor", "president and CEO", "Group Chief Risk Officer",
        ),
    ),
    "director": (
        r"\bdirector\b|\bchief\b|\bC[A-Z]{1,2}O\b|president\b|\bVP\b|\bhead\b",
        (
            "deputy director", "Senior Director of Programmes", "country director",
            "Senior Vice President", "division head", "head of the business unit",
            "Director of Analytics", "Head of Global Programmes", "Group Director",
            "site director", "vice-president for strategy", "director general",
        ),
    ),
    "manager": (
        r"manag|director|\bchief\b|\bC[A-Z]{1,2}O\b|\bhead\b|\bVP\b|president|\blead\b|supervis",
        ("general manager", "branch manager", "department manager", "country manager"),
    ),
    "senior": (
        r"senior|\bsr\b|lead|head|chief|principal|staff|director|manag|\bVP\b|supervis",
        (
            "senior associate", "unit leader", "shift leader", "section leader",
            "lead consultant", "senior adviser", "group leader", "lead specialist",
            "senior expert", "principal officer",
        ),
    ),
    "in charge": (
        r"team of|supervis|coach|mentor|manager\b|\bhead\b|\blead\b|director|chief|\bVP\b"
        r"|hired \d+ people",
        (),
    ),
}  # fmt: skip
DOUBTED_BY_TITLE = ("manager", "senior")
"""Levels that only a title can give; the others may follow from any line."""
SAID_OF_RANK = (
    "A promotion to {} came soon after.",
    "The board made the candidate {}.",
    "The candidate stepped up to {} when the post fell vacant.",
    "As interim {}, the candidate steadied the business.",
    "The candidate currently holds the office of {}.",
    "After years of growth, the candidate was elevated to {}.",
    "The climb led all the way to {}.",
    "The candidate took over as {} from a predecessor.",
    "Recognised for good results, the candidate advanced to {}.",
    "The title on the business card is {}.",
    "The candidate's latest step was the move up to {}.",
    "Having worked the way up to {}, the candidate now sees the whole picture.",
    "Appointment to {} followed.",
    "Two promotions later, the candidate was {}.",
    "The candidate performs the duties of {}.",
    "With the rank of {}, the candidate signs off budgets.",
    "The candidate gave up the post of {} for this job.",
    "In a double function, the candidate is also {}.",
    "Quickly rising to {}, the candidate gained a wide view.",
    "The candidate's contract is that of {}.",
)
IN_CHARGE = (
    "Twelve employees report to the candidate.",
    "The candidate is responsible for a staff of specialists and their appraisals.",
    "The candidate runs a department.",
    "Line responsibility for a group of juniors is part of the job.",
    "The candidate has built and managed teams.",
    "The candidate oversees the work of subordinates.",
    "As their boss, the candidate sets the targets of several colleagues.",
    "The candidate directs a group of employees.",
)

# One frame around several achievements, employers or jobs: alike, and honest.
ALIKE = (
    "During the time at {company}, the candidate {clause}.",
    "As part of the work for {company}, the candidate {clause}.",
    "{company} saw how the candidate {clause}.",
    "In the employ of {company}, the candidate {clause}.",
    "When at {company}, the candidate {clause}.",
    "Under the title of {title}, the candidate {clause}.",
    "At {company}, in the role of {title}, the candidate {clause}.",
    "The time with {company} was also when the candidate {clause}.",
    "Employed by {company}, the candidate {clause}.",
    "One entry for {company} says that the candidate {clause}.",
)
RECITALS = (
    "{company} gave the candidate the title of {title}.",
    "A spell at {company} has been spent as {title}.",
    "{title} has been the title at {company}.",
    "For {company}, the candidate has worked as {title}.",
    "Work for {company} has meant work as {title}.",
    "The record names {company}, with the candidate as {title}.",
    "On the list stands {company}, where the title reads {title}.",
    "{company} is one of the employers, and {title} the job there.",
)
# One frame around words that hardly change: padding.
PADDING = (
    "{skill} is an area in which the candidate shows real competence and commitment.",
    "The candidate's knowledge of {skill} is solid and of great use to any team.",
    "Thanks to {skill}, the candidate can add value wherever support is needed.",
    "The candidate understands the importance of {skill} in a modern company.",
    "Through {skill}, the candidate contributes to the goals of the organisation.",
    "There is no doubt that {skill} is one of the candidate's many strong points.",
    "The candidate takes {skill} seriously and keeps learning more about it.",
    "In {skill}, the candidate has gained valuable insight over the years.",
    "The candidate's work with {skill} has been praised by many people.",
    "The candidate enjoys {skill} and looks for chances to use it.",
)
PADDED_WITH = ("documentation", "teamwork", "coordination", "presentation", "organisation")
AGAIN = (
    "To repeat, {}",
    "It bears repeating that {}",
    "In short, {}",
    "In other words, {}",
    "To sum up, {}",
    "Overall, {}",
    "It is also true that {}",
)
LOOPS = (
    "work on {a} and then on {b} and then on {a} and then on {b} and then on {a}",
    "{a} for {b}, {b} for {a}, {a} for {b}, {b} for {a}",
    "everything from {a} to {b}, from {a} to {b}, from {a} to {b}",
    "knowledge in the area of {a}, in the area of {a}, in the area of {a}, in the area of {a}",
    "{a}, {a}, {a}, {a}, {b}, {b}, {b}, {b}",
    "much, including {a}, including {b}, including {a}, including {b}, including {a}",
    "both {a} and {b}, both {a} and {b}, both {a} and {b}",
    "{a} as well as {b} as well as {a} as well as {b} as well as {a}",
)
RETOLD = ("The applicant", "This specialist", "The person described")
