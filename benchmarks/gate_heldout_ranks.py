"""The wordings of benchmarks/gate_heldout.py for seniority and repetition; none served tuning."""

from __future__ import annotations

__all__ = [
    "AGAIN",
    "ALIKE",
    "DOUBTED_BY_TITLE",
    "IN_CHARGE",
    "LISTED_TWICE",
    "LOOPS",
    "PADDED_WITH",
    "PADDING",
    "RAISED",
    "RANKS",
    "RANKS_BORNE_OUT",
    "RECITALS",
    "RETOLD",
    "SAID_OF_RANK",
    "SKILLS_RANKED",
    "TOLD_TWICE",
    "USUAL",
]

# What the document must have, and a true sentence with a word of rank in it.
RANKS_BORNE_OUT = (
    ("### Head of Marketing", "The candidate's experience includes leading a marketing function."),
    ("### Head of Marketing", "The candidate has been Head of Marketing."),
    ("### Head of Design", "The candidate's experience includes leading design as its head."),
    ("### Head of Data", "The candidate has reached head-of-data level."),
    ("### Head of Operations", "The candidate has led operations as head of the function."),
    ("### Chief Marketing Officer", "The candidate has C-level experience in marketing."),
    ("### Chief Marketing Officer", "Experience at executive level includes the CMO role."),
    ("### Chief Revenue Officer", "The candidate has executive experience as CRO."),
    ("### Chief People Officer", "The candidate has C-suite experience in people matters."),
    ("### VP Operations", "The candidate has been a vice president in operations."),
    ("### VP Finance", "The candidate has been a vice president in finance."),
    ("### Director of Engineering", "The candidate has worked at director level in engineering."),
    ("### HR Director", "The candidate has director-level experience in human resources."),
    ("### Sales Director", "The candidate has director-level experience in sales."),
    ("### Medical Affairs Director", "The candidate has worked as a director in medical affairs."),
    ("### Senior ", "The candidate has worked in a senior role."),
    ("### Senior ", "Responsibilities have included those of a senior position."),
    ("### Staff Software Engineer", "The candidate has worked as a staff-level software engineer."),
    ("### Principal Engineer", "The candidate has been a principal engineer."),
    ("### Lead Product Designer", "The candidate has worked as a lead designer for products."),
    ("### Engineering Lead", "The candidate has served as an engineering lead."),
    ("### Growth Lead", "The candidate has served as Growth Lead."),
    ("### Plant Head", "The candidate has served as the head of a plant."),
    ("### Warehouse Supervisor", "The candidate has held a supervisory role in warehousing."),
    ("### .*Manager", "The candidate has experience in a role with manager in its title."),
    ("### Engineering Manager", "The candidate has been a manager in engineering."),
    ("### Design Manager", "The candidate has managed design as Design Manager."),
    ("### Operations Manager", "The candidate has managerial experience in operations."),
    (
        "presented the outcome to the leadership team",
        "Findings were presented to the company's leadership.",
    ),
    (
        "presented the outcome to the leadership team",
        "The candidate has presented results to a leadership team.",
    ),
    (
        "reported progress to the steering committee",
        "The candidate has kept a steering committee informed of progress.",
    ),
    ("two product managers", "The candidate has collaborated with two product managers."),
    (r"\d+ hiring managers", "The candidate has supported hiring managers."),
    (
        "dashboards for operations staff",
        "The candidate has worked on dashboards for operations staff.",
    ),
    (r"team of \d+ nurses", "The candidate has worked with a team of nurses."),
    (r"team of \d+ engineers", "The candidate has worked with a team of engineers."),
    (r"Coached a team of \d+ account executives", "The candidate has coached a sales team."),
    (r"\bLed the design of ", "The candidate has led design work on a technical project."),
    (r"- Led (?!the design)", "The candidate has personally led some of this work."),
    (r"- Supervised ", "The candidate has supervised some of this work."),
    (r"hired \d+ people to keep it going", "The candidate has hired staff to sustain the results."),
)
# The skill is the one that the document lists first; rank words that rank no one.
SKILLS_RANKED = (
    "The candidate's lead skill, by order of listing, is {}.",
    "Chief among the listed skills, in first place, is {}.",
    "In the skills section, {} takes the lead.",
    "First and foremost among the skills listed is {}.",
)

# What in a document would make the rank doubtful, and names of the rank.
RANKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "top": (
        r"\bchief\b|\bC[A-Z]{1,2}O\b|president|\bVP\b|found|\bowner\b|\bpartner\b|\bboard\b|chair",
        (
            "Chief Commercial Officer", "Chief Growth Officer", "Chief Digital Officer",
            "Chief Innovation Officer", "Chief Administrative Officer",
            "Chief Transformation Officer", "Chief Financial Officer", "co-CEO",
            "company director and board member", "member of the board of directors",
            "founding CEO", "business owner", "Chief Business Officer", "Chief Experience Officer",
        ),
    ),
    "director": (
        r"\bdirector\b|\bchief\b|\bC[A-Z]{1,2}O\b|president\b|\bVP\b|\bhead\b",
        (
            "Senior Programme Director", "Director of Strategic Initiatives",
            "Director of Partnerships",
            "Director of Business Operations", "VP of Strategy", "Associate Vice President",
            "Executive Vice President", "Regional Head", "Head of Innovation",
            "Head of Transformation", "National Head", "Programme Director",
            "Vice President of Business Development", "Associate Director of Delivery",
        ),
    ),
    "manager": (
        r"manag|director|\bchief\b|\bC[A-Z]{1,2}O\b|\bhead\b|\bVP\b|president|\blead\b|supervis",
        (
            "Deputy General Manager", "Assistant General Manager", "area manager",
            "programme manager", "Delivery Manager", "division manager",
        ),
    ),
    "senior": (
        r"senior|\bsr\b|lead|head|chief|principal|staff|director|manag|\bVP\b|supervis",
        (
            "senior executive", "technical lead", "project lead", "stream lead",
            "Senior Officer", "Senior Lead", "squad lead", "practice lead", "Lead Associate",
            "Principal Specialist",
        ),
    ),
    "raised": (
        r"senior|\bsr\b|lead|head|chief|principal|staff|director|manag|\bVP\b|supervis",
        ("Senior {now}", "Lead {now}", "Principal {now}", "{now} Team Lead"),
    ),
    "in charge": (
        r"team of|supervis|coach|mentor|manager\b|\bhead\b|\blead\b|\bled\b|director|chief|\bVP\b"
        r"|(?:hired|sourced) \d+",
        (),
    ),
}  # fmt: skip
DOUBTED_BY_TITLE = ("manager", "senior", "raised")
"""Levels that only a title can give; the others may follow from any line."""
RAISED = "raised"
"""The level whose names are the present title with a rank put before or after it."""
USUAL = (RAISED, "in charge")
"""Levels that models invent most often."""
SAID_OF_RANK = (
    "In recognition of strong performance, {company} promoted the candidate to {}.",
    "The candidate progressed to the position of {} at {company}.",
    "As {} at {company}, the candidate drives strategy and execution.",
    "{first} is at present {} of {company}.",
    "{full} is a {} with experience in {skill}.",
    "Within a few years, the candidate grew into the role of {}.",
    "The candidate was later elevated to {}.",
    "In the current capacity of {}, the candidate sets priorities.",
    "The candidate has worked up to the level of {}.",
    "The candidate is an experienced {} with a strategic outlook.",
    "Now a {}, the candidate is trusted with major decisions.",
    "The candidate previously served as {}, with responsibility for growth.",
    "The candidate joined {company} as {}.",
    "The candidate brings experience as {} to any organisation.",
    "Most recently, the candidate took on the role of {}.",
    "The career has culminated in the position of {}.",
    "Earlier, at {past}, the candidate held the position of {}.",
    "The candidate rose through the ranks to become {}.",
    "{first} advanced to {} within a short span of time.",
    "Currently designated as {}, the candidate handles end-to-end delivery.",
    "The candidate's responsibilities expanded on appointment as {}.",
    "The candidate left {past} as {}.",
    "Having served as {}, the candidate understands the bigger picture.",
    "The candidate has acted as {} during a period of change.",
    "A dedicated {}, the candidate blends vision with attention to detail.",
    "The candidate was hired by {company} as {}.",
)
IN_CHARGE = (
    "The candidate manages a team of eight professionals.",
    "The candidate leads a cross-functional team of permanent staff.",
    "{first} leads a team at {company}.",
    "The candidate has five direct reports.",
    "The candidate is responsible for the performance reviews of a small team.",
    "The candidate supervised junior staff and delegated work to them.",
    "At {company}, the candidate heads a department.",
    "The candidate has line-managed colleagues for several years.",
    "The candidate built a team from scratch and manages it to this day.",
    "Leading a group of specialists at {company} is part of the role.",
)

# One frame around several achievements, employers or jobs: alike, and honest.
ALIKE = (
    "At {company} ({title}), the candidate {clause}.",
    "In a role as {title} with {company}, the candidate {clause}.",
    "While employed at {company}, the candidate {clause}.",
    "Serving {company} as {title}, the candidate {clause}.",
    "In the {title} role, the candidate {clause}.",
    "Working with {company}, the candidate {clause}.",
    "The candidate, as {title}, {clause}.",
    "During employment with {company}, the candidate {clause}.",
    "Achievements at {company} show that the candidate {clause}.",
)
RECITALS = (
    "At {company}, the candidate held the position of {title}.",
    "Experience with {company} was gained in the role of {title}.",
    "{title} is the role in which the candidate contributed at {company}.",
    "The role at {company} carried the title {title}.",
    "{company} employed this professional in the capacity of {title}.",
    "The candidate's work history includes {company} ({title}).",
    "The {title} position was with {company}.",
    "The candidate has also served {company} as {title}.",
)
# One frame around words that hardly change: padding.
PADDING = (
    "The candidate demonstrates a strong command of {skill} and uses it to deliver value.",
    "The candidate possesses excellent skills in {skill} and applies them effectively.",
    "Expertise in {skill} allows the candidate to contribute meaningfully to the team.",
    "The candidate has extensive experience in {skill}, which is essential for success.",
    "The candidate has consistently shown proficiency in {skill} across all roles.",
    "Proficiency in {skill} further strengthens the candidate's professional profile.",
    "The candidate leverages {skill} to drive results and support business goals.",
    "The candidate's experience with {skill} highlights a commitment to excellence.",
    "With strong abilities in {skill}, the candidate is able to meet business needs.",
)
PADDED_WITH = ("communication", "collaboration", "problem solving", "time management", "leadership")
AGAIN = (
    "In summary, {}",
    "In conclusion, {}",
    "As mentioned, {}",
    "As noted above, {}",
    "All in all, {}",
    "Once again, {}",
    "Furthermore, {}",
    "To summarise, {}",
)
LOOPS = (
    "skills in {a} and {b}, skills in {a} and {b}, skills in {a} and {b}, skills in {a} and {b}",
    "strong {a}, strong {b}, strong {a}, strong {b}, strong {a}, strong {b}",
    "{a} and {b} and {a} and {b} and {a} and {b} and {a} and {b}",
    "experience with {a}, experience with {b}, experience with {a}, experience with {b},"
    " experience with {a}",
    "{b}, {a}, {b}, {a}, {b}, {a}, {b}, {a}",
    "the use of {a}, the use of {b}, the use of {a}, the use of {b}, the use of {a}",
)
RETOLD = ("The individual", "This candidate", "The profile holder")
# The same list of skills, told twice in one summary.
LISTED_TWICE = (
    ("Core skills include {}.", "The candidate is proficient in {}."),
    ("Technical expertise spans {}.", "In terms of skills, the candidate offers {}."),
    ("Key competencies include {}.", "The skill set comprises {}."),
    ("The candidate is well versed in {}.", "Overall, the candidate's strengths are {}."),
)
# The same achievement, told twice at some distance.
TOLD_TWICE = (
    ("At {company}, the candidate {clause}.", "Notably, the candidate {clause}."),
    ("As {title}, the candidate {clause}.", "A key achievement is that the candidate {clause}."),
    ("The candidate {clause}.", "Back at {company}, the candidate also {clause}."),
    ("In this role, the candidate {clause}.", "During this time, the candidate {clause}."),
)
