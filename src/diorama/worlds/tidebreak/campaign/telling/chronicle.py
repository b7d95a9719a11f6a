"""News: what happened, to whom, where, and what it follows from."""

from collections.abc import Iterable

from diorama.contracts.errors import UnknownName
from diorama.worlds.tidebreak.campaign.state import CampaignState, News


def report(
    state: CampaignState,
    topic: str,
    text: str,
    *,
    factions: Iterable[str] = (),
    node: str | None = None,
    cause: int | None = None,
) -> int:
    """Write news down.

    Args:
        state: The campaign.
        topic: One word, for filters.
        text: One sentence for people.
        factions: Whom it concerns.
        node: Where.
        cause: Number of the news it follows from.

    Returns:
        Its number, which later news can name as their cause.
    """
    number = state.next_number("news")
    state.news.append(
        News(number=number, day=state.day, topic=topic, text=text, factions=list(factions), node=node, cause=cause)
    )
    return number


def news_of_day(state: CampaignState, day: int) -> list[News]:
    """Return the news of a day in the order they happened."""
    return [item for item in state.news if item.day == day]


def explain(state: CampaignState, number: int) -> list[News]:
    """Walk from a piece of news to the root of its causes.

    Raises:
        UnknownName: There is no news of that number.
    """
    by_number = {item.number: item for item in state.news}
    if number not in by_number:
        raise UnknownName(f"there is no news {number}; there are 1 to {len(state.news)}")
    chain = [by_number[number]]
    while (cause := chain[-1].cause) is not None and cause in by_number:
        chain.append(by_number[cause])
    return chain
