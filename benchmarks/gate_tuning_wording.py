"""Wordings of the tuning half alone: who is said to be what, and who is said to be somebody else.

`{a}`, `{b}` and `{c}` stand for occupations, `{n}` for a name.
"""

from __future__ import annotations


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines())


def _items(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.replace("\n", " ").split(",") if item.strip())


OCCUPATIONS = _items("""
    welder, plumber, electrician, carpenter, bricklayer, roofer, plasterer, glazier, stonemason,
    joiner, locksmith, blacksmith, goldsmith, upholsterer, machinist, boilermaker, toolmaker,
    chef, baker, butcher, pastry chef, waiter, barista, bartender, sommelier, hotel receptionist,
    conductor, composer, violinist, pianist, cellist, opera singer, choreographer, dancer, actor,
    sculptor, landscape painter, illustrator, cartoonist, animator, photographer, cinematographer,
    novelist, poet, playwright, screenwriter, copywriter, proofreader, columnist, translator,
    interpreter, librarian, archivist, museum curator, historian, archaeologist, anthropologist,
    sociologist, economist, statistician, mathematician, physicist, chemist, biochemist, botanist,
    zoologist, marine biologist, geologist, meteorologist, astronomer, ecologist, agronomist,
    veterinarian, midwife, paramedic, physiotherapist, occupational therapist, speech therapist,
    optometrist, optician, dietitian, radiographer, radiologist, cardiologist, anaesthetist,
    psychiatrist, psychologist, dental hygienist, dental assistant, phlebotomist, chiropractor,
    social worker, youth worker, case worker, school principal, headmaster, kindergarten teacher,
    driving instructor, ski instructor, football coach, personal trainer, tour guide,
    mountain guide, travel agent, estate agent, insurance agent, customs officer, police officer,
    prison officer, probation officer, detective, firefighter, soldier, army officer, coastguard,
    airline pilot, helicopter pilot, flight attendant, air traffic controller, train driver,
    bus driver, truck driver, taxi driver, crane operator, ship captain, sailor, fisherman, farmer,
    gardener, forester, beekeeper, florist, jeweller, watchmaker, tailor, dressmaker, hairdresser,
    beautician, hospital chaplain, pastor, notary, barrister, judge, bailiff, court reporter,
    stockbroker, actuary, auctioneer, bank teller, tax inspector, loss adjuster, cashier,
    quantity surveyor, land surveyor, urban planner, town planner, wedding planner,
    penetration tester, game designer, fashion designer, interior designer, costume designer,
    petroleum engineer, aerospace engineer, nuclear engineer, mining engineer, sound engineer,
    film director, television presenter, radio presenter, stunt performer, lifeguard, diplomat,
    fundraiser, undertaker, funeral director, security guard, janitor, nanny, housekeeper, courier,
    postman, dispatcher, stage manager, hotel manager, farm manager, food inspector, lab assistant
""")

# The candidate is said to be what the document does not know.
CLAIMS = _lines("""
    The candidate is a {a}.
    The candidate is an experienced {a} with an eye for detail.
    The candidate was a {a} for several years.
    The candidate has been a {a} all along.
    The candidate had been a {a} before that.
    The candidate became a {a} early on.
    The candidate then became a {a} and later a {b}.
    The candidate moved on to become a {a}.
    The candidate later trained to become a {a}.
    The candidate remains a {a} at weekends.
    The candidate worked as a {a}.
    The candidate worked first as a {a}, then as a {b}.
    The candidate worked as {a} before the present post.
    The candidate works as a freelance {a}.
    The candidate has worked as a {a}, a {b} and a {c}.
    The candidate has worked as {a}, {b} and {c}.
    The candidate served as a {a} in a smaller firm.
    The candidate serves as {a} for the region.
    The candidate acted as a {a} during that period.
    The candidate doubles as a {a} when needed.
    The candidate started out as a {a}.
    The candidate started a career as a {a}.
    The candidate began as a junior {a} and rose quickly.
    The candidate began professional life as a {a}.
    The candidate trained as a {a}.
    The candidate was trained as a {a} before changing course.
    The candidate qualified as a {a}.
    The candidate is a qualified {a}.
    The candidate is a certified {a} and a licensed {b}.
    The candidate is both a {a} and a {b}.
    The candidate is not only a {a} but also a {b}.
    The candidate is a {a} by training.
    The candidate is a {a} by trade.
    The candidate is, by profession, a {a}.
    A {a} by trade, the candidate moved to this work later.
    A {a} by training, the candidate knows the field.
    A {a} turned {b}, the candidate has seen both sides.
    The candidate, a {a}, is known for careful work.
    The candidate, a former {a}, is known for careful work.
    The candidate, originally a {a}, changed fields.
    The candidate, once a {a}, now takes on other duties.
    A former {a}, the candidate knows the trade.
    Formerly a {a}, the candidate knows the trade.
    Previously a {a} and before that a {b}, the candidate knows the trade.
    Once a {a}, the candidate looks back on a varied career.
    Trained as a {a}, the candidate is used to long days.
    Having worked as a {a}, the candidate is used to long days.
    Having been a {a}, the candidate is used to long days.
    After years as a {a}, the candidate wanted a change.
    After a spell as a {a}, the candidate wanted a change.
    With experience as a {a}, the candidate is used to long days.
    With a background as a {a}, the candidate is used to long days.
    With years of experience as a {a} and {b}, the candidate stands out.
    As a {a}, the candidate is used to long days.
    As {a} and later {b}, the candidate gained a broad view.
    In the role of {a}, the candidate gained a broad view.
    In the position of a {a}, the candidate gained a broad view.
    In roles as {a} and {b}, the candidate gained a broad view.
    Roles of {a} and {b} fill the first years.
    The first role was that of a {a}.
    The first job was {a}.
    The first position was {a}, the second {b}.
    The first job was as a {a}.
    An earlier job was that of {a}.
    The early career was spent as a {a}.
    The career began with a post as {a}.
    The career spans work as {a}, {b} and {c}.
    The career includes time as a {a}.
    The career path led from {a} to {b}.
    The path went from {a} over {b} to the present post.
    A change of career made the candidate a {a}.
    The company hired the candidate as a {a}.
    The company employed the candidate as {a}.
    The candidate was hired as a {a}.
    The candidate was employed as a {a} for some time.
    The candidate was taken on as a {a}.
    The candidate was appointed {a} soon after.
    The candidate was promoted to {a}.
    The candidate was promoted from {a} to {b}.
    The candidate held the post of {a}.
    The candidate held positions as {a} and as {b}.
    The candidate held the title of {a}.
    The candidate has held roles including {a} and {b}.
    The candidate has held roles such as {a} and {b}.
    The candidate took a job as a {a}.
    The candidate took up work as a {a}.
    The candidate took on the role of a {a}.
    The candidate fills the role of a {a}.
    The candidate earned a living as a {a}.
    The candidate gained experience as a {a}.
    The candidate brings experience as a {a}.
    The candidate brings the background of a {a}.
    The candidate spent four years as a {a}.
    The candidate spent time working as a {a}.
    The candidate completed an apprenticeship as a {a}.
    The candidate is employed as a {a}.
    The candidate is currently a {a}.
    The candidate is now a {a}, having been a {b}.
    The candidate is known as a reliable {a}.
    The candidate is a skilled and patient {a} who enjoys the work.
    The candidate is a {a} at heart and by training.
    The candidate is a {a} who later moved into this field.
    The candidate is an accomplished {a}, {b} and {c}.
    Currently working as a {a}, the candidate looks for more.
    Currently a {a}, the candidate looks for more.
    Today the candidate is a {a}.
    Working as a {a}, the candidate built lasting trust.
    While employed as a {a}, the candidate built lasting trust.
    During the time as a {a}, the candidate built lasting trust.
    Experienced {a} with a careful hand.
    Skilled {a} and {b} who works with care.
    Seasoned {a} who works with care.
    Certified {a} with a careful hand and much patience.
    {a} by trade, with a careful hand.
    Work as a {a} came first.
    Work as a {a} taught the candidate patience.
    Time as a {a} taught the candidate patience.
    A stint as a {a} taught the candidate patience.
    The work of a {a} taught the candidate patience.
    The profession is that of a {a}.
    The candidate's profession is {a}.
    The candidate's trade is that of a {a}.
    The candidate's first job was as a {a}.
    The candidate's background is that of a {a}.
    The candidate's career started as a {a}.
    The candidate's roles included {a} and {b}.
    Previous roles include {a}, {b} and {c}.
    Previous positions were {a} and {b}.
    Past roles: {a}, {b}.
    Jobs as {a} and {b} preceded the present one.
    The {a} moved to a larger firm later.
    This {a} has seen many firms.
    This experienced {a} has seen many firms.
    The candidate moved from work as a {a} to the present post.
    The candidate switched from {a} to {b}.
    The candidate transitioned from being a {a} to the present work.
    The candidate grew from trainee {a} to {b}.
    The candidate returned to work as a {a}.
    The candidate has a licence as a {a}.
    The candidate is registered as a {a}.
    The candidate practised as a {a} for years.
    The candidate has practised as {a} and {b}.
    The candidate combines the work of a {a} with that of a {b}.
    He was a {a} before that.
    She is a {a} and enjoys it.
    They have been a {a} since.
    He worked as {a}, among other posts.
    She moved from {a} to {b} within a few years.
    """)

# Somebody else is, or nobody.
OTHERS = _lines("""
    A {a} is called in where needed.
    An outside {a} is consulted where needed.
    A {a} and a {b} are called in where needed.
    A {a} checks the work once a year.
    The firm calls in a {a} where needed.
    The candidate called in a {a} and a {b}.
    The candidate worked with a {a}.
    The candidate works with a {a} and a {b} on each case.
    The candidate works closely with the {a} of the client.
    The candidate works side by side with a {a}.
    The candidate works alongside a {a} and an outside {b}.
    The candidate works together with a {a}, a {b} and a {c}.
    The candidate reports to a {a}.
    The candidate reported to the {a}.
    The candidate answers to the {a} of the house.
    The candidate trained a {a}.
    The candidate trained a {a} and a {b} in the new process.
    The candidate trained under a {a}.
    The candidate was trained by a {a}.
    The candidate was taught by a {a}.
    The candidate was supervised by a {a}.
    The candidate supports a {a} in daily work.
    The candidate supported the {a} with records.
    The candidate assisted a {a}.
    The candidate assists the {a} and the {b}.
    The candidate advised a {a} on software.
    The candidate hired a {a}.
    The candidate recruited a {a} and a {b}.
    The candidate found a {a} for a client.
    The candidate filled posts for a {a} and a {b}.
    The candidate interviewed a {a} for a study.
    The candidate briefed a {a} and a {b}.
    The candidate engaged a {a} for the event.
    The candidate coordinates with the {a}.
    The candidate liaises with the {a} and the {b}.
    The candidate learned from a {a}.
    The candidate wrote a guide for the {a}.
    The candidate prepares files for the {a}.
    The candidate hands cases over to a {a}.
    The candidate refers customers to a {a}.
    The candidate built a tool for a {a}.
    The candidate built a tool used by a {a}.
    The candidate built a tool that helps a {a} to plan the day.
    The candidate designed a site for a {a} and a {b}.
    The candidate won a contract from a {a}.
    The candidate is supported by a {a}.
    The candidate is supported by a {a} and a {b}.
    The candidate is assisted by a {a}.
    The candidate shares an office with a {a}.
    The candidate sold the plan to a {a}.
    The candidate explained the plan to the {a}.
    The candidate translated the needs of a {a} into plans.
    The candidate knows what a {a} needs.
    The candidate managed the work of a {a} and a {b}.
    The candidate checks the invoices of the {a}.
    The candidate meets the needs of every {a}.
    The candidate has the patience of a {a}.
    The candidate looks at figures with the eye of a {a}.
    The candidate is not a {a}.
    The candidate works for clients such as a {a}.
    The candidate serves clients such as a {a} and a {b}.
    The candidate worked with experts such as a {a}, a {b} and a {c}.
    The candidate worked with engineers as well as a {a}.
    The customer, a {a}, was content.
    One customer was a {a}.
    One client was a {a}, another a {b}.
    The customer was a {a}.
    The client is a {a}.
    The owner of the firm is a {a}.
    The manager of the client was a {a} who knew the trade.
    The founder, a {a}, praised the work.
    The mentor was a {a}.
    A mentor who was a {a} guided the first steps.
    A colleague who is a {a} checks the work.
    A colleague, a {a}, checks the work.
    A client who works as a {a} gave the order.
    A customer who had been a {a} gave the order.
    Among the clients were a {a} and a {b}.
    Clients include a {a} and a {b}.
    Clients range from a {a} to a {b}.
    The team includes a {a} and a {b}.
    The team consisted of a {a}, a {b} and a {c}.
    The team of a {a} and a {b} praised the result.
    The team was joined by a {a}.
    The {a} of the client praised the work.
    The {a} is consulted on every case.
    The {a} and the {b} are consulted on every case.
    The {a} of the firm checks the figures.
    The {a} on duty is informed first.
    The work was done for a {a}.
    The work was done under a {a}.
    The work is checked by a {a}.
    The plan was made with a {a}.
    The plan was approved by the {a} and the {b}.
    The order came from a {a}.
    The report went to the {a}.
    Reports go to the {a}.
    Questions are left to the {a}.
    Each {a} receives a report.
    Every {a} of the region knows the tool.
    Where a {a} is needed, the candidate finds one.
    When a {a} asks for help, the candidate is there.
    If a {a} is missing, the candidate finds one.
    With help from a {a}, the candidate cut the delay.
    Together with a {a}, the candidate cut the delay.
    Alongside a {a} and a {b}, the candidate cut the delay.
    Under a {a}, the candidate learned the basics.
    Unlike a {a}, the candidate works indoors.
    For a {a}, the candidate set up a site.
    There is a {a} in the team.
    Plans are drawn up by a {a} first.
    A plan for the {a} of the house was written.
    Tools for the {a} and the {b} were built.
    The site of a {a} was rebuilt.
    The candidate rebuilt the site of a {a} and the shop of a {b}.
    The candidate, whose manager is a {a}, works on records.
    The candidate, supported by a {a}, works on records.
    The candidate took over records from a {a}.
    The candidate replaced a {a}'s records.
    Working with a {a}, the candidate improved records.
    Working alongside the {a}, the candidate improved records.
    Guided by a {a}, the candidate improved records.
    Supported by a {a} and a {b}, the candidate improved records.
    His manager was a {a}.
    Her first client was a {a}.
    He helped a {a} with the records.
    She taught a {a} and a {b} to use the tool.
    """)

# Many people are never the candidate.
PLURALS = _lines("""
    The candidate works with {a}s.
    The candidate trains {a}s and {b}s.
    The candidate supported {a}s and {b}s in daily work.
    The candidate recruited {a}s, {b}s and {c}s.
    Users include {a}s and {b}s.
    The audience was made up of {a}s.
    The tool is used by {a}s and {b}s alike.
    {a}s and {b}s are among the clients.
    """)

# Praise and shares in the work are no occupations.
PRAISE = _lines("""
    The candidate is a quick learner and a clear communicator.
    The candidate is a natural storyteller and a calm negotiator.
    The candidate acts as a bridge between teams.
    The candidate serves as a point of contact and a sounding board.
    The candidate is a driver of change and a champion of quality.
    The candidate is known as a problem solver and a team player.
    The candidate acted as a guide to new colleagues.
    The candidate was a key player and a steady hand.
    The candidate became a trusted adviser and a go-to person.
    The candidate is a self-starter, a good listener and a planner.
    The new process was introduced as a pilot and then as a standard.
    The candidate acted as a liaison and an escalation contact.
    The candidate was named employee of the month.
    The candidate is a strategic thinker, an organiser and a builder of teams.
    As a leader, the candidate is a mentor and a role model.
    The candidate is a contributor to open work and a regular speaker.
    The candidate serves as an ambassador of the brand.
    The candidate is a hands-on practitioner and a lifelong learner.
    The candidate was a founding member and a major contributor.
    Acting as gatekeeper of quality, the candidate set the standard.
    The candidate works as an individual contributor and a coordinator.
    The candidate is a strong performer and a dependable colleague.
    The candidate is an all-rounder and a detail-oriented professional.
    The candidate is a custodian of data and a steward of quality.
    """)

NAMES = _items("""
    Uday J. Patwardhan, Jignesh S, R. K. Narayanswamy, J. Fitzwarren, Amara T. Okonkwo-Hale,
    McAllen Brisbury, Rory McTavenish, Siobhan O'Dallery, Luc D'Alençon, Marie-Claire Dubrovnay,
    Jean-Luc Ferrandeau, Tomás Villareño, Zoë Kaltenbrunn, Søren Ulvaeus, Łukasz Wrzesniak,
    Ludwig van der Meulenkamp, Carlos de la Fontella, Ahmed bin Rashidov, Omar al-Haddarin,
    Karim El-Sharqawi, Vito Di Marzano, Jan ter Horstink, Ana dos Santarem, Hans von Trautberg,
    Иван Сергеенко, Мария Волконцева, Γιώργος Παπαδέλλης, 王小明, 김하늘, محمد الرشيدي, प्रिया शर्मा,
    DeShawn Carrowell, LaToya Merriwick, MacKenzie Dunhollow, FitzGerald Orme, Kwame N'Dourou,
    Björn Åkerblomqvist, Nguyễn Thị Lanhương, Renée Château-Briandt, Priya V., K. Sivaramalingam,
    Mary Ann Poltergate, Juan Carlos Benavidrez, Tobias Ferncastle, Henrike Aldousen,
    Ines O’Maddigan, S. P. Ramalinganathan, Mohammed Al Qahtanir, Thulani kaMbeko, Elif Öztürkmen,
    William T Harrowgate
""")
ONE_NAMES = _items("""
    Jignesh, Ferncastle, McAllen, D'Alençon, O'Dallery, Okonkwo, Łukasz, Søren, Anneliese, Thulani
""")
NAME_CLAIMS = _lines("""
    {n} has led this work for years.
    {n} is an expert in the field.
    {n} was promoted twice.
    {n} brings all of this together.
    {n} leads the team and reports to the board.
    {n} works on records and plans.
    {n} holds several certificates.
    {n} joined later and stayed on.
    {n}'s strengths are broad.
    {n}'s career shows steady growth.
    {n}, a calm colleague, is known for care.
    {n} started small and grew.
    {n} combines both fields.
    {n} offers a broad view.
    {n} specialises in this field.
    {n} also supports new colleagues.
    For many years, {n} has worked in this area.
    In this role, {n} improved the process.
    Colleagues value {n}, who holds several certificates.
    Over the years, {n} took on more.
    With care and patience, {n} built trust.
    Today, {n} works on larger tasks.
    The strengths of {n} are broad.
    The career of {n} shows steady growth.
    This is the profile of {n}.
    """)
ONE_NAME_CLAIMS = _lines("""
    Mr {n} has led this work for years.
    Mr. {n} is an expert in the field.
    Ms {n} holds several certificates.
    Ms. {n} brings all of this together.
    Mrs. {n} joined later and stayed on.
    Dr. {n} improved the process.
    Dr {n} leads the team.
    Prof. {n} supports new colleagues.
    In this role, Mr. {n} improved the process.
    Over the years, Ms {n} took on more.
    {n}'s team praised the result.
    {n}'s strengths are broad.
    {n} is an expert in the field.
    {n} has over ten years of practice.
    {n} brings all of this together.
    """)
NO_NAMES = _lines("""
    Agile methods and Lean thinking support the work.
    The work follows Infrastructure as Code and Continuous Delivery.
    Strong in Supply Chain work, the candidate knows the field.
    Quality Assurance is a part of the work.
    Project Management shapes the work.
    Human Resources relies on the figures.
    Customer Success is part of the work.
    Risk Management plays a part.
    Team Leadership comes naturally.
    The candidate is at home in Stakeholder Management.
    Stakeholder Management fills much of the week.
    Attention to detail marks the work.
    Clients praise the work; Sales and Finance rely on it.
    Good Manufacturing Practice is followed.
    Process Improvement is a constant theme.
    Mid-level and senior staff rely on the work.
    Self-taught in part, the candidate learns fast.
    Communication skills and Problem Solving complete the profile.
    Data-driven and calm, the candidate works well with others.
    Colleagues' praise is frequent; Finance's figures rely on it.
    Cross-functional work is common. Month-end work is, too.
    """)
