"""The fair lock: one holder at a time, in the order of asking, whatever happens to a waiter."""

import threading
import time

import pytest

from apps.turn import FairLock


def ask(lock: FairLock, order: list[str], name: str) -> threading.Thread:
    """A thread that waits for the lock; returns when it stands in the queue."""

    def take() -> None:
        with lock:
            order.append(name)

    standing = len(lock._queue)
    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    until = time.monotonic() + 10
    while len(lock._queue) == standing and time.monotonic() < until:
        time.sleep(0.001)
    return thread


def test_it_is_handed_on_in_the_order_of_asking() -> None:
    lock, order = FairLock(), list[str]()
    with lock:
        threads = [ask(lock, order, name) for name in "abcdefgh"]
    for thread in threads:
        thread.join(timeout=10)
    assert order == list("abcdefgh")


def test_who_lets_go_and_asks_again_stands_behind_who_waits() -> None:
    """A run asks again right after its step. With a plain lock it would get it before the waiting one."""
    for _ in range(50):
        lock, order = FairLock(), list[str]()
        with lock:
            ask(lock, order, "waiting")
        with lock:
            order.append("again")
        assert order == ["waiting", "again"]


def test_one_holder_at_a_time() -> None:
    lock, inside, most = FairLock(), [0], [0]

    def run() -> None:
        for _ in range(50):
            with lock:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                time.sleep(0)
                inside[0] -= 1

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)
    assert most == [1]


def test_an_error_inside_hands_the_lock_on() -> None:
    lock = FairLock()
    with pytest.raises(ZeroDivisionError), lock:
        raise ZeroDivisionError
    taken = threading.Event()

    def take() -> None:
        with lock:
            taken.set()

    threading.Thread(target=take, daemon=True).start()
    assert taken.wait(timeout=5)
