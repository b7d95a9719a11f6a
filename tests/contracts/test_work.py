"""Work that takes long ends at a checkpoint: at its deadline, or when it is asked to."""

import time
from threading import Event, Thread

import pytest

from diorama.contracts.errors import WorkStopped
from diorama.contracts.work import StopReason, Work, checkpoint, working


def go_on() -> None:
    while True:
        checkpoint()


def test_without_a_deadline_around_it_a_checkpoint_does_nothing() -> None:
    checkpoint()


def test_work_ends_at_the_first_checkpoint_after_its_deadline() -> None:
    with pytest.raises(WorkStopped) as stopped, working(Work(0.01)):
        go_on()

    assert (stopped.value.code, stopped.value.fields["seconds"]) == ("out_of_time", 0.01)


def test_the_time_before_work_begins_does_not_count() -> None:
    work = Work(0.5)
    time.sleep(0.02)

    with working(work):
        checkpoint()


@pytest.mark.parametrize("reason", [StopReason.CLIENT_LEFT, StopReason.SHUTDOWN])
def test_another_thread_can_end_work(reason: StopReason) -> None:
    work, has_begun, codes = Work(60.0), Event(), []

    def go() -> None:
        try:
            with working(work):
                has_begun.set()
                go_on()
        except WorkStopped as error:
            codes.append(error.code)

    thread = Thread(target=go)
    thread.start()
    has_begun.wait()
    work.stop(reason)
    thread.join(10)

    assert codes == [reason.name.lower()]


def test_the_first_reason_counts_and_work_that_was_stopped_does_not_begin() -> None:
    work = Work(60.0)
    work.stop(StopReason.CLIENT_LEFT)
    work.stop(StopReason.SHUTDOWN)

    with pytest.raises(WorkStopped) as stopped, working(work):
        pytest.fail("it began")

    assert stopped.value.code == "client_left"


def test_work_within_work_has_its_own_deadline_and_gives_back_that_around_it() -> None:
    def nest() -> None:
        with working(Work(60.0)):
            checkpoint()
        go_on()

    with pytest.raises(WorkStopped) as stopped, working(Work(0.05)):
        nest()

    assert stopped.value.fields["seconds"] == 0.05
