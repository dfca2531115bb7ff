"""Nouns of occupations, as closed lists. Pure.

Chosen by hand from the titles of O*NET 29.2 (U.S. Department of Labor, Employment and Training
Administration, CC BY 4.0; neither has approved this choice) and of ESCO (European Commission,
CC BY 4.0), and added to. Left out are machine tenders and nouns that more often praise a person or
name a thing than tell a trade ("a driver of change", "a pilot").
"""

from __future__ import annotations

__all__ = ["COMPOUNDS", "DOUBTFUL", "NARROW", "SHOWN_BY", "TRADES"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TRADES = _words("""
    accompanist accordionist acoustician acrobat actor actress actuary acupuncturist adjudicator
    admiral aerodynamicist aesthetician agriculturist agronomist alderman allergist alpinist
    anaesthesiologist anaesthetist anatomist anchorman anesthesiologist anesthetist animator
    announcer anthropologist apiarist appraiser aquaculturist arbitrator arboriculturist arborist
    archaeologist archeologist archivist assayer astrologer astronaut astronomer astrophysicist
    auctioneer audiologist aviator babysitter bacteriologist bailiff baker ballerina banker barber
    barista baritone barkeeper barman barrister bartender basketmaker bassist beautician beekeeper
    behaviorist behaviourist bellboy bellhop bibliographer biochemist bioengineer biographer
    biologist biophysicist biostatistician blacksmith blogger boatbuilder boatman boatswain
    bodyguard boilermaker bombardier bookbinder bookmaker bookseller bosun botanist bowyer boxer
    brazier breeder brewer bricklayer brickmason brigadier busker butcher butler cabbie
    cabinetmaker calligrapher cameraman cameraperson cardiologist caricaturist carpenter
    cartographer cartoonist cartwright carver caseworker cashier cataloguer cellist ceramicist
    ceramist chambermaid chaplain chauffeur cheesemaker chef chemist childminder chiropodist
    chiropractor choirmaster choreographer cinematographer clarinetist clarinettist cleaner
    clergyman clergywoman climatologist clockmaker clown co-pilot coachbuilder coalminer coastguard
    cobbler colonel columnist comedian commodore composer concierge conductor confectioner
    congressman congresswoman constable contortionist contralto conveyancer copilot coppersmith
    copyeditor copywriter coroner corporal correspondent cosmetician cosmetologist cosmologist
    cosmonaut costermonger councillor councilman councilwoman courier couturier coxswain cricketer
    criminologist crofter croupier cryptanalyst cryptographer curate cytogeneticist
    cytotechnologist dairyman dancer deacon deckhand demographer denturist dermatologist detective
    dietician dietitian diplomat dispatcher distiller diver dj docent docker dog-walker doorman
    dosimetrist doula draftsman draftsperson draper draughtsman draughtsperson dressmaker drummer
    dyer ecologist econometrician economist egyptologist electrician electroplater embalmer
    embroiderer embryologist endodontist engraver entomologist epidemiologist equestrian ergonomist
    essayist esthetician ethnographer ethnologist ethologist exterminator facialist falconer farmer
    farmhand farmworker farrier firefighter fireman firewoman fisherman fisherwoman fishmonger
    flautist florist flutist footballer forester fruiterer fumigator fundraiser furrier gamekeeper
    gardener gasfitter gemmologist gemologist geneticist geographer geologist geophysicist
    geoscientist gerontologist ghostwriter glaciologist glassblower glassmaker glazier goldsmith
    golfer governess graphologist gravedigger greengrocer grocer groundskeeper groundsman guitarist
    gunner gunsmith gymnast gynaecologist gynecologist haberdasher haematologist hairdresser
    hairstylist handyman harpist hatmaker hawker headmaster headmistress headteacher helmsman
    hematologist herbalist herpetologist historian homeopath horologist horseman horsewoman
    horticulturist hospitalist hostess hotelier housekeeper hydrogeologist hydrologist hygienist
    ichthyologist illustrator imam immunologist infantryman innkeeper intensivist interpreter
    ironmonger ironworker jailer janitor jeweler jeweller jockey joiner judge laborer labourer
    landscaper legislator lexicographer lexicologist librarian librettist lieutenant lifeguard
    limnologist lineman linesman lineworker lithographer lobbyist locksmith logistician
    longshoreman lumberjack luthier lyricist machinist magistrate mailman mammalogist manicurist
    mariner masseur masseuse mathematician mayor metallurgist metalworker meteorologist
    microbiologist midwife milkman milliner millworker millwright miner mineralogist mineworker
    missionary mixologist monk mortician mountaineer muralist musician musicologist mycologist
    nanny naturopath nephrologist neurobiologist neurologist neuropsychologist neuroscientist
    neurosurgeon newsagent newscaster newsreader notary novelist nun nurse-midwife nurseryman
    nurserywoman nutritionist oboist obstetrician oceanographer ombudsman ombudswoman oncologist
    ophthalmologist optician optometrist organist ornithologist orthodontist orthopaedist
    orthoptist orthotist osteopath paediatrician painter painter-decorator palaeontologist
    paleontologist palynologist paperhanger parachutist paramedic parasitologist paratrooper pastor
    pathologist patrolman patternmaker pawnbroker pedagogue pediatrician pedicurist pedodontist
    percussionist perfumer periodontist petrologist pharmacologist philologist phlebotomist
    photographer photojournalist physiatrist physicist physiologist physiotherapist pianist
    pipefitter pipelayer plasterer playwright ploughman plumber podcaster podiatrist poet policeman
    policewoman politician pollster porter postman postwoman preacher priest primatologist
    printmaker projectionist proofreader prosecutor prosthetist prosthodontist psychiatrist
    psychoanalyst psychologist psychometrist psychotherapist publicist pulmonologist puppeteer
    purser quarryman quartermaster rabbi radiographer radiologist rancher receptionist
    reflexologist repairman repossessor restaurateur retoucher rifleman riveter roofer ropemaker
    roustabout saddler sailmaker sailor sanitarian sapper sawyer saxophonist scaffolder
    schoolmaster schoolteacher screenwriter sculptor sculptress seaman seamstress seismologist
    senator sergeant sericulturist sexologist sexton sheriff shipbroker shipbuilder shipwright
    shoemaker shopkeeper silversmith singer skater sociologist soldier soloist sommelier songwriter
    sonographer soundman speechwriter sportscaster stagehand statistician steamfitter steelworker
    steeplejack steersman stenographer stevedore stewardess stockbroker stockman stoker stonecutter
    stonemason stuntman stuntwoman stylist subeditor swineherd tailor tailoress tanner tattooist
    taxidermist teamster telemarketer thatcher theologian tiler tinsmith tobacconist toolmaker
    toxicologist transcriptionist translator trombonist trucker trumpeter typesetter typist umpire
    undertaker upholsterer urologist vaccinator valuer ventriloquist verger vet veterinarian vicar
    videographer viniculturist vintner violinist violist virologist viticulturist vlogger vocalist
    volcanologist waiter waitress watchmaker watchman weaver welder wheelwright wigmaker winemaker
    woodcarver woodcutter woodworker wrestler yardmaster youtuber zookeeper zoologist
""")
"""Nouns that name one trade, whatever stands before them."""

DOUBTFUL = _words("""
    coach contractor curator custodian driver fisher host magician model operator pilot runner
    scribe server shepherd steward
""")
"""Nouns of trades and of other things: a trade only where work is spoken of."""

NARROW = _words("""
    actor boxer cleaner composer conductor contractor cook courier custodian driver host
    interpreter joiner judge magician minister miner model operator painter pilot porter runner
    server shepherd steward tailor translator
""")
"""Nouns whose verb says more than the trade: who conducted a survey is no conductor."""

# By the last word of a title, the words before it that make it a trade of its own.
_FIELDS = """
    worker: social youth case care childcare farm construction factory steel metal sex relief aid
        welfare community postal warehouse forestry rescue railway dock domestic
    officer: police customs prison probation army naval navy military immigration parole fire
        press loan court peace truancy welfare reserve infantry intelligence correctional
        conservation patrol election parking
    guide: tour mountain museum tourist safari travel river city wilderness trekking
    agent: travel estate insurance customs police literary talent sports secret betting booking
        ticket letting freight fbi modelling
    planner: urban town city wedding event transport financial party
    controller: traffic pest vermin fare train
    operator: crane forklift excavator bulldozer switchboard radio camera machine lathe boom
        sound plant press telephone drone crematorium ferry tower sawmill lift
    assistant: dental veterinary shop teaching nursing medical legal library lab laboratory
        classroom kitchen surgical pharmacy flight care chairside parliamentary physician
    attendant: flight parking cabin museum funeral fuel room pool cloakroom restroom bath
    principal: school college academy
    inspector: tax food police building ticket school health customs meat fire mine
    surveyor: quantity land marine mine building hydrographic
    clerk: court law bank postal shop desk booking hotel betting mail county town filing
    manager: hotel stage farm restaurant nursery casino bar nightclub theatre museum funeral
        cinema spa circus ranch forest football tour band zoo gym pub cemetery school kitchen
    instructor: driving ski fitness yoga flying diving sailing swimming dance riding martial
        pilates surf climbing flight
    therapist: speech occupational physical massage respiratory art music beauty radiation sex
        language drama
    coach: football tennis basketball swimming rugby hockey athletics boxing fitness cricket
        gymnastics baseball volleyball soccer rowing skating strength life vocal
    trainer: personal animal dog horse fitness athletic
    tester: penetration software taste game
    teller: bank fortune story
    presenter: television radio tv weather news
    performer: stunt street circus stage cabaret
    reporter: court crime war sports news investigative television
    guard: security prison coast border life train
    driver: bus train tram truck lorry taxi van delivery racing crane forklift ambulance coach
        cab hearse tractor bin
    pilot: airline helicopter drone fighter commercial test bush airplane glider
    captain: ship sea airline fire police army cruise ferry yacht
    engineer: sound flight locomotive petroleum aerospace nuclear mining marine biomedical
    editor: film sound picture photo fashion
    director: film funeral theatre artistic music casting art museum museums stage choir athletic
    designer: game fashion interior costume set floral jewellery furniture lighting landscape
        textile exhibition stage sound
    artist: tattoo makeup make-up circus performance comic foley trapeze martial storyboard
        landscape tightrope
    keeper: zoo lighthouse bee game animal
    broker: mortgage customs estate ship insurance stock commodity
    adjuster: loss claims insurance
    hygienist: dental
    technician: dental pharmacy lab laboratory veterinary embalming avalanche nuclear mortuary
        aircraft ultrasound x-ray lighting stage
    lecturer: university law history
    teacher: kindergarten school primary elementary music yoga piano dance language art english
        maths mathematics science history geography preschool nursery swimming
    secretary: legal medical parish press school
    dealer: antique art car arms drug blackjack card
    mechanic: car aircraft bicycle ship auto motorcycle diesel automotive
    master: harbour station choir quarter toast cellar
    model: fashion photo catwalk runway hand
    player: football basketball tennis chess poker violin piano rugby cricket trumpet
    singer: opera folk jazz backing
    painter: landscape house portrait sign car
    psychologist: school sports
    physician: ship family
    minister: church parish prime methodist baptist
    maker: cabinet violin watch instrument cheese guitar film documentary
    nurse: veterinary school
    cook: line pastry ship prison
    host: television tv radio podcast talk
    caretaker: school
    programmer: radio
    adviser: beauty careers
    judge: district circuit appeal county
    examiner: driving medical bank patent
    investigator: private crime homicide
    warden: game traffic prison church
    dancer: ballet tap ballroom
    actor: voice film stage
    buyer: fashion
    runner: marathon
    researcher: polar cancer
    scout: talent football
    buyer: fashion
    miner: coal gold diamond
"""


def _compounds() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    head = ""
    for line in _FIELDS.strip().splitlines():
        start, colon, rest = line.strip().rpartition(":")
        head = start if colon else head
        found[head] = found.get(head, frozenset()) | _words(rest)
    return found


COMPOUNDS = _compounds()
"""Trades of two words whose last word alone names a share in any work."""

SHOWN_BY: dict[str, str] = {
    "banker": "bank",
    "barrister": "lawyer|attorney|solicitor|advocate",
    "cashier": "cash|till|billing",
    "chef": "chef|kitchen|culinary|cook",
    "chemist": r"chemi|pharmac",
    "cook": r"\bcooks?\b|chef|kitchen|culinary",
    "copywriter": r"copy.?writ|content",
    "correspondent": "correspond|report|journal|news",
    "cryptographer": "cryptogra",
    "dietician": "diet|nutrit",
    "dietitian": "diet|nutrit",
    "dispatcher": "dispatch",
    "firefighter": "fire ?fight|fire (?:service|officer|brigade|station)",
    "fundraiser": "fund.?rais",
    "headmaster": "head ?(?:master|teacher)|principal",
    "headteacher": "head ?(?:master|teacher)|principal",
    "interpreter": "interpreter|interpreting|interpretation services|translator",
    "judge": r"\bjudg",
    "logistician": "logistic|supply",
    "machinist": "machinist|cnc|machining",
    "nutritionist": "nutrit|diet",
    "physicist": "physics|physicist",
    "physiotherapist": "physio|physical therap",
    "psychotherapist": "psych|therap",
    "publicist": r"public|\bpr\b|media",
    "receptionist": "recepti|front.?(?:desk|office)",
    "schoolteacher": "teach",
    "stockbroker": "broker|equit|trading|securities|stocks",
    "tailor": r"\btailors?\b|tailoring",
    "telemarketer": r"tele|call|outbound|sales",
    "translator": "translat(?:or|ion)",
    "typist": "typ(?:ing|ist)|data entry",
    "veterinarian": r"\bvet",
    "vet": r"\bvet",
    "waiter": "wait(?:er|ress|ing staff)|restaurant|server",
    "waitress": "wait(?:er|ress|ing staff)|restaurant|server",
}
"""What evidences a trade besides its own noun, in the folded document."""
