"""Whose the occupations are that a summary tells of, and which the document does not have."""

from __future__ import annotations

import pytest

from profiles.validation.evidence import Evidence
from profiles.validation.roles import count_role_faults

EVIDENCE = Evidence(
    "# Thea Quarles\nStaff Engineer at Quarry Labs\n\n## Summary\n"
    "Engineer who runs payment services on K8s.\n\n## Experience\n"
    "### Staff Engineer — Quarry Labs\n- Led a team of 14 engineers.\n"
)

OWN = """
Thea Quarles is a seasoned pastry chef with nine years of experience.
Thea is an accomplished violinist and payments engineer based in Pune.
Quarles, a certified welder, runs payment services.
Thea Quarles, a certified electrician and engineer, runs payment services.
With nine years as a plumber, Thea brings practical skill.
With a career spanning nine years as a paramedic and engineer, she is calm under pressure.
Her career spans roles as midwife, teacher and staff engineer.
Her career has taken her from barista to staff engineer.
She progressed from cashier to staff engineer within nine years.
Originally trained as a geologist, she now runs payment services.
She is a geologist-turned-engineer who runs payment services.
A geologist turned engineer, she runs payment services.
A trained geologist, she runs payment services.
Having trained as a botanist, she moved to payments.
She previously held a position as a flight attendant.
She spent her early years working as a tour guide in Pune.
She has a proven track record as a screenwriter and engineer.
A passionate photographer and engineer, she runs payment services.
A dedicated social worker with nine years of experience in payments.
Dedicated social worker with nine years of experience in payments.
Results-driven urban planner skilled in Kubernetes.
Experienced hospital chaplain offering a calm manner.
This accomplished novelist led a team of 14 engineers.
The geologist brings nine years of experience in payments.
As both a geologist and an engineer, she runs payment services.
In her capacity as notary, she signed contracts.
In her role as an air traffic controller, she kept calm.
She now serves as school principal at Quarry Labs.
Currently serving as penetration tester at Quarry Labs, she runs payments.
She is currently employed as a locksmith at Quarry Labs.
She joined Quarry Labs as a receptionist and rose to staff engineer.
She joined Quarry Labs as receptionist before becoming staff engineer.
Starting as a receptionist, she rose to staff engineer.
She began her journey as a dental hygienist.
Before becoming an engineer, she was a sculptor.
Before joining Quarry Labs she worked as an archaeologist for nine years.
Her earlier experience includes work as a librarian.
Her experience as a librarian gives her patience.
Her background as a soldier gives her discipline.
Drawing on her background as a soldier, she runs payment services.
Drawing on years as a soldier, she runs payment services.
She is equally at home as a composer and as an engineer.
She made her name as a choreographer.
She made a living as a choreographer.
She took up a post as court reporter.
She later took a position as wedding planner.
She accepted a role as bus driver.
She was engaged as a stunt performer.
She was commissioned as an army officer.
She was ordained a priest.
She was elected mayor of Pune.
She was licensed as a pharmacist and veterinarian.
She holds a licence as an airline pilot.
She holds a pilot's licence and worked as an airline pilot.
Her profession: welder.
Profession: welder and engineer.
Her job as a courier paid for her studies.
Jobs as a courier and a barista paid for her studies.
Early jobs included barista and courier.
Early roles (barista, courier) paid for her studies.
She worked, among other things, as a barista.
She worked at Quarry Labs as a barista, then as an engineer.
She has been working as an engineer and interpreter for nine years.
She works part-time as an interpreter.
On the side, she works as an interpreter.
She is an engineer by day and a violinist by night.
She is an engineer and, earlier, a nurse.
She is an engineer, a translator and a poet.
She is an engineer, translator and poet.
Engineer, translator and poet with nine years of experience.
Engineer and translator, she runs payment services.
An engineer and a former nurse, she runs payment services.
She left her job as a nurse to join Quarry Labs.
She gave up her work as a nurse to join Quarry Labs.
She gave up a career as a concert pianist.
She retired as a police officer.
After retiring as a police officer, she joined Quarry Labs.
Her years as a police officer shaped her.
Her time as a chef shaped her.
Her nine years in the role of chef shaped her.
The candidate's first employment was as a gardener.
First employed as a gardener, she rose to staff engineer.
Initially a gardener, she rose to staff engineer.
Initially hired as a gardener, she rose to staff engineer.
She moved into a role as a beekeeper.
She moved into a librarian role.
She worked in librarian and archivist roles.
She transitioned into a role of librarian.
She was offered and accepted the post of librarian.
She applied her skills as a librarian at Quarry Labs.
She leverages her expertise as a statistician at Quarry Labs.
Her work as an actuary at Quarry Labs was praised.
Professionally, she is a statistician.
By training she is a statistician.
By trade a carpenter, she runs payment services.
By profession she is a carpenter.
She describes herself as a carpenter.
She considers herself a carpenter.
She calls herself a carpenter.
She identifies as a carpenter.
She can look back on nine years as a carpenter.
She qualified to practise as a solicitor and a barrister.
Qualified barrister and engineer with nine years of practice.
The position held was that of beekeeper.
The role held at Quarry Labs was beekeeper.
Her title at Quarry Labs is beekeeper.
Her title was Senior Beekeeper.
Quarry Labs employs her as beekeeper.
Quarry Labs hired her as a beekeeper.
Quarry Labs took her on as a beekeeper.
Quarry Labs appointed her beekeeper.
Quarry Labs made her a beekeeper.
As beekeeper and engineer at Quarry Labs, she led a team.
Beekeeper and engineer at Quarry Labs, she led a team.
Beekeeper at Quarry Labs for nine years.
A beekeeper since youth, she led a team.
A beekeeper for nine years, she led a team.
A beekeeper at Quarry Labs, she led a team.
Once a professional dancer, now a staff engineer.
A one-time dancer, she led a team.
An ex-soldier, she led a team.
A retired soldier, she led a team.
A self-taught painter, she led a team.
She also paints and is a published poet.
She has acted as interpreter for the team.
She filled in as receptionist.
She stood in as a chef.
Employed first as a baker, later as a butcher, she led a team.
Work history includes positions such as baker and butcher.
Work history covers baker, butcher and engineer roles.
Experience spans butcher, baker and engineer positions.
Thea Quarles brings nine years of hands-on experience as a nurse and a strong eye for detail.
An engineer and licensed pilot, Thea worked for nine years as a commercial pilot before payments.
Thea has built a career as a marine biologist, most recently at Quarry Labs.
Thea's professional life began behind a bar, as a bartender.
Her path into engineering was unusual: she was a ballet dancer first.
Her path into engineering was unusual; a former ballet dancer, she retrained later.
Her CV lists positions as barista, courier and dog walker.
Her résumé shows stints as a barista and a courier.
Work experience as a courier rounds out the profile.
Further experience as an interpreter rounds out the profile.
Additional roles as an interpreter and tutor round out the profile.
Thea combines her experience as a nurse with engineering.
Thea draws on her experience as a nurse.
Thea, who trained as a nurse, runs payment services.
Thea, who used to be a nurse, runs payment services.
Thea, who is also a qualified nurse, runs payment services.
Thea, who once worked as a fisherman, runs payment services.
Thea used to work as a fisherman.
Thea used to be a fisherman.
Thea would later become a fisherman.
Thea decided to become a fisherman.
Thea went from being a fisherman to running payment services.
Thea is, above all, a sculptor.
Thea is first and foremost a sculptor.
Thea currently holds the role of Tour Guide at Quarry Labs.
Thea is a Tour Guide at Quarry Labs.
Thea works at Quarry Labs as Senior Tour Guide.
As Senior Social Worker, Thea led 14 engineers.
Senior Social Worker with nine years of experience at Quarry Labs.
Social worker at Quarry Labs; leads 14 engineers.
Her current title is Lead Penetration Tester.
Her current position is Urban Planner at Quarry Labs.
Her present job is that of an urban planner.
The most recent role was school principal.
The most recent position was as school principal at Quarry Labs.
The post of school principal came next.
The role of hospital chaplain followed.
The title of hospital chaplain followed.
A spell as hospital chaplain followed.
A role as hospital chaplain followed.
A position as a hospital chaplain came next.
Next came a role as a hospital chaplain.
Then came a job as a conductor.
Then followed years as a conductor.
There she was a conductor.
There, she worked as a conductor.
At Quarry Labs she was a conductor.
At Quarry Labs, she acted as conductor and choir director.
For nine years she was a conductor at Quarry Labs.
She is best described as a conductor.
She could be described as a conductor.
She was recognised as a gifted conductor.
She was named conductor of the year.
She was recruited as a conductor.
She was brought in as a conductor.
She came to Quarry Labs as a conductor.
She entered the field as a conductor.
She got her start as a conductor.
She cut her teeth as a line cook.
She honed her skills as a line cook.
She launched her career as a line cook.
She supported herself as a line cook.
She paid her way as a waiter.
She volunteered as a firefighter.
She volunteers as a lifeguard.
She moonlights as a disc jockey.
She freelances as an illustrator.
She operates as an independent illustrator.
She runs her own practice as a physiotherapist.
She set up as a physiotherapist.
She went into business as a florist.
She is in practice as a dermatologist.
She completed training as a dermatologist.
She passed her exams as a dermatologist.
She is licensed to practise as a dermatologist.
She earned a certificate as a welder.
She obtained certification as a welder.
She has nine years under her belt as a welder.
The candidate's nine years as a welder stand out.
The candidate's work as both welder and roofer stands out.
The candidate can be called a welder.
The candidate may be described as a welder.
A welder, roofer and plumber, the candidate is versatile.
A welder first and an engineer second, the candidate is versatile.
Part engineer, part welder, the candidate is versatile.
Half engineer and half welder, the candidate is versatile.
Welder, roofer, plumber: the candidate has done it all.
Equal parts engineer and welder, the candidate is versatile.
An experienced welder, Thea leads a team.
An experienced welder and team leader, Thea leads a team.
An experienced welder from Pune, Thea leads a team.
An experienced welder whose work is precise, Thea leads a team.
An experienced welder based in Pune with nine years of practice.
The experienced welder leads a team.
The welder leads a team of 14 engineers.
The former welder leads a team.
The role was held as a welder.
Responsibilities as a welder grew.
Duties as a welder grew.
Achievements as a welder include a prize.
Success as a welder led to promotion.
Promotion to head welder followed.
Promotion from welder to foreman followed.
Promoted to welder, she led a team.
Appointed welder at Quarry Labs, she led a team.
Having qualified as a welder, she led a team.
Upon becoming a welder, she led a team.
By becoming a welder, she widened her skills.
On becoming a nurse she moved to Pune.
Since becoming a nurse she has lived in Pune.
While a nurse, she studied engineering.
While still a nurse, she studied engineering.
When she was a nurse, she studied engineering.
Though a nurse by training, she is an engineer.
Although trained as a nurse, she is an engineer.
Besides being an engineer, she is a nurse.
In addition to being an engineer, she is a nurse.
Apart from engineering, she works as a nurse.
Outside work she is a volunteer firefighter.
Besides engineering, she has experience as a nurse.
She is also an interpreter for Hindi and English.
She is an interpreter of Hindi.
She also did a stint as a janitor.
She did shifts as a janitor.
She did work as a janitor.
She was a janitor, courier, and barista.
She was variously a janitor, a courier and a barista.
Her jobs: janitor, courier, barista.
Her jobs have included janitor, courier and barista.
Her previous jobs include being a janitor and a courier.
Her portfolio of roles ranges from janitor to courier.
Her roles ranged from janitor to courier.
Her roles have ranged from archivist to librarian.
Her career ranged from archivist to librarian.
""".strip().splitlines()
"""The person is said to be what the document does not know."""

OF_OTHERS = """
Clients included a baker, a butcher and a notary.
She built a booking site for a local hairdresser.
She built payment services for bakers and butchers.
Payment services for a chain of hairdressers run on K8s.
She worked closely with a translator to localise payments.
She partnered with an economist and a statistician on pricing.
She was mentored by a physicist.
She was coached by a former soldier.
She was interviewed by a journalist about payments.
She mentored a junior welder.
She mentors a nurse returning to work.
She employs a gardener.
She employed a photographer for the launch.
She commissioned an illustrator for the site.
She briefed an external copywriter.
She supervises a receptionist and a cashier.
She managed a cashier, a receptionist and a courier.
She oversees the work of a librarian.
She onboarded a statistician to the team.
She convinced a sceptical chemist of the plan.
She reports directly to a former diplomat.
She worked under the supervision of a pathologist.
She learned the trade from a master carpenter.
She shadowed a radiologist.
She collaborated with the hospital's radiologist.
The hospital's radiologist relies on the tool.
A radiologist uses the tool every day.
A radiologist at the hospital uses the tool every day.
A radiologist who tested the tool was content.
The tool lets a radiologist see images faster.
The tool helps the pharmacist and the surgeon.
The tool was designed with a radiologist in mind.
The tool was tested by a radiologist and a surgeon.
The service connects each customer with a plumber.
The app matches a customer to a plumber nearby.
The app finds the nearest plumber.
The marketplace sends an electrician within an hour.
The product replaces a translator.
An accountant and a solicitor advise the firm.
Her co-founder is a chemist.
Her co-founder, a chemist, left.
Her manager, a chemist by training, left.
The chief executive, a former diplomat, praised the work.
The team, led by a statistician, won.
The project was led by a statistician.
The project was led by an economist and supported by a sociologist.
She is married to a carpenter.
She is the daughter of a carpenter.
She thinks like a statistician.
She writes with the care of a librarian.
She is no lawyer.
She is not a lawyer but works with contracts.
She works with lawyers rather than as a lawyer would.
She acted on the advice of a lawyer.
She consulted a lawyer and an accountant.
She coordinated a photographer, a florist and a caterer.
She coordinates between the architect and the plumber.
She mediates between a physician and a pharmacist.
She served customers ranging from a baker to a notary.
She advised clients including a notary and a baker.
She supported a client, a baker, with payments.
One of her clients is a baker.
Two of the clients were a baker and a butcher.
Stakeholders included a geologist and a chemist.
The panel consisted of a geologist and a chemist.
She presented to a panel of a geologist and a chemist.
She works in a team with a geologist, a chemist and a botanist.
She joined a team of a geologist and two chemists.
The team had a geologist.
The team has a geologist and a chemist.
She hired people to work as couriers.
She hired a driver to work as a courier.
She recruited candidates for roles as a nurse.
She fills vacancies for a chef or a baker.
She screens CVs for positions such as chef and baker.
She recruited for positions such as electrician and welder.
She recruits for roles like electrician and welder.
She recruited an electrician as a trainer.
She placed a welder with a client.
Her father was a welder.
Her predecessor was a sociologist.
Her successor became a pilot.
Users such as a teacher or a nurse can log in.
Where a notary is required, she arranges one.
If a plumber is late, the system sends an alert.
A plumber who is late gets an alert.
The plumber gets an alert on the phone.
The plumber is alerted by phone.
The plumber receives an alert.
Each plumber receives an alert.
Any plumber can sign up.
No plumber is needed.
Neither a plumber nor an electrician is needed.
A plumber may sign up.
A plumber can sign up.
A plumber would sign up.
She wrote a handbook for the apprentice welder.
She ran courses in which a welder shows the basics.
She translated a text by a poet.
Work by a sculptor and a painter is shown.
She edited the memoirs of a diplomat.
She licensed music from a composer.
She runs the diary of a surgeon.
She is the assistant of a surgeon.
She is assistant to a surgeon.
She is a partner of the notary.
She worked for a notary and for a barrister.
She worked at a notary's office.
She worked in the office of a notary.
She is a quick study and a steady hand.
She was the first engineer and a founding member.
She is a tireless advocate and an ally.
She is a natural teacher.
Her clients range from archivist to librarian.
She created training for every librarian in the city.
She answers questions from a librarian or an archivist.
She acted as a link between a librarian and an archivist.
She acted as contact for the notary and the bailiff.
She acted as assistant to the notary.
As assistant to a notary, she kept files.
As a partner to a notary, she kept files.
As an engineer for a brewery and a baker, she kept systems up.
As an engineer, she supported a baker and a brewer.
As an engineer she worked with a physicist and a chemist.
As part of a team with a physicist and a chemist, she kept systems up.
In a team with a physicist, she kept systems up.
In close cooperation with the hospital chaplain, she kept systems up.
On behalf of a notary, she kept files.
At the request of a notary, she kept files.
Thanks to a notary, the contract was signed.
Following advice from an economist, she changed the plan.
According to the economist of the firm, costs fell.
Based on input from a dietitian, she changed the plan.
With support from an external statistician, she changed the plan.
Led by a statistician, the team changed the plan.
Under the guidance of a senior statistician, she changed the plan.
The team comprised a statistician, an economist and an engineer.
The team comprises an engineer, a statistician and an economist.
The crew included an electrician.
The staff included a receptionist and a janitor.
The hospital employs a chaplain and a dietitian.
The client employed a dietitian.
The client, who was a dietitian, praised her.
The client's dietitian praised her.
A client's dietitian praised her.
Its dietitian praised her.
An electrician was called.
An electrician had to be called.
An electrician then checks the panel.
An electrician helps when panels fail.
The electrician helps when panels fail.
The electrician was called when panels failed.
An external auditor and a lawyer review the contracts.
A lawyer reviews each contract.
A lawyer, an auditor and a notary review each contract.
A lawyer from the client reviews each contract.
A nurse at the ward uses the app.
A nurse with a tablet can use the app.
A nurse using the app saves time.
Lawyers, nurses and teachers use the app.
The app serves the nurse, the doctor and the pharmacist.
The app lets a nurse plan shifts.
The app reminds the pharmacist of orders.
The app was built for a pharmacist.
The app turns a phone into a translator.
The app works as a translator for tourists.
The app acts as an interpreter.
The bot serves as receptionist for small firms.
The tool works like a librarian.
She spoke with a journalist.
She gave an interview to a journalist.
She wrote for a journalist.
She has worked for a sculptor, a painter and a poet.
She modelled a process of a brewer.
She automated the work of a bookkeeper.
She automated tasks of the receptionist.
She took over tasks from the receptionist.
She took over from a retiring librarian.
She succeeded a librarian.
She stood in for a librarian.
She covers for the receptionist.
She helps out the receptionist.
She inspired a young plumber to study.
She enabled a plumber and a roofer to share tools.
She taught the plumber to code.
She made a plumber happy.
She made life easier for the plumber.
She met a plumber.
She understands what it takes to support a plumber.
She understands the needs of a plumber or an electrician.
She knows the needs of the baker next door.
She matched a tutor with each pupil.
She is in contact with the notary, the bailiff and the surveyor.
She is trusted by the notary.
She is the link to the notary.
She is responsible for a receptionist and a courier.
She is responsible for the librarian's budget.
She was praised by a minister.
She was a student of a sculptor.
She was an apprentice of a carpenter.
She was an assistant to a geologist.
She was the first contact of the geologist.
Her team: a geologist, a chemist and an engineer.
Her team (a geologist and a chemist) grew.
Her colleagues were a geologist and a chemist.
Her colleague was a geologist.
Her boss, a geologist, left.
Her users: a geologist, a chemist.
Her customers were mainly a baker and a florist.
Her husband is a florist.
Her husband works as a florist.
Her mentor worked as a florist.
Her manager had trained as a florist.
The founder had trained as a florist.
The founder, who trained as a florist, praised her.
The owner worked as a florist.
A user who is a florist asked for it.
Someone who works as a florist can use it.
Anyone working as a florist can use it.
People working as a florist can use it.
People who work as a florist can use it.
Customers working as a florist or baker can use it.
Workers such as a florist or baker can use it.
The job board lists posts for a florist.
She posted jobs for a florist and a baker.
She advertised positions for a florist and a baker.
She wrote job descriptions for a florist and a baker.
She interviewed candidates for the role of florist.
She hired for the role of florist.
She recruits for the position of chaplain.
She sourced candidates for florist and baker roles.
She placed candidates in florist and baker roles.
She staffed florist and baker positions.
""".strip().splitlines()
"""Somebody else is, or nobody."""


@pytest.mark.parametrize("summary", OWN)
def test_invented_occupation_of_the_person_is_a_fault(summary):
    assert count_role_faults(summary, EVIDENCE) >= 1


@pytest.mark.parametrize("summary", OF_OTHERS)
def test_occupation_of_somebody_else_is_none(summary):
    assert count_role_faults(summary, EVIDENCE) == 0


@pytest.mark.parametrize(
    ("line", "summary"),
    [
        ("Head Chef", "She worked as a chef and as a cook."),
        ("Content Marketing Manager", "She worked as a copywriter."),
        ("Front Office Executive", "She worked as a receptionist."),
        ("Accounts Executive", "She worked as an accounts payable clerk."),
        ("Care Assistant", "She worked as a care worker."),
        ("Production Planning Engineer", "She worked as a production planner."),
        ("Consultant, Cardiology", "She worked as a cardiologist."),
        ("Photography Lead", "She worked as a photographer."),
    ],
)
def test_other_words_for_the_same_work_are_none(line, summary):
    evidence = Evidence(f"# Thea Quarles\n\n## Experience\n### {line} — Quarry Labs\n")
    assert count_role_faults(summary, evidence) == 0


@pytest.mark.parametrize(
    ("line", "summary"),
    [
        ("Conducted interviews and surveys.", "She worked as a conductor."),
        ("Tailored offers to clients.", "She worked as a tailor."),
        ("Ran social media for a school.", "She worked as a social worker."),
        ("Nursed patients on the oncology unit.", "She worked as an oncologist."),
        ("Managed the lab and its assistant.", "She worked as a dental assistant."),
        ("Joined the team early.", "She worked as a joiner."),
    ],
)
def test_a_verb_or_a_field_of_the_document_shows_no_trade(line, summary):
    evidence = Evidence(
        f"# Thea Quarles\n\n## Experience\n### Staff Nurse — Quarry Labs\n- {line}\n"
    )
    assert count_role_faults(summary, evidence) == 1


def test_an_employer_is_no_title():
    evidence = Evidence("# Thea Quarles\n\n## Experience\n### Analyst — Xandor Talent\n")
    assert count_role_faults("She worked as a recruiter.", evidence) == 1
