"""Careers: title ladders, skills with their aliases, and phrases of job descriptions.

Placeholders in phrases ({p}, {m}, …) are filled with numbers from `VALUES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from profiles.sample.industries import INDUSTRY_NUMBER
from profiles.sample.snapshot import Chance

Phrase = tuple[str, list[tuple[Callable[[Chance], str], str]]]
"""A text, then (value maker, following text) for every placeholder."""

VALUES: dict[str, Callable[[Chance], str]] = {
    "p": lambda r: str(5 + int(r() * 60)),
    "m": lambda r: (
        "$€₹£"[int(r() * 4)] + str(1 + int(r() * 40)) + ("M", "0K", " Cr", "0k")[int(r() * 4)]
    ),
    "q": lambda r: str(2 + int(r() * 7)),
    "a": lambda r: str(5 + int(r() * 30)),
    "b": lambda r: str(60 + int(r() * 39)),
    "k": lambda r: str(20 + int(r() * 900)),
    "c": lambda r: str(2 + int(r() * 14)),
    "h": lambda r: str(10 + int(r() * 300)),
    "d": lambda r: str(1 + int(r() * 4)),
    "n": lambda r: str(2 + int(r() * 18)),
}


def _phrase(text: str) -> Phrase:
    first, *rest = text.split("{")
    return first, [(VALUES[part[0]], part[2:]) for part in rest]


def fill(phrase: Phrase, chance: Chance) -> str:
    """The phrase with a fresh number in every placeholder."""
    text, rest = phrase
    for make, following in rest:
        text += make(chance) + following
    return text


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines())


RESULTS = _lines(
    """
    cutting cycle time by {p}%
    which reduced cost by {m} over {q} quarters
    raising adoption from {a}% to {b}%
    for {k} customers across {c} countries
    saving roughly {h} hours a month
    with zero severity-1 incidents in {q} quarters
    and brought the error rate below {d}%
    within {q} months of joining
    ahead of the agreed deadline and {p}% under budget
    used daily by {k} people
    lifting customer satisfaction to {b}%
    and presented the outcome to the leadership team
    """
)
_TAILS = tuple(
    line[1:]
    for line in """
|; worked with product, legal and support to agree scope and rollout.
|; documented the approach and trained {n} colleagues to run it.
| while keeping the existing process running for {k} users.
|, after a pilot with {c} teams showed the idea held up.
|; reported progress to the steering committee every {q} weeks.
| and handed it over with runbooks, alerts and a support rota.
|, replacing spreadsheets and manual checks that took {h} hours a month.
|; handled vendor selection, contract and roll-out end to end.
| and hired {n} people to keep it going.
|, starting from a blank page and a budget of {m}.
""".strip().splitlines()
)


@dataclass(frozen=True, slots=True)
class Career:
    """One role family. `titles` go from intern to head; a skill is (canonical, alias, …)."""

    industries: tuple[int, ...]
    titles: tuple[str, ...]
    skills: tuple[tuple[str, ...], ...]
    openings: tuple[Phrase, ...]
    short_endings: tuple[Phrase, ...]
    long_endings: tuple[Phrase, ...]
    introductions: tuple[str, ...]


def _career(
    *, industries: str, titles: str, skills: str, verbs: str, objects: str, manners: str
) -> Career:
    things, ways = _lines(objects), _lines(manners)
    return Career(
        industries=tuple(INDUSTRY_NUMBER[label] for label in _lines(industries)),
        titles=_lines(titles),
        skills=tuple(tuple(line.split("=")) for line in _lines(skills)),
        openings=tuple(
            _phrase(f"{verb} {thing} {way}, ")
            for verb in _lines(verbs)
            for thing in things
            for way in ways
        ),
        short_endings=tuple(_phrase(f"{result}.") for result in RESULTS),
        long_endings=tuple(_phrase(result + tail) for result in RESULTS for tail in _TAILS),
        introductions=tuple(f"Responsible for {thing} {way}." for thing in things for way in ways),
    )


CAREERS: tuple[Career, ...] = (
    _career(
        industries="""
            Computer Software
            Internet
            Information Technology & Services
            Financial Services
        """,
        titles="""
            Software Engineering Intern
            Software Engineer
            Software Engineer II
            Senior Software Engineer
            Staff Software Engineer
            Engineering Manager
            Principal Engineer
            Director of Engineering
        """,
        skills="""
            Python=python3=Python (Programming Language)
            JavaScript=JS=Javascript=ECMAScript
            TypeScript=TS
            React=React.js=ReactJS
            Node.js=NodeJS=Node
            PostgreSQL=Postgres=psql
            Kubernetes=K8s
            Amazon Web Services (AWS)=AWS
            Docker=docker
            Go=Golang
            Java=Core Java
            Spring Boot=SpringBoot
            Redis=redis
            Apache Kafka=Kafka
            Terraform=terraform
            GraphQL=graphql
            C++=CPP
            C#=C Sharp
            .NET=dotnet=.Net Core
            Vue.js=VueJS=Vue
            MongoDB=Mongo
            Git=git
            REST APIs=RESTful APIs=REST
            Microservices=Micro services
            CI/CD=Continuous Integration
        """,
        verbs="""
            Designed
            Built
            Rewrote
            Owned
            Migrated
            Scaled
            Led the design of
            Shipped
            Maintained
            Re-architected
        """,
        objects="""
            the checkout and payment services
            a multi-tenant billing platform
            the event ingestion pipeline
            internal developer tooling
            the search and ranking service
            a React component library
            the authentication and permissions layer
            batch jobs processing partner feeds
            the mobile API gateway
            a legacy PHP monolith into services
        """,
        manners="""
            using Python and PostgreSQL
            on Kubernetes and Terraform
            with Kafka and Redis
            in Go with gRPC
            together with a team of {n} engineers
            behind feature flags
            with full test coverage and tracing
            in TypeScript and Node.js
        """,
    ),
    _career(
        industries="""
            Information Technology & Services
            Computer Software
            Internet
            Banking
        """,
        titles="""
            Data Analyst Intern
            Data Analyst
            Data Engineer
            Senior Data Engineer
            Data Scientist
            Senior Data Scientist
            Analytics Manager
            Head of Data
        """,
        skills="""
            SQL=sql=Structured Query Language
            Python=python
            Apache Spark=PySpark=Spark
            Apache Airflow=Airflow
            dbt=DBT
            Snowflake=Snowflake Cloud
            Tableau=tableau
            Power BI=PowerBI=Microsoft Power BI
            Machine Learning=ML
            scikit-learn=sklearn
            TensorFlow=tensorflow
            Pandas=pandas
            Statistics=Statistical Analysis
            A/B Testing=AB testing
            BigQuery=Google BigQuery
            Data Modeling=Data Modelling
            ETL=ETL Pipelines
            Looker=looker
        """,
        verbs="""
            Modelled
            Automated
            Built
            Owned
            Forecast
            Delivered
            Redesigned
            Led
        """,
        objects="""
            the customer churn model
            a lakehouse of {k} tables
            daily revenue reporting
            the experimentation platform
            data quality checks for finance
            a feature store for risk scoring
            self-service dashboards for sales
            the demand forecasting pipeline
        """,
        manners="""
            with Airflow and dbt
            in Spark on a {n}-node cluster
            with Snowflake and Looker
            in Python and scikit-learn
            working with {n} product squads
            under strict privacy rules
        """,
    ),
    _career(
        industries="""
            Marketing & Advertising
            Internet
            Consumer Goods
            Public Relations & Communications
        """,
        titles="""
            Marketing Intern
            Marketing Executive
            Digital Marketing Specialist
            Content Marketing Manager
            Senior Marketing Manager
            Growth Lead
            Head of Marketing
            Chief Marketing Officer
        """,
        skills="""
            SEO=Search Engine Optimization=Search Engine Optimization (SEO)
            SEM=Search Engine Marketing
            Google Analytics=GA4
            HubSpot=Hubspot CRM
            Content Strategy=Content Marketing
            Email Marketing=email campaigns
            Copywriting=Copy Writing
            Meta Ads=Facebook Ads
            Brand Management=Branding
            Marketing Automation=Marketo
            Social Media Marketing=SMM
            Canva=canva
            Market Research=market research
            Public Relations=PR
        """,
        verbs="""
            Planned
            Launched
            Ran
            Grew
            Relaunched
            Managed
            Wrote
            Localised
        """,
        objects="""
            a {c}-country product launch
            the paid acquisition programme
            the organic search programme
            the quarterly campaign calendar
            lifecycle email journeys
            an annual budget of {m}
            the brand guidelines and website
            a webinar series with partners
        """,
        manners="""
            across search, social and email
            with {n} freelancers and two agencies
            on HubSpot and Google Analytics
            with the product and sales teams
            in {c} languages
            on a limited budget
        """,
    ),
    _career(
        industries="""
            Financial Services
            Banking
            Insurance
            Accounting
            Venture Capital & Private Equity
        """,
        titles="""
            Audit Intern
            Accounts Executive
            Financial Analyst
            Senior Financial Analyst
            Finance Manager
            Senior Manager - Finance
            Financial Controller
            VP Finance
        """,
        skills="""
            Financial Analysis=Financial Analytics
            Financial Modeling=Financial Modelling
            Microsoft Excel=MS Excel=Excel=Advanced Excel
            SAP FICO=SAP FI/CO=SAP
            IFRS=International Financial Reporting Standards
            US GAAP=GAAP
            Budgeting=Budgeting & Forecasting
            Internal Audit=Auditing
            Taxation=Direct Tax
            Tally ERP=Tally
            Risk Management=risk mgmt
            Accounts Payable=AP
            Valuation=Company Valuation
            Power BI=PowerBI
        """,
        verbs="""
            Prepared
            Owned
            Closed
            Reviewed
            Consolidated
            Led
            Automated
            Audited
        """,
        objects="""
            monthly management accounts
            the annual budget of {m}
            statutory filings for {n} entities
            the credit risk model
            vendor and treasury payments
            the order-to-cash process
            investor reporting packs
            the SAP migration for finance
        """,
        manners="""
            under IFRS and local GAAP
            across {c} subsidiaries
            with external auditors
            with a team of {n} analysts
            in SAP and Excel
            with the tax advisers
        """,
    ),
    _career(
        industries="""
            Hospital & Health Care
            Pharmaceuticals
            Medical Devices
            Biotechnology
        """,
        titles="""
            Clinical Intern
            Staff Nurse
            Pharmacist
            Clinical Research Associate
            Senior Clinical Research Associate
            Clinical Project Manager
            Nurse Manager
            Medical Affairs Director
        """,
        skills="""
            Patient Care=patient care
            Clinical Trials=Clinical Research
            GCP=Good Clinical Practice
            Pharmacovigilance=Drug Safety
            Electronic Medical Records=EMR=EHR
            Medication Therapy Management=MTM
            BLS=Basic Life Support
            Regulatory Affairs=RA
            Medical Writing=medical writing
            Infection Control=infection prevention
            Case Management=case mgmt
            HIPAA=HIPAA Compliance
        """,
        verbs="""
            Coordinated
            Monitored
            Supervised
            Reviewed
            Delivered
            Trained
            Led
            Audited
        """,
        objects="""
            care for up to {n} patients per shift
            phase II and III trial sites
            medication reconciliation at discharge
            adverse event reporting
            a vaccination programme
            the ward rota and handover process
            protocol amendments and ethics submissions
            patient education clinics
        """,
        manners="""
            across {c} hospitals
            with physicians and pharmacists
            under GCP and local regulation
            with a team of {n} nurses
            in the electronic record system
            for an oncology unit
        """,
    ),
    _career(
        industries="""
            Staffing & Recruiting
            Human Resources
            Information Technology & Services
        """,
        titles="""
            HR Intern
            Recruiter
            Technical Recruiter
            Senior Talent Acquisition Specialist
            HR Business Partner
            Talent Acquisition Manager
            HR Director
            Chief People Officer
        """,
        skills="""
            Recruiting=Recruitment=Talent Acquisition
            Sourcing=Candidate Sourcing
            Boolean Search=boolean
            Applicant Tracking Systems=ATS
            Employee Relations=ER
            Onboarding=Employee Onboarding
            Payroll=Payroll Processing
            Performance Management=performance mgmt
            Workday=Workday HCM
            LinkedIn Recruiter=Linkedin recruiter
            HR Policies=HR policy
            Stakeholder Management=stakeholder mgmt
        """,
        verbs="""
            Hired
            Sourced
            Ran
            Rolled out
            Redesigned
            Partnered on
            Managed
            Introduced
        """,
        objects="""
            {k} engineers and analysts
            the campus hiring programme
            structured interviews for {n} teams
            a new applicant tracking system
            the onboarding journey
            compensation bands for {c} locations
            the annual engagement survey
            vendor and agency contracts
        """,
        manners="""
            across {c} countries
            with {n} hiring managers
            within a fixed headcount plan
            on Workday
            through referrals and communities
            with legal and finance
        """,
    ),
    _career(
        industries="""
            Logistics & Supply Chain
            Retail
            Automotive
            Consumer Goods
            Food & Beverages
        """,
        titles="""
            Operations Trainee
            Warehouse Supervisor
            Supply Chain Analyst
            Operations Manager
            Senior Operations Manager
            Supply Chain Manager
            Head of Operations
            VP Operations
        """,
        skills="""
            Supply Chain Management=SCM=Supply Chain
            Inventory Management=inventory mgmt
            SAP MM=SAP Materials Management
            Lean Six Sigma=Six Sigma=Lean
            Procurement=Purchasing
            Vendor Management=supplier management
            Demand Planning=S&OP
            Warehouse Management=WMS
            Logistics=logistics mgmt
            Microsoft Excel=MS Excel=Excel
            Negotiation=Contract Negotiation
            Import/Export=EXIM
        """,
        verbs="""
            Ran
            Set up
            Negotiated
            Reduced
            Led
            Planned
            Consolidated
            Digitised
        """,
        objects="""
            a {k} sq ft distribution centre
            last-mile delivery in {n} cities
            freight contracts worth {m}
            the S&OP cycle for {n} product lines
            supplier onboarding
            cold-chain compliance
            the returns process
            inventory counts and shrinkage
        """,
        manners="""
            with a team of {n} people
            using Lean Six Sigma
            across {c} warehouses
            in SAP
            with third-party carriers
            around the clock
        """,
    ),
    _career(
        industries="""
            Mechanical or Industrial Engineering
            Civil Engineering
            Construction
            Aviation & Aerospace
            Semiconductors
            Electrical & Electronic Manufacturing
            Oil & Energy
        """,
        titles="""
            Graduate Engineer Trainee
            Design Engineer
            Mechanical Engineer
            Senior Design Engineer
            Project Engineer
            Project Manager
            Engineering Lead
            Plant Head
        """,
        skills="""
            AutoCAD=Auto CAD
            SolidWorks=Solid Works
            CATIA=Catia V5
            MATLAB=Matlab
            GD&T=Geometric Dimensioning
            Finite Element Analysis=FEA
            PLC Programming=PLC
            Project Management=PMP
            Quality Assurance=QA
            ISO 9001=ISO9001
            Primavera P6=Primavera
            Root Cause Analysis=RCA
            HVAC=hvac design
        """,
        verbs="""
            Designed
            Commissioned
            Supervised
            Optimised
            Validated
            Led
            Drafted
            Maintained
        """,
        objects="""
            a {n}-station assembly line
            structural drawings for {n} sites
            the turbine test bench
            tooling and fixtures
            preventive maintenance schedules
            vendor qualification for castings
            a {m} plant expansion
            thermal and vibration tests
        """,
        manners="""
            in CATIA and SolidWorks
            under ISO 9001
            with {n} contractors on site
            with the quality and safety teams
            within tight tolerances
            over {q} quarters
        """,
    ),
    _career(
        industries="""
            Design
            Internet
            Computer Software
            Marketing & Advertising
        """,
        titles="""
            Design Intern
            Graphic Designer
            UI/UX Designer
            Product Designer
            Senior Product Designer
            Lead Product Designer
            Design Manager
            Head of Design
        """,
        skills="""
            Figma=figma
            Adobe Photoshop=Photoshop
            Adobe Illustrator=Illustrator
            User Research=UX Research
            Wireframing=Wireframes
            Prototyping=Rapid Prototyping
            Design Systems=design system
            Interaction Design=IxD
            Accessibility=a11y=WCAG
            HTML/CSS=HTML5=CSS3
            After Effects=Adobe After Effects
            Typography=typography
        """,
        verbs="""
            Designed
            Led
            Prototyped
            Researched
            Refreshed
            Documented
            Tested
            Introduced
        """,
        objects="""
            the onboarding flow
            a cross-platform design system
            the checkout redesign
            brand identity and packaging
            a usability programme with {n} interviews
            accessibility fixes for the web app
            dashboards for operations staff
            the mobile navigation
        """,
        manners="""
            in Figma
            with {n} engineers and two product managers
            to WCAG 2.1 AA
            across web, iOS and Android
            over {q} iterations
            with remote user testing
        """,
    ),
    _career(
        industries="""
            Computer Software
            Telecommunications
            Real Estate
            E-Learning
            Insurance
        """,
        titles="""
            Sales Intern
            Business Development Executive
            Account Executive
            Senior Account Executive
            Key Account Manager
            Regional Sales Manager
            Sales Director
            Chief Revenue Officer
        """,
        skills="""
            Sales=B2B Sales=Enterprise Sales
            Lead Generation=lead gen
            Salesforce=Salesforce.com=SFDC
            Account Management=Key Account Management
            Negotiation=negotiations
            CRM=Customer Relationship Management
            Cold Calling=cold outreach
            Sales Operations=sales ops
            Pipeline Management=pipeline
            Business Development=BD
            Presales=Pre-sales
            Forecasting=Sales Forecasting
        """,
        verbs="""
            Closed
            Built
            Managed
            Opened
            Exceeded
            Negotiated
            Coached
            Renewed
        """,
        objects="""
            {m} of new annual revenue
            a territory of {k} accounts
            the partner channel in {c} countries
            quota in {q} of the last quarters
            multi-year contracts with public bodies
            a team of {n} account executives
            the inbound qualification process
            a portfolio of {n} key accounts
        """,
        manners="""
            on Salesforce
            with pre-sales and legal
            through events and outbound
            in a new market
            from first call to signature
            with a consultative approach
        """,
    ),
)
