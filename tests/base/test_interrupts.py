"""What becomes of Ctrl-C: members that are kept, fits that end with another, estimators left as they were."""

import os
import random
import signal
import threading
import time

import pytest

import thriftwood as tw
from thriftwood.base.interrupts import (
    WholeFit,
    ending_all,
    ends_all,
    holding_back,
    keeping,
    kept_or_raise,
    side_by_side,
)
from thriftwood.datasets import make_small

posix = pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")


class Learner(WholeFit):
    """Sets attributes, drops one, and then raises what it was given."""

    def __init__(self):
        self.set_before_ = [1]

    def fit(self, raised):
        """Learn something."""
        self.learnt_ = "new"
        self.__dict__.pop("set_before_", None)
        if raised is not None:
            raise raised
        return self


@pytest.mark.parametrize("raised", [KeyboardInterrupt(), ValueError("wrong"), SystemExit()])
def test_a_fit_that_raises_leaves_no_trace(raised):
    learner = Learner()
    before = dict(vars(learner))
    with pytest.raises(type(raised)):
        learner.fit(raised)
    assert vars(learner) == before
    assert learner.set_before_ is before["set_before_"]
    assert learner.fit(None).learnt_ == "new"
    assert Learner.fit.__doc__ == "Learn something."


def test_a_model_that_is_fitted_stays_when_another_fit_is_refused():
    X, y = make_small(60)[:2]
    model = tw.CostTreeClassifier().fit(X, y)
    tree = model.tree_
    with pytest.raises(ValueError, match="rows"):
        model.fit(X, y[:-1])
    assert model.tree_ is tree


def fill(done, total):
    with keeping(done, total):
        done.extend([0, 1])
        raise KeyboardInterrupt


def test_members_that_are_done_are_kept():
    done = []
    with pytest.warns(UserWarning, match="kept are the 2 of 5 trees that were done") as told:
        fill(done, 5)
    assert done == [0, 1]
    assert told[0].filename == __file__


def test_none_is_raised():
    with pytest.raises(KeyboardInterrupt), keeping([], 5):
        raise KeyboardInterrupt


def test_a_part_of_something_larger_is_not_kept():
    assert not ends_all()
    with pytest.raises(KeyboardInterrupt), ending_all(), keeping([1], 5):
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt), ending_all():
        kept_or_raise(1, 5)
    with pytest.raises(KeyboardInterrupt):
        kept_or_raise(0, 5)
    outer = ["a member"]
    with pytest.warns(UserWarning, match="the 1 of 3 bags"), keeping(outer, 3, "bags"):
        fill([], 5)  # of a member that is not done
    assert not ends_all()


def made(tasks, n_threads):
    done = []
    side_by_side(tasks, n_threads, done)
    return done


def test_tasks_side_by_side_come_in_order():
    tasks = [lambda i=i: i for i in range(20)]
    assert made(tasks, 3) == made(tasks, 1) == list(range(20))


class Endless:
    """Fits that never end by themselves, and how many of them were broken off."""

    def __init__(self):
        X, y = make_small(3000)[:2]
        model = tw.algorithm("lsid3", r=2**20, random_state=0)
        self.fit = lambda: model.fit(X, y)
        self.begun = threading.Event()
        self.broken_off = []

    def __call__(self):
        self.begun.set()
        try:
            with ending_all():
                self.fit()
        except KeyboardInterrupt:
            self.broken_off.append(threading.get_ident())
            raise


@pytest.fixture(autouse=True)
def _threads_before():
    """Other tests of this process may have left a pool of another library's, such as Dask's."""
    BEFORE[:] = threading.enumerate()


BEFORE: list[threading.Thread] = []


def helpers_left():
    started = [one for one in threading.enumerate() if one not in BEFORE]
    return [one for one in started if one.name.startswith("ThreadPoolExecutor")]


def test_threads_that_help_end_when_a_task_fails():
    endless = Endless()

    def fail():
        endless.begun.wait()
        raise ZeroDivisionError

    done = []
    with pytest.raises(ZeroDivisionError):
        side_by_side([lambda: 1, fail, endless], 2, done)
    assert done == [1]
    assert len(endless.broken_off) == 1
    assert endless.broken_off[0] != threading.get_ident()
    assert not helpers_left()
    assert made([lambda: 1, lambda: 2], 2) == [1, 2]  # those of another time do not end


def test_helpers_of_another_thread_go_on():
    """One call that fails ends its own helpers alone."""
    endless, other, ended = Endless(), Endless(), threading.Event()

    def fail():
        endless.begun.wait()
        raise ZeroDivisionError

    def end_other():
        ended.wait()
        raise LookupError

    def wait_for(tasks, error):
        with pytest.raises(error):
            side_by_side(tasks, 2, [])

    waiting = threading.Thread(target=wait_for, args=([other, end_other], LookupError))
    waiting.start()
    other.begun.wait()
    wait_for([endless, fail], ZeroDivisionError)
    time.sleep(0.3)  # longer than a helper takes to notice
    assert len(endless.broken_off) == 1
    assert not other.broken_off
    ended.set()
    waiting.join()
    assert len(other.broken_off) == 1


def press():
    os.kill(os.getpid(), signal.SIGINT)


def own_handler(number, frame):
    raise KeyboardInterrupt


@posix
@pytest.mark.parametrize("handler", [signal.default_int_handler, own_handler])
def test_ctrl_c_ends_all_threads_and_keeps_the_first_results(handler):
    endless, done = Endless(), []

    def press_when_begun():
        endless.begun.wait()
        press()

    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            side_by_side([lambda: 1, lambda: 2, press_when_begun, endless, lambda: 5], 2, done)
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert done[:2] == [1, 2]
    assert 5 not in done
    assert not helpers_left()


@posix
def test_ctrl_c_that_comes_with_the_last_result_is_heard():
    done = []
    with pytest.raises(KeyboardInterrupt):
        side_by_side([lambda: 1, press], 2, done)
    assert done == [1, None]


@posix
def test_ctrl_c_between_any_two_steps_is_heard():
    """Pressed at a random moment of a call: before, in or after it, and never lost."""
    moments = random.Random(0)
    tasks = [lambda i=i: sum(range(2000 + i)) for i in range(20)]
    for _ in range(60):
        moment = moments.uniform(0, 0.01)
        over = threading.Event()
        done = []

        def press_soon(moment=moment, over=over):
            time.sleep(moment)
            press()
            over.set()

        pressing = threading.Thread(target=press_soon)
        heard = False
        try:
            pressing.start()
            side_by_side(tasks, 2, done)
            while not over.is_set():
                time.sleep(0.001)
            time.sleep(0.5)
        except KeyboardInterrupt:
            heard = True
        pressing.join()
        assert heard
        assert done == [task() for task in tasks[: len(done)]]
        assert not helpers_left()


@posix
def test_what_is_held_back_is_noted():
    with holding_back() as pressed:
        press()
        for _ in range(1000):
            pass
        assert pressed == [signal.SIGINT]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_nothing_is_held_back_on_another_thread():
    found = []

    def look():
        with holding_back() as pressed:
            found.append(pressed)

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [[]]
    assert signal.getsignal(signal.SIGINT) is before
