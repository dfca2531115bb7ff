"""Role families of technology."""

from __future__ import annotations

from sample_data.careers.career import career

SOFTWARE = career(
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
)


DATA = career(
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
)
