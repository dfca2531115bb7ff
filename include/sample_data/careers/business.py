"""Role families of offices."""

from __future__ import annotations

from sample_data.careers.career import career

MARKETING = career(
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
)


FINANCE = career(
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
)


RECRUITING = career(
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
)


SALES = career(
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
)
