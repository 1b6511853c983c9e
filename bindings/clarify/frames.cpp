// Python 3.11: the interpreter lets a function of ours evaluate every frame (PEP 523).
//
// A call costs some 15 ns more than without, most of it because the interpreter then calls itself for a Python function instead of going
// on in place. That takes C stack too, so the limit of the main thread's stack goes up as soon as the program asks for deep recursion.
#include "events.hpp"

#if PY_VERSION_HEX < 0x030C0000

#define Py_BUILD_CORE
#include <internal/pycore_frame.h>
#undef Py_BUILD_CORE
#include <opcode.h>
#include <sys/resource.h>

#include <vector>

#include "activations.hpp"
#include "loaded.hpp"
#include "naming.hpp"
#include "session.hpp"

namespace thriftwood::clarify::python {

namespace {

struct Function {  // of one code object
  std::uint64_t* counter;
  std::uint32_t number;
  bool generator;  // or coroutine: the call makes it, its body begins later
  bool recorded;
  bool defines;    // a class's body or a module's: it fills a namespace
  bool is_getitem;
};

Py_ssize_t place_in_code = -1;  // where code objects keep their Function

using Evaluated = _PyInterpreterFrame;

// Up to some 3.11.x the interpreter goes on in place, past us, where a subscript calls a `__getitem__` whose version has 16 bits. So these
// functions get versions that have more: when their class is made, when they run, and at the start those that are there already.
bool is_getitem(PyObject* name) { return PyUnicode_CompareWithASCIIString(name, "__getitem__") == 0; }

void keep_in_sight(PyObject* object) {
  static std::uint32_t versions = std::uint32_t{1} << 31;
  if (!object || !PyFunction_Check(object)) return;
  auto* const function = reinterpret_cast<PyFunctionObject*>(object);
  if (function->func_version < (std::uint32_t{1} << 31)) function->func_version = ++versions;
}

bool keep_loaded_in_sight() {
  return each_loaded_function([](PyObject* function) {
    if (is_getitem(reinterpret_cast<PyFunctionObject*>(function)->func_name)) keep_in_sight(function);
    return true;
  });
}

const Function* meet(PyCodeObject* code, PyObject* globals) {
  auto* object = reinterpret_cast<PyObject*>(code);
  auto* function = new Function{};
  function->generator = (code->co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR)) != 0;
  function->recorded = !is_machinery(object);
  function->defines = (code->co_flags & CO_OPTIMIZED) == 0;
  function->is_getitem = is_getitem(code->co_name);
  function->number = function->recorded ? session.number(name_of(object, globals)) : Texts::none;
  function->recorded = function->number != Texts::none;
  function->counter = session.mode() == Mode::counts ? session.counter(function->number) : nullptr;
  if (function->recorded) note_build(object);
  if (_PyCode_SetExtra(object, place_in_code, function) < 0) PyErr_Clear();
  return function;
}

inline const Function* function_of(Evaluated* frame) {
  void* known = nullptr;
  _PyCode_GetExtra(reinterpret_cast<PyObject*>(frame->f_code), place_in_code, &known);
  if (known) [[likely]]
    return static_cast<const Function*>(known);
  return meet(frame->f_code, frame->f_globals);
}

// Whether a generator is resumed for the first time. Made but not begun, it stands behind the instruction that made it.
inline bool begins(const Evaluated* frame) { return _Py_OPCODE(*frame->prev_instr) == RETURN_GENERATOR; }

inline bool is_suspended(const Evaluated* frame) {
  const auto* generator = reinterpret_cast<const PyGenObject*>(reinterpret_cast<const char*>(frame) - offsetof(PyGenObject, gi_iframe));
  return generator->gi_frame_state == FRAME_SUSPENDED;
}

// Addresses below the stack are kept free by the kernel for 128 MB whatever the limit was at the start.
void allow_deep_recursion() {
  static bool done = false;
  if (done) return;
  done = true;
  rlimit limit{};
  constexpr rlim_t wanted = rlim_t{120} << 20;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= wanted) return;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > wanted ? wanted : limit.rlim_max;
  setrlimit(RLIMIT_STACK, &limit);
}

PyObject* evaluate_unusual(PyThreadState* thread, Evaluated* frame, int throwing, const Function* function) {
  if (function->is_getitem) keep_in_sight(reinterpret_cast<PyObject*>(frame->f_func));
  PyObject* const space = function->defines && frame->f_locals && PyDict_Check(frame->f_locals) ? Py_NewRef(frame->f_locals) : nullptr;
  PyObject* const result = _PyEval_EvalFrameDefault(thread, frame, throwing);
  if (space && result) keep_in_sight(PyDict_GetItemString(space, "__getitem__"));
  Py_XDECREF(space);
  return result;
}
inline PyObject* evaluate(PyThreadState* thread, Evaluated* frame, int throwing, const Function* function) {
  if (function->defines || function->is_getitem) [[unlikely]]
    return evaluate_unusual(thread, frame, throwing, function);
  return _PyEval_EvalFrameDefault(thread, frame, throwing);
}

constexpr int deep = 5000;

// Whether the frame is one too many: the interpreter will raise RecursionError before the body begins.
inline bool overflows(const PyThreadState* thread) {
  if (thread->recursion_remaining > 0) [[likely]]
    return false;
  return !thread->recursion_headroom && thread->recursion_limit - thread->recursion_remaining >= Py_GetRecursionLimit();
}

PyObject* count(PyThreadState* thread, Evaluated* frame, int throwing) {
  if (thread->recursion_limit > deep) [[unlikely]]
    allow_deep_recursion();
  if (!throwing && !overflows(thread)) {  // thrown into before it began, a generator never begins
    const Function* function = function_of(frame);
    if (!function->generator || (frame->owner == FRAME_OWNED_BY_GENERATOR && begins(frame))) ++*function->counter;
    return evaluate(thread, frame, throwing, function);
  }
  return _PyEval_EvalFrameDefault(thread, frame, throwing);
}

// An exception thrown into a generator goes straight to the innermost one that it waits for. The others are put under it without being
// evaluated: they are resumed here, and suspended again by `suspend_waiting`.
struct Waiting {
  Evaluated* frame;
  std::uint64_t serial;
};
std::vector<Waiting> resume_waiting(Recorder& recorder, Evaluated* frame) {
  std::vector<Waiting> waiting;
  for (; frame && frame->owner == FRAME_OWNED_BY_GENERATOR && !Activations::on_top(recorder, frame); frame = frame->previous) {
    if (!activations.is_suspended(frame)) break;
    waiting.push_back({frame, 0});
  }
  for (auto outer = waiting.rbegin(); outer != waiting.rend(); ++outer) {
    outer->serial = activations.resume(recorder, Activations::on_top(recorder, outer->frame->previous), outer->frame);
  }
  return waiting;
}
void suspend_waiting(const std::vector<Waiting>& waiting) {
  for (const Waiting& outer : waiting) activations.suspend(outer.serial, outer.frame, false);
}

PyObject* follow_generator(PyThreadState* thread, Evaluated* frame, int throwing, const Function* function) {
  Recorder* const recorder = session.recorder();
  if (!recorder || frame->owner != FRAME_OWNED_BY_GENERATOR || (throwing && begins(frame))) {
    return _PyEval_EvalFrameDefault(thread, frame, throwing);
  }
  Evaluated* const caller = thread->cframe->current_frame;
  const std::vector<Waiting> waiting = throwing ? resume_waiting(*recorder, caller) : std::vector<Waiting>();
  const bool attached = Activations::on_top(*recorder, caller);
  const std::uint64_t serial =
      begins(frame) ? activations.start(*recorder, function->number, attached, frame) : activations.resume(*recorder, attached, frame);
  PyObject* const result = _PyEval_EvalFrameDefault(thread, frame, throwing);
  if (serial) activations.suspend(serial, frame, !is_suspended(frame));
  suspend_waiting(waiting);
  return result;
}

PyObject* follow(PyThreadState* thread, Evaluated* frame, int throwing) {
  if (thread->recursion_limit > deep) [[unlikely]]
    allow_deep_recursion();
  const Function* function = function_of(frame);
  if (!function->recorded || overflows(thread)) [[unlikely]]
    return _PyEval_EvalFrameDefault(thread, frame, throwing);
  if (function->generator) [[unlikely]]
    return follow_generator(thread, frame, throwing, function);
  Recorder* const recorder = session.recorder();
  if (!recorder) [[unlikely]]
    return _PyEval_EvalFrameDefault(thread, frame, throwing);
  const bool attached = Activations::on_top(*recorder, thread->cframe->current_frame);
  const std::uint64_t serial = activations.open(*recorder, function->number, attached, frame);
  PyObject* const result = evaluate(thread, frame, throwing, function);
  activations.close(serial);
  return result;
}

void forget(void* function) { delete static_cast<Function*>(function); }

}  // namespace

bool record_events() {
  place_in_code = _PyEval_RequestCodeExtraIndex(forget);
  if (place_in_code < 0) {
    PyErr_SetString(PyExc_RuntimeError, "Other tools have taken all room that code objects have for notes.");
    return false;
  }
  if (!keep_loaded_in_sight()) return false;
  _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState_Get(), session.mode() == Mode::counts ? count : follow);
  return true;
}

}  // namespace thriftwood::clarify::python

#endif
