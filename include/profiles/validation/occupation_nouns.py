"""Nouns of occupations, as closed lists. Pure.

Chosen by hand from the titles of O*NET 29.2 (U.S. Department of Labor, Employment and Training
Administration, CC BY 4.0; neither has approved this choice) and of ESCO (European Commission,
CC BY 4.0), and added to. Left out are machine tenders and nouns that more often praise a person or
name a thing than tell a trade ("a driver of change", "a pilot").
"""

from __future__ import annotations

__all__ = ["COMPOUNDS", "DOUBTFUL", "NARROW", "TRADES"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TRADES = _words("""
    drummer fisher goatherd cowboy bargee purser registrar shepherd toolmaker tutor
    accompanist accordionist acoustician acrobat actor actress actuary acupuncturist adjudicator
    admiral aerodynamicist aesthetician agriculturist agronomist alderman allergist alpinist
    anaesthesiologist anaesthetist anatomist anchorman anesthesiologist anesthetist animator
    announcer anthropologist apiarist appraiser aquaculturist aquarist arbitrator arboriculturist
    arborist archaeologist archeologist archivist assayer astrologer astronaut astronomer
    astrophysicist auctioneer audiologist aviator babysitter bacteriologist bailiff baker ballerina
    banker barber barista baritone barkeeper barman barrister bartender basketmaker bassist
    bassoonist beautician beekeeper behaviorist behaviourist bellboy bellhop bibliographer
    biochemist bioengineer biographer biologist biophysicist biostatistician bishop blacksmith
    blogger boatbuilder boatman boatswain bodyguard boilermaker bombardier bookbinder bookie
    bookmaker bookseller bosun botanist bouncer bowyer boxer brazier breeder brewer brewmaster
    bricklayer brickmason brigadier broadcaster busker butcher butler cabbie cabinetmaker
    calligrapher cameraman cameraperson cardiologist carer caretaker caricaturist carpenter
    cartographer cartoonist cartwright carver caseworker cashier cataloguer cellist ceramicist
    ceramist chambermaid chaplain chauffeur cheesemaker cheesemonger chef chemist childminder
    chiropodist chiropractor chocolatier choirmaster choreographer cinematographer clarinetist
    clarinettist cleaner clergyman clergywoman clerk climatologist clockmaker clown co-pilot
    coachbuilder coalminer coastguard cobbler colonel columnist comedian commodore composer
    concierge conductor confectioner congressman congresswoman constable consul contortionist
    contralto conveyancer cook cooper copilot coppersmith copyeditor copywriter coroner corporal
    correspondent cosmetician cosmetologist cosmologist cosmonaut costermonger councillor
    councilman councilwoman counsellor counselor courier couturier coxswain cricketer criminologist
    crofter croupier cryptanalyst cryptographer curate cytogeneticist cytotechnologist dairyman
    dancer deacon dean deckhand demographer denturist dermatologist detective dietician dietitian
    diplomat dishwasher dispatcher distiller diver dj docent docker dog-walker doorman dosimetrist
    doula draftsman draftsperson draper draughtsman draughtsperson dressmaker drummer dyer
    ecologist econometrician economist editor egyptologist electrician electroplater embalmer
    embroiderer embryologist endodontist engraver entomologist epidemiologist equestrian ergonomist
    essayist esthetician ethnographer ethnologist ethologist exterminator facialist falconer farmer
    farmhand farmworker farrier firefighter fireman firewoman fisherman fisherwoman fishmonger
    flautist florist flutist footballer forester fruiterer fumigator fundraiser furrier gamekeeper
    gardener gasfitter gemmologist gemologist genealogist geneticist geographer geologist
    geophysicist geoscientist gerontologist ghostwriter gilder glaciologist glassblower glassmaker
    glazier goldsmith golfer governess graphologist gravedigger greengrocer grocer groundskeeper
    groundsman guitarist gunner gunsmith gymnast gynaecologist gynecologist haberdasher
    haematologist hairdresser hairstylist handyman harpist hatmaker hawker headmaster headmistress
    headteacher helmsman hematologist herbalist herpetologist historian homeopath horologist
    horseman horsewoman horticulturist hospitalist hostess hotelier housekeeper hydrogeologist
    hydrologist hygienist hypnotherapist ichthyologist illustrator imam immunologist impresario
    infantryman innkeeper instructor intensivist interpreter ironmonger ironworker jailer janitor
    jeweler jeweller jockey joiner judge laborer labourer landscaper legislator lexicographer
    lexicologist librarian librettist lieutenant lifeguard limnologist lineman linesman lineworker
    lithographer lobbyist locksmith logistician longshoreman lumberjack luthier lyricist machinist
    magistrate mailman mammalogist manicurist mariner masseur masseuse mathematician mayor mechanic
    metallurgist metalworker meteorologist microbiologist midwife milkman milliner millworker
    millwright miner mineralogist mineworker missionary mixologist monk mortician mountaineer
    muralist musician musicologist mycologist nanny naturopath nephrologist neurobiologist
    neurologist neuropsychologist neuroscientist neurosurgeon newsagent newscaster newsreader
    notary novelist nun nurse-midwife nurseryman nurserywoman nutritionist oboist obstetrician
    oceanographer ombudsman ombudswoman oncologist ophthalmologist optician optometrist organist
    ornithologist orthodontist orthopaedist orthoptist orthotist osteopath paediatrician painter
    painter-decorator palaeontologist paleontologist palynologist paperhanger parachutist paramedic
    parasitologist paratrooper pastor pathologist patissier patrolman patternmaker pawnbroker
    pedagogue pediatrician pedicurist pedodontist percussionist perfumer periodontist petrologist
    pharmacologist philologist philosopher phlebotomist photographer photojournalist physiatrist
    physicist physiologist physiotherapist pianist pipefitter pipelayer plasterer playwright
    ploughman plumber podcaster podiatrist poet policeman policewoman politician pollster porter
    postman postwoman potter preacher priest primatologist printmaker projectionist proofreader
    prosecutor prosthetist prosthodontist psychiatrist psychoanalyst psychologist psychometrist
    psychotherapist publicist pulmonologist puppeteer purser quarryman quartermaster rabbi
    radiographer radiologist rancher ranger receptionist referee reflexologist repairman reporter
    repossessor restaurateur retoucher rifleman ringmaster riveter roofer ropemaker roustabout
    saddler sailmaker sailor sanitarian sapper sawyer saxophonist scaffolder schoolmaster
    schoolteacher screenwriter scriptwriter sculptor sculptress seaman seamstress secretary
    seismologist senator sergeant sericulturist sexologist sexton sheriff shipbroker shipbuilder
    shipwright shoemaker shopkeeper signaller signwriter silversmith singer skater skipper
    sociologist soldier soloist sommelier songwriter sonographer soundman sous-chef speechwriter
    sportscaster spy stagehand statistician steamfitter steelworker steeplejack steersman
    stenographer stevedore stewardess stockbroker stockman stoker stonecutter stonemason stuntman
    stuntwoman stylist sub-editor subeditor surveyor swineherd tailor tailoress tanner tattooist
    taxidermist teamster telemarketer thatcher theologian therapist tiler timpanist tinsmith
    tobacconist toolmaker toxicologist transcriptionist translator trombonist trucker trumpeter
    tutor typesetter typist umpire undertaker underwriter upholsterer urologist usher vaccinator
    valet valuer ventriloquist verger vet veterinarian vicar videographer viniculturist vintner
    violinist violist virologist viticulturist vlogger vocalist volcanologist waiter waitress
    watchmaker watchman weaver welder wheelwright wigmaker winemaker woodcarver woodcutter
    woodworker wrestler yardmaster youtuber zookeeper zoologist
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
    actor: voice film stage
    adjuster: loss claims insurance
    adviser: debt beauty careers tax
    advisor: tax beauty careers
    agent: travel estate insurance customs police literary talent sports secret betting booking
        ticket letting freight fbi modelling centre center press theatrical
    anchor: news
    artist: tattoo makeup make-up circus performance comic foley trapeze martial storyboard
        landscape tightrope
    assistant: executive virtual dental veterinary shop teaching nursing medical legal library lab
        laboratory
        classroom kitchen surgical pharmacy flight care chairside parliamentary physician sales
    attendant: flight parking cabin museum funeral fuel room pool cloakroom restroom bath
    author: cookbook
    blower: glass
    broker: mortgage customs estate ship insurance stock commodity
    builder: organ boat ship coach
    buyer: fashion
    captain: ship sea airline fire police army cruise ferry yacht
    carer: foster home
    caretaker: school
    carrier: letter mail hod newspaper
    clerk: court law bank postal shop desk booking hotel betting mail county town filing
    coach: football tennis basketball swimming rugby hockey athletics boxing fitness cricket
        gymnastics baseball volleyball soccer rowing skating strength life vocal
    collector: garbage tax debt refuse ticket toll rent bill
    controller: traffic pest vermin fare train
    cook: line pastry ship prison
    counsellor: marriage school career addiction debt grief
    counselor: marriage school career addiction debt grief guidance
    critic: film food art literary music theatre
    dancer: ballet tap ballroom
    dealer: antique art car arms drug blackjack card casino
    designer: game fashion interior costume set floral jewellery furniture lighting landscape
        textile exhibition stage sound
    digger: grave
    director: film funeral theatre artistic music casting art museum museums stage choir
        athletic
    diver: scuba deep-sea
    driver: rickshaw auto-rickshaw bus train tram truck lorry taxi van delivery racing crane
        forklift ambulance coach
        cab hearse tractor bin
    editor: film sound picture photo fashion copy book magazine newspaper
    engineer: sound flight locomotive petroleum aerospace nuclear mining marine biomedical
        acoustic heating structural lift railway gas ship
    examiner: driving medical bank patent
    fitter: carpet gas pipe kitchen bathroom tyre
    forecaster: weather
    groomer: dog pet
    guard: security prison coast border life train
    guide: tour mountain museum tourist safari travel river city wilderness trekking
    hand: deck ranch farm stage
    host: television tv radio podcast talk
    hygienist: dental
    inspector: quality tax food police building ticket school health customs meat fire mine
    instructor: driving ski fitness yoga flying diving sailing swimming dance riding martial
        pilates surf climbing flight aerobics gym
    investigator: private crime homicide
    jockey: disc
    judge: district circuit appeal county
    keeper: zoo lighthouse bee game animal
    labourer: farm
    lady: dinner lollipop
    lecturer: university law history
    maker: toy cabinet violin watch instrument cheese guitar film documentary costume furniture
        tool shoe clock candle wig sail hat dress lace
    manager: vineyard hotel stage farm restaurant nursery casino bar nightclub theatre museum
        funeral cinema spa circus ranch forest football tour band zoo gym pub cemetery school
        kitchen bank floor
    master: harbour station choir quarter toast cellar
    mechanic: car aircraft bicycle ship auto motorcycle diesel automotive elevator motor lift
    member: crew
    merchant: wine coal timber
    miner: coal gold diamond
    minister: church parish prime methodist baptist
    model: fashion photo catwalk runway hand
    nurse: veterinary school
    officer: police customs prison probation army naval navy military immigration parole fire
        press loan court peace truancy welfare reserve infantry intelligence correctional
        conservation patrol election parking
    operator: crane forklift excavator bulldozer switchboard radio camera machine lathe boom
        sound plant press telephone drone crematorium ferry tower sawmill lift
    owner: gallery
    painter: landscape house portrait sign car scenic
    pair: au
    performer: stunt street circus stage cabaret
    physician: ship family
    picker: fruit cotton grape
    pilot: harbour airline helicopter drone fighter commercial test bush airplane glider
    planner: urban town city wedding event transport financial party
    planter: tree
    player: football basketball tennis chess poker violin piano rugby cricket trumpet
    practitioner: general nurse
    presenter: television radio tv weather news
    principal: school college academy
    pro: golf tennis
    producer: record television tv film theatre music radio
    programmer: radio
    psychologist: school sports
    ranger: park wildlife forest
    remover: asbestos
    reporter: court crime war sports news investigative television
    rescuer: mountain
    researcher: polar cancer
    ringer: bell
    roaster: coffee
    runner: marathon
    salesman: insurance car
    scout: talent football
    secretary: legal medical parish press school
    servant: civil
    shopper: personal
    singer: opera folk jazz backing
    specialist: wine
    star: movie film
    steward: airline cabin flight ship ship's air
    decorator: interior cake window house
    coder: medical
    cutter: diamond glass stone cloth
    spotter: train plane
    negotiator: crisis hostage
    doctor: ayurvedic village witch ship's
    reader: tarot palm meter news
    marshal: fire air
    operative: cleaning demolition
    wrangler: horse
    double: stunt body
    man: removal odd-job
    help: home kitchen domestic
    assembler: furniture
    surgeon: tree dental
    surveyor: quantity land marine mine building hydrographic
    sweep: chimney
    teacher: kindergarten school primary elementary music yoga piano dance language art english
        maths mathematics science history geography preschool nursery swimming
    technician: dental pharmacy lab laboratory veterinary embalming avalanche nuclear mortuary
        aircraft ultrasound x-ray lighting stage
    teller: bank fortune story
    tester: penetration software taste game
    therapist: speech occupational physical massage respiratory art music beauty radiation sex
        language drama
    trader: day market street
    trainer: gym personal animal dog horse fitness athletic
    tuner: piano
    vendor: cream street
    visitor: health
    walker: dog
    warden: parking game traffic prison church hostel
    worker: rig demolition social youth case care childcare farm construction factory steel metal
        sex relief
        aid welfare community postal warehouse forestry rescue railway dock domestic road mine
        vineyard sewage shop mill
    administrator: network database system systems hospital payroll school
    master: scrum station
    writer: medical grant technical creative travel letter sign script crime sports comedy song
        speech
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
