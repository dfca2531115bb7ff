"""The wordings of benchmarks/gate_drawn.py, from which each half takes its own part."""

from __future__ import annotations

# One frame around several achievements, employers or jobs: alike, and honest.
ALIKE = (
    "As {title} at {company}, the candidate {clause}.",
    "While at {company}, the candidate {clause}.",
    "For {company}, the candidate {clause}, which colleagues still use.",
    "In the years at {company}, the candidate {clause}.",
    "On behalf of {company}, the candidate {clause}.",
    "{company} remembers that the candidate {clause}.",
    "Working for {company} as {title}, the candidate {clause}.",
    "A result of the time with {company} is that the candidate {clause}.",
)
RECITALS = (
    "The candidate was {title} at {company}.",
    "One of the posts was {title} with {company}.",
    "{company} had the candidate as {title}.",
    "The next employer was {company}, where the candidate was {title}.",
    "The work at {company} was that of {title}.",
    "Then came {company}, in the role of {title}.",
)
# One frame around words that hardly change: padding.
PADDING = (
    "The candidate has strong experience with {skill} and uses it well.",
    "A further strength of the candidate is {skill} in all its forms.",
    "The candidate is able to apply {skill} to many different problems.",
    "With {skill}, the candidate has helped the company to grow and to succeed.",
    "The work of the candidate includes {skill} and other things like it.",
    "Colleagues know the candidate as somebody who understands {skill} very well.",
    "The candidate is skilled in {skill} and has a good command of it.",
    "In matters of {skill}, the candidate is always ready to help the team.",
)
AGAIN = ("Moreover, {}", "In addition, {}", "Once more, {}", "Also, {}", "As said, {}", "Again, {}")
LOOPS = (
    "with a focus on {a}, with a focus on {b}, with a focus on {a}, with a focus on {b}",
    "and in {a} and in {b} and in {a} and in {b} and in {a} and in {b}",
    "{a}, {b}, {c}, {a}, {b}, {c}, {a}, {b}, {c}",
    "using {a} to improve {b}, using {a} to improve {b}, using {a} to improve {b}",
    "{a} and {a} and {a} and {a} and {a}",
    "a range of {a}, a range of {b}, a range of {a}, a range of {b}, a range of {a}",
)
PADDERS = ("planning", "delivery", "quality", "reporting", "training", "review")

# Occupations that no generated person has; the last word is looked up in the document first.
OCCUPATIONS = (
    "physiotherapist", "radiologist", "optician", "midwife", "paramedic", "anaesthetist",
    "social worker", "interpreter", "copywriter", "screenwriter", "novelist", "photographer",
    "barista", "waiter", "baker", "butcher", "bricklayer", "plumber", "welder", "roofer", "tailor",
    "hairdresser", "gardener", "farmer", "fisherman", "forester", "miner", "judge", "notary",
    "barrister", "police officer", "detective", "soldier", "bus driver", "train driver",
    "flight attendant", "sailor", "air traffic controller", "librarian", "archivist", "historian",
    "sociologist", "psychologist", "economist", "mathematician", "physicist", "chemist",
    "astronomer", "meteorologist", "botanist", "zoologist", "biologist", "actuary",
    "stockbroker", "estate agent", "bank teller", "auctioneer", "tour guide", "travel agent",
    "hotel receptionist", "choreographer", "conductor", "sculptor", "painter", "actor",
    "film director", "sound engineer", "petroleum engineer", "aerospace engineer",
    "nuclear engineer", "quantity surveyor", "urban planner", "land surveyor", "game designer",
    "fashion designer", "interior designer", "school principal", "kindergarten teacher",
    "speech therapist", "dietitian", "lab technician", "locksmith", "upholsterer", "stonemason",
)  # fmt: skip
SAID_OF_ROLE = (
    "The candidate is a trained {}.",
    "Before this career, the candidate was a {}.",
    "Earlier, the candidate earned a living as a {}.",
    "As a {}, the candidate won the trust of many people.",
    "The candidate went on to become a {}.",
    "The first job was that of a {}.",
    "A {} by profession, the candidate knows the trade.",
    "The candidate has also been employed as a {}.",
)
# A word of a title of the document, and another name of the same work.
SYNONYMS = (
    ("Software Engineer", "software developer"), ("Software Engineer", "programmer"),
    ("Software Engineer", "SWE"), ("Data Engineer", "data pipeline developer"),
    ("Data Analyst", "analytics specialist"), ("Data Scientist", "machine learning scientist"),
    ("Recruiter", "talent sourcer"), ("Talent Acquisition", "recruiter"),
    ("Talent Acquisition", "hiring specialist"), ("Staff Nurse", "hospital nurse"),
    ("Nurse", "registered nurse"), ("Account Executive", "salesperson"),
    ("Account Executive", "sales representative"), ("Key Account Manager", "KAM"),
    ("Sales", "seller"), ("UI/UX Designer", "user interface designer"),
    ("UI/UX Designer", "UX specialist"), ("Product Designer", "digital product designer"),
    ("Graphic Designer", "visual designer"), ("Graphic Designer", "graphics artist"),
    ("HR Business Partner", "human resources partner"), ("HR", "people partner"),
    ("Operations Manager", "ops manager"), ("Operations", "operations leader"),
    ("Supply Chain", "logistics specialist"), ("Supply Chain", "SCM professional"),
    ("Clinical Research Associate", "CRA"), ("Clinical Research Associate", "trial monitor"),
    ("Clinical Project Manager", "study manager"), ("Pharmacist", "pharmacy professional"),
    ("Mechanical Engineer", "engineer in mechanical design"),
    ("Design Engineer", "design professional"), ("Project Engineer", "engineering professional"),
    ("Financial Analyst", "finance analyst"), ("Finance Manager", "finance lead"),
    ("Marketing", "marketer"), ("Marketing", "marketing professional"),
    ("Business Development", "business developer"), ("Financial Controller", "controller"),
)  # fmt: skip
OTHERS_ROLES = (
    "The candidate works next to lawyers and physicians.",
    "Reports go to the architect of the client.",
    "The candidate trains together with a teacher and a psychologist from outside.",
    "Photographers and translators are hired where a project needs them.",
    "Questions of law are left to the company's solicitor.",
    "An electrician and a plumber are called in where needed.",
    "The candidate answers questions from journalists and from economists.",
    "Biologists, chemists and actuaries are among the customers.",
)

RANKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "top": (
        r"\bchief\b|\bC[A-Z]O\b|\bpresident\b|\bfound|\bowner\b|\bpartner\b",
        (
            "CEO", "chief operating officer", "Chief Information Officer", "managing partner",
            "chairman of the board", "member of the executive board", "president of the company",
            "founding partner", "owner of the firm", "Chief Marketing Officer", "CHRO",
            "general partner", "chairwoman", "CISO", "Group CFO", "chief people officer",
        ),
    ),
    "director": (
        r"\bdirector\b|\bchief\b|\bC[A-Z]O\b|\bvice president\b|\bVP\b|\bhead\b|\bpresident\b",
        (
            "director of engineering", "Executive Director", "regional director",
            "Vice President", "EVP of sales", "head of department", "Global Head of Finance",
            "SVP Operations", "associate director", "department head", "Director of Nursing",
            "Assistant Vice President",
        ),
    ),
    "senior": (
        r"senior|\bsr\b|lead|head|chief|principal|staff|director|manag|\bVP\b|supervis",
        (
            "senior recruiter", "Sr. Engineer", "senior analyst", "lead designer",
            "team lead", "principal scientist", "senior manager", "Senior Consultant",
            "lead engineer", "staff engineer", "Principal Analyst", "senior specialist",
        ),
    ),
    "leading": (
        r"lead|\bled\b|manag|head|chief|director|supervis|team of|mentor|hired|\bVP\b|partner"
        r"|coordinat|trained|coach",
        (),
    ),
}  # fmt: skip
SAID_OF_RANK = (
    "The candidate is now {}.",
    "Today the candidate works as {}.",
    "The career reached the rank of {}.",
    "Named {} after a short time, the candidate grew quickly.",
    "The candidate acted as {} for the whole company.",
    "The present post is that of {}.",
    "The candidate has risen to {}.",
    "Having become {}, the candidate sets the course.",
)
LEADING = (
    "The candidate leads a team of people.",
    "The candidate supervises the staff of the department.",
    "People management is part of the post.",
    "The candidate is the line manager of several colleagues.",
    "The candidate manages a department.",
    "Several direct reports work for the candidate.",
    "The candidate has led teams of specialists.",
    "The candidate heads the team.",
)
# Words of rank that claim none for the candidate.
NO_RANKS = (
    "Senior stakeholders rely on the figures.",
    "The chief aim was a shorter lead time.",
    "Results went to the chief executive officer.",
    "The work supports the vice president of sales.",
    "The principal duties are told above.",
    "Lead generation and head office reporting belong to the work.",
    "The candidate reports to the director of operations.",
    "A senior manager of the client signed off the plan.",
    "The candidate works closely with senior engineers and the head of design.",
    "Decisions are prepared for the board and its chairman.",
    "The head count grew, and so did the lead over competitors.",
    "The founder of the company asked for this work.",
    "Proposals were presented to the CFO and to two directors.",
    "In principal markets, the candidate led the change.",
    "The candidate advises the managing director.",
    "The plan was approved by the president of the company.",
)
