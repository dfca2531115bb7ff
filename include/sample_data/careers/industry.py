"""Role families of care, goods and their design."""

from __future__ import annotations

from sample_data.careers.career import career

HEALTH = career(
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
)


LOGISTICS = career(
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
)


ENGINEERING = career(
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
)


DESIGN = career(
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
)
