"""Whether the sentences of a summary speak of this person at all. Pure.

Two faults that names and numbers do not show: a sentence of which hardly any word stands in the
document (an invented claim in ordinary words), and a summary that mostly praises without naming
anything of the document. Words that any summary may use to say what a document says are neutral:
they neither support a sentence nor count against it.
"""

from __future__ import annotations

from dataclasses import dataclass

from profiles.standardization.text import split_sentences
from profiles.validation.evidence import Evidence, stem, words_of

__all__ = ["Support", "is_neutral", "support_of"]

_FEWEST_STRANGE = 5
_STRANGE_SHARE = 0.8
_MAX_EMPTY_SHARE = 0.5
_FEWEST_EMPTY = 2
_SHORTEST_SENTENCE = 5
_SHORTEST_WORD = 3


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


_FUNCTION = _words(
    """
    a about above across after again against all along also although am amid among an and
    another any are around as at be because been before behind being below between beyond both
    but by can could did do does doing down dozen during each eight either eleven every few
    first five for four from further had has have having he her here him his how however i if in
    into is it its just last many may me might more most much must my neither next nine no nor
    not now of off on once one only onto or other our out over own per same second seven several
    shall she should since six so some such ten than that the their them then there therefore
    these they this those though three through thus to too toward towards twelve two under until
    up upon us very via was we well were what when where which while who whom whose why will
    with within without would yes yet you your
    """
)
_NEUTRAL = _stems(
    """
    ability able accomplished according account achieve acquire across action active activity
    adapt add address adept advance advanced advice advise affect aim answer appear applicant
    application apply approach area arrange aspect asset assist associate attention attitude
    attribute available background base basis become begin behaviour benefit best better bonus
    boundary bring broad build business call candidate capability capable care career carry case
    central centre challenge change character clear client close collaborate collaboration
    colleague combine come comfortable commit commitment common communicate communication
    company competence complete complex comprehensive concern conduct confident consider
    consistent constant content context continue contribute contribution coordinate core cover
    craft create creative current customer daily day deal decade dedicate dedicated dedication
    deep degree deliver delivery demonstrate department depth describe design detail determine
    develop development direct direction discipline diverse document domain drive driven drove
    dynamic eager early earn easy education effect effective efficient effort emphasis employ
    employee employer enable end energy engage enhance enjoy ensure enthusiasm environment
    equally especially establish evident excel excellence excellent exceptional excited execute
    expand expect expectation experience expert expertise extend extensive extra facilitate
    familiar fast field final find firm first fit flexible focus follow form former forward
    foster foundation full function fundamental gain general give goal goes good great group
    grow growth guide hand handle hands hard hardworking help high highly history hold home
    honest hour idea ideal identify impact implement important impressive improve improvement
    include increase independent individual industry initiative innovate innovation innovative
    integral integrity interest interpersonal introduce invaluable involve issue job join
    journey keep key know knowledge language large lasting latest lead leader leadership learn
    learning level leverage life like listener long look maintain make makes manage management
    manager manner mark marked match matter mean meet member method mile mind mindset modern
    month motivate motivated move multiple multitask name natural nature nearly need new note
    number obtain offer office operate operation opportunity order organisation organise
    organised organization organize outcome output outstanding overall oversee own paced part
    partner passion passionate path people perform performance period person personal
    perspective phase place plan play player point poised portfolio position positive possess
    practical practice precise prepare present pressure previous pride primary prioritise
    problem procedure process produce professional proficiency proficient profile program
    programme progress progression project promote proven provide purpose pursue qualification
    quality quick quickly range rank rapid reach ready receive recent recognise recognised
    recognition record reduce reflect regard region regular relate relationship reliable remain
    report represent request require requirement resolve resource resourceful respect respond
    response responsibility responsible result result-driven rich rise role route run scale
    scope seasoned section sector see seek self senior serve service set setting several shape
    share show side significant similar simple site situation size skill skilled small smooth
    solid solution solve sound space span speak special specialise specialist spend spirit staff
    stage stakeholder stand standard start state stay steady stellar step strategic strategy
    strength strong structure study style subject succeed success successful support synergy
    system take talent target task teach team technical technique technology thorough thrive
    time tireless title together tool toolset top topic track train training turn type
    understand understanding unique unit unwavering use useful user valuable value variety
    various vast versatile versed view vision want way wide work worker workplace world write
    year young
    """
)


@dataclass(frozen=True, slots=True)
class Support:
    """`strange` sentences hardly share a word with the document, `empty` ones name none of it."""

    strange: int
    empty: int
    sentences: int

    @property
    def faults(self) -> int:
        """Strange sentences, and one fault more when too many are empty."""
        too_empty = self.empty >= _FEWEST_EMPTY and self.empty > _MAX_EMPTY_SHARE * self.sentences
        return self.strange + too_empty


def is_neutral(word: str) -> bool:
    """Whether the folded word may stand in any summary, whatever the document says."""
    return stem(word) in _NEUTRAL


def support_of(summary: str, evidence: Evidence) -> Support:
    """How many sentences the document does not support, and how many it was not needed for."""
    if evidence.is_foreign:
        # Prose about a document in another language shares names with it, and few words.
        return Support(0, 0, 0)
    strange = empty = counted = 0
    for sentence in split_sentences(summary):
        words = [
            word
            for word in words_of(sentence)
            if len(word) >= _SHORTEST_WORD and word not in _FUNCTION and not word[0].isdigit()
        ]
        if len(words) < _SHORTEST_SENTENCE - 2:
            continue
        counted += 1
        content = [word for word in words if stem(word) not in _NEUTRAL]
        known = sum(evidence.has_word(word) for word in content)
        unknown = len(content) - known
        if unknown >= _FEWEST_STRANGE and unknown >= _STRANGE_SHARE * len(content):
            strange += 1
        elif not known:
            empty += 1
    return Support(strange, empty, counted)
