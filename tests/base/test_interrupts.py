"""What becomes of Ctrl-C: members that are kept, fits that end with another, estimators left as they were."""

import threading
import time

import pytest

import thriftwood as tw
from thriftwood.base.interrupts import (
    WholeFit,
    ending_all,
    ends_all,
    keeping,
    kept_or_raise,
    side_by_side,
)
from thriftwood.datasets import make_small


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
    outer = ["a member"]
    with pytest.warns(UserWarning, match="the 1 of 3 bags"), keeping(outer, 3, "bags"):
        fill([], 5)  # of a member that is not done
    assert not ends_all()


def test_tasks_side_by_side_come_in_order():
    tasks = [lambda i=i: i for i in range(20)]
    assert list(side_by_side(tasks, 3)) == list(side_by_side(tasks, 1)) == list(range(20))


def test_threads_that_help_end_when_a_task_fails():
    X, y = make_small(3000)[:2]
    endless = tw.algorithm("lsid3", r=2**20, random_state=0)
    ended = []

    def work():
        try:
            endless.fit(X, y)
        except KeyboardInterrupt:
            ended.append(threading.get_ident())
            raise

    def fail():
        time.sleep(0.2)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), ending_all():
        list(side_by_side([fail, work], 2))
    assert len(ended) == 1
    assert ended[0] != threading.get_ident()
    assert list(side_by_side([lambda: 1, lambda: 2], 2)) == [1, 2]  # those of another time do not end
