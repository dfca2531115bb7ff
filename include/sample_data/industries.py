"""LinkedIn industries: label of taxonomy v1, label of v2, and the numeric code both share."""

from __future__ import annotations

INDUSTRIES: tuple[tuple[str, str, str], ...] = tuple(
    (v1, v2, code)
    for v1, v2, code in (
        line.split("|")
        for line in """
Information Technology & Services|IT Services and IT Consulting|96
Computer Software|Software Development|4
Internet|Technology, Information and Internet|6
Marketing & Advertising|Advertising Services|80
Hospital & Health Care|Hospitals and Health Care|14
Management Consulting|Business Consulting and Services|11
Staffing & Recruiting|Staffing and Recruiting|104
Human Resources|Human Resources Services|137
Computer & Network Security|Computer and Network Security|118
Telecommunications|Telecommunications|8
Logistics & Supply Chain|Transportation, Logistics, Supply Chain and Storage|116
Automotive|Motor Vehicle Manufacturing|53
Pharmaceuticals|Pharmaceutical Manufacturing|15
Biotechnology|Biotechnology Research|12
Medical Devices|Medical Equipment Manufacturing|17
E-Learning|E-Learning Providers|132
Higher Education|Higher Education|68
Oil & Energy|Oil and Gas|57
Food & Beverages|Food and Beverage Services|34
Apparel & Fashion|Retail Apparel and Fashion|19
Retail|Retail|27
Insurance|Insurance|42
Banking|Banking|41
Financial Services|Financial Services|43
Accounting|Accounting|47
Law Practice|Law Practice|9
Construction|Construction|48
Civil Engineering|Civil Engineering|51
Mechanical or Industrial Engineering|Industrial Machinery Manufacturing|135
Electrical & Electronic Manufacturing|Appliances, Electrical, and Electronics Manufacturing|112
Semiconductors|Semiconductor Manufacturing|7
Aviation & Aerospace|Aviation and Aerospace Component Manufacturing|52
Hospitality|Hospitality|31
Real Estate|Real Estate|44
Design|Design Services|99
Consumer Goods|Manufacturing|25
Luxury Goods & Jewelry|Retail Luxury Goods and Jewelry|143
Non-profit Organization Management|Non-profit Organizations|100
Environmental Services|Environmental Services|86
Public Relations & Communications|Public Relations and Communications Services|98
Venture Capital & Private Equity|Venture Capital and Private Equity Principals|106
""".strip().splitlines()
    )
)

INDUSTRY_NUMBER = {v1: number for number, (v1, _, _) in enumerate(INDUSTRIES)}
"""Position in `INDUSTRIES` by v1 label."""
