"""Particulars of invented people besides their careers: addresses, degrees, certificates."""

from __future__ import annotations

MAILBOXES = ["gmail.com"] * 9 + [
    "outlook.com",
    "hotmail.com",
    "yahoo.com",
    "icloud.com",
    "googlemail.com",
    "proton.me",
]
LOCAL_MAILBOXES: dict[str, list[str]] = {
    "in": ["yahoo.co.in", "rediffmail.com"],
    "de": ["web.de", "gmx.de"],
    "cn": ["qq.com", "163.com"],
    "fr": ["orange.fr"],
}
DEGREES: tuple[tuple[str, str], ...] = (
    ("B.Tech", "Bachelor of Technology - BTech"),
    ("B.E.", "Bachelor of Engineering - BE"),
    ("BSc", "Bachelor of Science - BS"),
    ("BA", "Bachelor of Arts - BA"),
    ("B.Com", "Bachelor of Commerce - BCom"),
    ("MBA", "Master of Business Administration - MBA"),
    ("M.Tech", "Master of Technology - MTech"),
    ("MSc", "Master of Science - MS"),
    ("PhD", "Doctor of Philosophy - PhD"),
)
FIELDS = (
    "Computer Science",
    "Mechanical Engineering",
    "Electronics and Communication",
    "Economics",
    "Marketing",
    "Finance",
    "Statistics",
    "Psychology",
    "Pharmacy",
    "Industrial Design",
    "Civil Engineering",
    "Information Technology",
)
CERTIFICATES = (
    "AWS Certified Solutions Architect – Associate",
    "Certified ScrumMaster (CSM)",
    "Google Analytics Certification",
    "PMP® Project Management Professional",
    "Lean Six Sigma Green Belt",
    "CFA Level II Candidate",
    "Microsoft Certified: Azure Fundamentals",
    "HubSpot Inbound Marketing",
    "SHRM-CP",
    "Good Clinical Practice (GCP)",
)
LANGUAGES: tuple[tuple[str, str], ...] = (
    ("English", "FULL_PROFESSIONAL"),
    ("Hindi", "NATIVE_OR_BILINGUAL"),
    ("German", "ELEMENTARY"),
    ("French", "LIMITED_WORKING"),
    ("Spanish", "PROFESSIONAL_WORKING"),
    ("Mandarin Chinese", "NATIVE_OR_BILINGUAL"),
    ("Arabic", "NATIVE_OR_BILINGUAL"),
    ("Portuguese", "PROFESSIONAL_WORKING"),
)
ATTITUDES = [
    "I enjoy turning vague problems into things that work.",
    "Known for calm delivery under pressure and for writing things down.",
    "I care about people first and about numbers right after.",
    "Looking for teams that value ownership and plain speaking.",
]
