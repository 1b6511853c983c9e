// Python 3.12 and later: sys.monitoring (PEP 669) calls builtins of ours. Only the stable ABI is used, so one file serves them all.
//
//   mirror   of one thread: the frames whose start or resumption was seen, with the numbers of their activations. Events name code, not
//            frames, and an end without a start (of frames that began before recording, or before a fork) must end nothing
#include "events.hpp"

#if PY_VERSION_HEX >= 0x030C0000

#include <deque>
#include <string>
#include <unordered_set>
#include <vector>

#include "activations.hpp"
#include "naming.hpp"
#include "session.hpp"
#include "watching.hpp"

namespace thriftwood::clarify::python {

namespace {

struct Function {  // of one code object
  std::uint64_t* counter = nullptr;
  std::uint32_t number = Texts::none;  // in the profile, or in the plan
  bool generator = false;              // or coroutine
};

// What is known of code objects. It holds a reference to each, or another could come to lie at the same address.
class Functions {
 public:
  const Function* find(PyObject* code) const noexcept {
    const std::uint32_t place = places_.find(reinterpret_cast<std::uintptr_t>(code));
    return place ? &known_[place - 1] : nullptr;
  }
  const Function& add(PyObject* code, const Function& function) {
    known_.push_back(function);
    places_.insert(reinterpret_cast<std::uintptr_t>(Py_NewRef(code)), static_cast<std::uint32_t>(known_.size()));
    return known_.back();
  }

 private:
  std::vector<Function> known_;
  detail::Lookup<std::uintptr_t, detail::HashStep> places_;
};
Functions& functions = *new Functions;
PyObject* disable = nullptr;  // what a callback returns to be called no more from this place

const Function& meet(PyObject* code) {
  Function function;
  constexpr long generator_flags = 0x20 | 0x80 | 0x200;  // generator, coroutine, asynchronous generator
  PyObject* const flags = PyObject_GetAttrString(code, "co_flags");
  function.generator = flags && (PyLong_AsLong(flags) & generator_flags) != 0;
  Py_XDECREF(flags);
  if (!is_machinery(code)) function.number = session.number(name_of(code, PyEval_GetGlobals()));
  if (function.number != Texts::none) note_build(code);
  if (session.mode() == Mode::counts) function.counter = session.counter(function.number);
  PyErr_Clear();
  return functions.add(code, function);
}

inline const Function& function_of(PyObject* code) {
  const Function* const known = functions.find(code);
  if (known) [[likely]]
    return *known;
  return meet(code);
}

// Calls

PyObject* count(PyObject*, PyObject* const* arguments, Py_ssize_t) {
  const Function& function = function_of(arguments[0]);
  if (function.number == Texts::none) return Py_NewRef(disable);
  ++*function.counter;
  Py_RETURN_NONE;
}

// Call trees

struct Seen {
  PyObject* code;
  std::uint64_t serial;     // 0: not recorded
  const void* place;        // of a generator's frame; nullptr for others
  bool waiting;             // for the one above it, to which an exception went straight
};
struct Mirror {
  std::vector<Seen> frames;
  std::uint64_t era = 0;
};
thread_local Mirror mirror_of_thread;

Mirror& mirror() {
  Mirror& mine = mirror_of_thread;
  if (mine.era != session.era()) {
    mine.frames.clear();
    mine.era = session.era();
  }
  return mine;
}

bool is_attached(const Mirror& mirror, const Recorder& recorder) {
  return !mirror.frames.empty() && mirror.frames.back().serial && recorder.depth() && recorder.top().stack == mirror.frames.back().serial;
}

PyObject* follow_start(PyObject*, PyObject* const* arguments, Py_ssize_t) {
  const Function& function = function_of(arguments[0]);
  Mirror& mine = mirror();
  Recorder* const recorder = session.recorder();
  Seen seen{arguments[0], 0, nullptr, false};
  if (recorder && function.number != Texts::none) {
    const bool attached = is_attached(mine, *recorder);
    if (function.generator) {
      seen.place = PyEval_GetFrame();
      seen.serial = activations.start(*recorder, function.number, attached, seen.place);
    } else {
      seen.serial = activations.open(*recorder, function.number, attached, nullptr);
    }
  }
  mine.frames.push_back(seen);
  Py_RETURN_NONE;
}

void resume(Mirror& mine, Recorder* recorder, Seen seen) {
  if (recorder) seen.serial = activations.resume(*recorder, is_attached(mine, *recorder), seen.place);
  mine.frames.push_back(seen);
}

PyObject* follow_resume(PyObject*, PyObject* const* arguments, Py_ssize_t) {
  resume(mirror(), session.recorder(), {arguments[0], 0, PyEval_GetFrame(), false});
  Py_RETURN_NONE;
}

// The frame below, as a new reference; nullptr where there is none.
PyObject* below(PyObject* frame) {
  PyObject* const back = PyObject_GetAttrString(frame, "f_back");
  if (back && back != Py_None) return back;
  PyErr_Clear();
  Py_XDECREF(back);
  return nullptr;
}
PyObject* code_of(PyObject* frame) {  // borrowed: the frame holds it
  auto* const code = reinterpret_cast<PyObject*>(PyFrame_GetCode(reinterpret_cast<PyFrameObject*>(frame)));
  Py_DECREF(code);
  return code;
}

// An exception thrown into a generator goes straight to the innermost one that it waits for. The others lie under it without an event.
PyObject* follow_throw(PyObject*, PyObject* const* arguments, Py_ssize_t) {
  auto* const frame = reinterpret_cast<PyObject*>(PyEval_GetFrame());
  std::vector<PyObject*> waiting;
  for (PyObject* outer = below(frame); outer; outer = below(outer)) {
    waiting.push_back(outer);
    if (!activations.is_suspended(outer)) break;
  }
  for (auto outer = waiting.rbegin(); outer != waiting.rend(); ++outer) {
    if (activations.is_suspended(*outer)) resume(mirror(), session.recorder(), {code_of(*outer), 0, *outer, true});
    Py_DECREF(*outer);
  }
  resume(mirror(), session.recorder(), {arguments[0], 0, frame, false});
  Py_RETURN_NONE;
}

void close(const Seen& seen, bool ended) {
  if (seen.serial && seen.place) {
    activations.suspend(seen.serial, seen.place, ended);
  } else if (seen.serial) {
    activations.close(seen.serial);
  }
}

// The frame of this code ends, and those above it whose end was not seen.
void end(PyObject* code, bool ended) {
  std::vector<Seen>& frames = mirror().frames;
  std::size_t place = frames.size();
  while (place > 0 && frames[place - 1].code != code) --place;
  if (!place) return;
  for (; frames.size() >= place; frames.pop_back()) close(frames.back(), ended);
  for (; !frames.empty() && frames.back().waiting; frames.pop_back()) close(frames.back(), false);
}
PyObject* follow_end(PyObject*, PyObject* const* arguments, Py_ssize_t) {
  end(arguments[0], true);
  Py_RETURN_NONE;
}
PyObject* follow_yield(PyObject*, PyObject* const* arguments, Py_ssize_t) {
  end(arguments[0], false);
  Py_RETURN_NONE;
}

// Watching

std::unordered_set<std::string> modules;  // that have functions in the plan

// The number of the code's function in the plan, or nobody. Most code belongs to modules that the plan does not name.
std::uint32_t watched(PyObject* code) {
  if (const Function* const known = functions.find(code)) return known->number;
  PyObject* const globals = PyEval_GetGlobals();
  if (!modules.contains(module_of(globals))) return nobody;
  note_build(code);  // of another build no function may be found
  const std::string name = name_of(code, globals);
  const std::uint32_t number = watching.orders().find(name);
  if (number == nobody) return nobody;
  session.number(name);
  functions.add(code, {nullptr, number, false});
  return number;
}

// Frame objects stay with their frames, so their addresses tell open frames apart.
PyObject* watch(PyObject*, PyObject* const* arguments, Py_ssize_t) {
  const std::uint32_t number = watched(arguments[0]);
  if (number == nobody) return Py_NewRef(disable);
  if (watching.orders()[number].only_counts()) {
    watching.started(number, {nullptr, nullptr}, [](int) { return Place{nullptr, nullptr}; });
    Py_RETURN_NONE;
  }
  auto* const frame = reinterpret_cast<PyObject*>(PyEval_GetFrame());
  watching.started(number, {frame, arguments[0]}, [frame](int steps) {
    PyObject* caller = Py_NewRef(frame);
    while (steps-- > 0 && caller) {
      PyObject* const next = below(caller);
      Py_DECREF(caller);
      caller = next;
    }
    if (!caller) return Place{nullptr, nullptr};
    const Place place{caller, code_of(caller)};
    Py_DECREF(caller);  // its frame holds it
    return place;
  });
  Py_RETURN_NONE;
}

// Registration

using Fast = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t);
struct Event {
  const char* name;
  Fast callback;
};

bool listen(const std::vector<Event>& events) {
  static std::deque<PyMethodDef> definitions;
  PyObject* const monitoring = PySys_GetObject("monitoring");  // borrowed
  PyObject* const names = monitoring ? PyObject_GetAttrString(monitoring, "events") : nullptr;
  disable = names ? PyObject_GetAttrString(monitoring, "DISABLE") : nullptr;
  int tool = -1;
  for (const int free : {4, 3}) {  // the numbers that are not meant for debuggers, coverage, profilers and optimizers
    if (!disable || tool >= 0) break;
    PyObject* const done = PyObject_CallMethod(monitoring, "use_tool_id", "is", free, "thriftwood.clarify");
    if (done) tool = free;
    if (!done && PyErr_ExceptionMatches(PyExc_ValueError)) PyErr_Clear();
    Py_XDECREF(done);
  }
  if (disable && tool < 0 && !PyErr_Occurred()) {
    PyErr_SetString(PyExc_RuntimeError, "Other tools have taken the numbers 3 and 4 of sys.monitoring.");
  }
  bool good = tool >= 0;
  long wanted = 0;
  for (const Event& event : events) {
    if (!good) break;
    definitions.push_back({event.name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(event.callback)), METH_FASTCALL, nullptr});
    PyObject* const number = PyObject_GetAttrString(names, event.name);
    PyObject* const callback = PyCFunction_NewEx(&definitions.back(), nullptr, nullptr);
    PyObject* const before = number && callback ? PyObject_CallMethod(monitoring, "register_callback", "iOO", tool, number, callback) : nullptr;
    good = before != nullptr;
    if (good) wanted |= PyLong_AsLong(number);
    for (PyObject* object : {number, callback, before}) Py_XDECREF(object);
  }
  PyObject* const set = good ? PyObject_CallMethod(monitoring, "set_events", "il", tool, wanted) : nullptr;
  good = set != nullptr;
  Py_XDECREF(set);
  Py_XDECREF(names);
  return good;
}

}  // namespace

bool record_events() {
  if (session.mode() == Mode::counts) return listen({{"PY_START", count}});
  return listen({{"PY_START", follow_start},
                 {"PY_RESUME", follow_resume},
                 {"PY_THROW", follow_throw},
                 {"PY_RETURN", follow_end},
                 {"PY_UNWIND", follow_end},
                 {"PY_YIELD", follow_yield}});
}

// Code that is not in the plan is heard of once and then never again.
bool watch_events(PyObject*) {
  for (const WatchedFunction& function : watching.orders().functions()) modules.insert(module_in(function.name));
  return listen({{"PY_START", watch}});
}

}  // namespace thriftwood::clarify::python

#endif
