"""Threads of native programs, however they begin and end."""

from __future__ import annotations

import pytest
from native_programs import NEEDS_GCC, compiled, recorded, run, tables

from thriftwood.clarify.native import FLAGS
from thriftwood.clarify.reading import read_profile

pytestmark = NEEDS_GCC


def test_threads_that_end_in_every_way(tmp_path):
    source = """
    #include <pthread.h>
    #include <stddef.h>
    static pthread_key_t key;
    KEPT void late(void* v) { STAY; }
    KEPT void leaf(void) { STAY; }
    KEPT void leaves(void) { leaf(); pthread_exit(NULL); STAY; }
    KEPT void* exits(void* v) { pthread_setspecific(key, v); leaves(); return NULL; }
    KEPT void waits(void) { leaf(); for (;;) pthread_testcancel(); }
    KEPT void* cancelled(void* v) { waits(); return NULL; }
    int main(void) {
      pthread_t one, two;
      pthread_key_create(&key, late);
      for (int i = 0; i < 10; ++i) {
        pthread_create(&one, NULL, exits, &one);
        pthread_create(&two, NULL, cancelled, NULL);
        pthread_cancel(two);
        pthread_join(one, NULL); pthread_join(two, NULL);
      }
      return 0;
    }
    """
    program = compiled(tmp_path, source, "-O2", "-pthread")
    profile = recorded(program, "ctp")
    calls, d1, _ = tables(profile)
    assert calls["exits"] == calls["leaves"] == calls["late"] == 10
    assert d1["exits", frozenset({"leaves"})] == 10
    assert d1["late", frozenset()] == 10
    assert d1["leaves", frozenset({"leaf"})] == 10
    assert profile.threads == 21


@pytest.mark.parametrize("options", [FLAGS, ("-finstrument-functions",)], ids=["sleds", "hooks"])
def test_signals_while_threads_begin_and_end(tmp_path, options):
    source = """
    #include <pthread.h>
    #include <signal.h>
    static volatile int began;
    static pthread_mutex_t together = PTHREAD_MUTEX_INITIALIZER;
    static __thread volatile int seen;
    KEPT void handler(int n) { seen += n; }
    KEPT int work(int n) { STAY; return n + 1; }
    KEPT void* body(void* p) {
      work(1); began = 1; pthread_mutex_lock(&together); pthread_mutex_unlock(&together); return p;
    }
    int main(void) {
      static pthread_t threads[400];  /* all at once, so that each has to make its recorder */
      signal(SIGUSR1, handler);
      pthread_attr_t small;
      pthread_attr_init(&small);
      pthread_attr_setstacksize(&small, 65536);
      pthread_mutex_lock(&together);
      for (int i = 0; i < 400; ++i) {
        began = 0;
        if (pthread_create(threads + i, &small, body, 0)) return 1;
        for (int k = 0; k < 400 && !began; ++k) pthread_kill(threads[i], SIGUSR1);
      }
      pthread_mutex_unlock(&together);
      for (int i = 0; i < 400; ++i) pthread_join(threads[i], 0);
      return 0;
    }
    """
    program = compiled(tmp_path, source, "-O1", "-pthread", *options)
    for mode in ("ctp", "fc"):
        done, (file,) = run(program, mode)
        assert done.returncode == 0
        profile = read_profile(file)
        assert profile.calls["program!work"] == 400
        assert profile.ended == "exit"


def test_a_child_forked_while_another_thread_meets_new_functions(tmp_path):
    functions = "".join(f"KEPT void f{k}(void) {{ STAY; }}\n" for k in range(800))
    calls = " ".join(f"f{k}();" for k in range(800))
    source = functions + """
    #include <pthread.h>
    #include <sys/wait.h>
    #include <unistd.h>
    KEPT void child(void) { STAY; }
    KEPT void* all(void* p) { CALLS return p; }
    int main(void) {
      pthread_t thread;
      pthread_create(&thread, 0, all, 0);
      for (int i = 0; i < 25; ++i) {
        int status = 1;
        if (fork() == 0) { child(); _exit(0); }
        if (wait(&status) < 0 || status != 0) return 1;
      }
      pthread_join(thread, 0);
      return 0;
    }
    """.replace("CALLS", calls)  # fmt: skip
    program = compiled(tmp_path, source, "-O1", "-pthread", "-finstrument-functions")
    done, (_, *children) = run(program, "ctp")
    assert done.returncode == 0
    assert len(children) == 25
    for file in children:
        assert dict(read_profile(file).calls) == {"program!child": 1}


def test_threads_of_c11(tmp_path):
    source = """
    #include <threads.h>
    KEPT int step(int n) { STAY; return n + 1; }
    KEPT int body(void* p) { for (int i = 0; i < 200000; ++i) step(i); STAY; return 3; }
    int main(void) {
      thrd_t threads[2]; int result = 0, sum = 0;
      for (int i = 0; i < 2; ++i) if (thrd_create(threads + i, body, 0) != thrd_success) return 1;
      for (int i = 0; i < 2; ++i) { thrd_join(threads[i], &result); sum += result; }
      return sum - 6;
    }
    """
    program = compiled(tmp_path, source, "-O2", "-pthread")
    for mode in ("fc", "ctp"):
        done, (file,) = run(program, mode)
        assert done.returncode == 0
        profile = read_profile(file)
        assert tables(profile)[0] == {"main": 1, "body": 2, "step": 400000}
        assert profile.threads == 3
